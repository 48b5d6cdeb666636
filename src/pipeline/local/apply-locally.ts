import type { EffectResult } from "../../domain/effects.ts";
import { type ErrorFacts, errorFacts, ForgeError } from "../../domain/errors.ts";
import type { Input } from "../../domain/inputs.ts";
import type { Subject } from "../../domain/subjects.ts";
import type { Fence } from "../../store/fence.ts";
import { readWorkTree } from "../../store/put-work-tree.ts";
import { nextEffects, type StoredEffect } from "../../store/read-effects.ts";
import { readRun } from "../../store/read-runs.ts";
import { settleEffect } from "../../store/settle-effect.ts";
import type { Checkout } from "../../workspace/local/checkout.ts";
import { pushToCheckout } from "../../workspace/local/local-branch.ts";
import { type HandleInputPorts, handleInput } from "../runs/handle-input.ts";

export interface LocalEffects extends HandleInputPorts {
  readonly checkout: Checkout;
  readonly now: () => string;
  /** Shows people what was decided; nothing rests on it. */
  readonly show: (effect: StoredEffect) => void;
}

type Told = Extract<
  Input,
  { type: "findings.posted" | "check.settled" | "effect.failed" | "branch.pushed" | "pull.opened" }
>;
type Fields<T> = T extends Told ? Omit<T, "subject" | "at" | "newRunId" | "runId"> : never;

interface Applied {
  readonly result?: EffectResult;
  readonly error?: ErrorFacts;
  /** What the pipeline waits to hear. */
  readonly told?: Fields<Told>;
}

/**
 * Carries out what was decided for a subject, in order, without GitHub: commits go into the checkout, everything else is shown. What becomes of
 * each effect is an input again.
 */
export async function applyLocally(
  dependencies: LocalEffects,
  subject: Subject,
  { fence, signal }: { readonly fence: Fence; readonly signal: AbortSignal },
): Promise<void> {
  for (const effect of await nextEffects(dependencies.store, subject)) {
    signal.throwIfAborted();
    const applied = await apply(dependencies, effect, signal);
    dependencies.show(effect);
    await settle(dependencies, effect, applied, fence);
  }
}

async function apply(dependencies: LocalEffects, effect: StoredEffect, signal: AbortSignal): Promise<Applied> {
  switch (effect.kind) {
    case "branch.push":
      return push(dependencies, effect, signal);
    case "pull.open": {
      // The branch is the pull request; like on GitHub, the draft is opened once there is something on it.
      const { number } = effect.subject;
      const { headSha } = effect.payload;
      return { result: { pullNumber: number }, told: { type: "pull.opened", number, headSha } };
    }
    case "check.open":
    case "check.start":
      return { result: { checkRunId: effect.sequence } };
    case "check.complete":
    case "check.revise": {
      const { check, headSha, conclusion } = effect.payload;
      const checkRunId = effect.sequence;
      const settled = { type: "check.settled", check, headSha, conclusion, checkRunId, placed: [] as never[] } as const;
      // What the tests came to stands in the log of the work, which has no ledger on the pull request.
      return { result: { checkRunId }, ...(check === "forge/tests" ? {} : { told: settled }) };
    }
    case "review.post": {
      const placed = effect.payload.findings.map(({ id }) => ({ findingId: id, placement: "summary" as const }));
      return { result: { placed }, told: { type: "findings.posted", placed } };
    }
    default:
      return {};
  }
}

async function push(
  { store, checkout }: LocalEffects,
  effect: Extract<StoredEffect, { kind: "branch.push" }>,
  signal: AbortSignal,
): Promise<Applied> {
  const { branch, headSha, expected } = effect.payload;
  const snapshot = await readWorkTree(store, effect.runId);
  const done = await pushToCheckout({ checkout, branch, sha: headSha, expected, snapshot, signal });
  const pushed = { type: "branch.pushed", branch, headSha } as const;
  switch (done.outcome) {
    case "pushed":
    case "already":
      return { result: {}, told: pushed };
    case "moved":
      // A branch that stood there before the work began is somebody's: nothing of it is joined.
      if (expected === null) return failed(effect, `a branch ${branch} is there already and is not of this run`);
      return { result: { movedTo: done.sha }, told: { ...pushed, movedTo: done.sha } };
    case "refused":
      return failed(effect, done.reason);
  }
}

function failed(effect: Extract<StoredEffect, { kind: "branch.push" }>, why: string): Applied {
  const { branch } = effect.payload;
  const message = `The branch ${branch} could not be written: ${why}.`;
  const options = { source: "resource", severity: "high", recoverability: "manual" } as const;
  const error = errorFacts(new ForgeError("branch_not_written", message, { ...options, context: { branch } }));
  return { error, told: { type: "effect.failed", effectKey: effect.key, error } };
}

async function settle(dependencies: LocalEffects, effect: StoredEffect, applied: Applied, fence: Fence): Promise<void> {
  const { store, now, makeId } = dependencies;
  const { key, runId } = effect;
  const { told, error, result } = applied;
  const settlement = error
    ? { state: "failed" as const, error: error.message }
    : { state: "done" as const, result: result ?? {} };
  const settled = { key, settlement };
  const at = now();
  if (told) {
    // The work on an issue writes on its pull request too: what becomes of that is told to the issue.
    const run = await readRun(store, runId);
    const subject = run?.kind === "implement" ? run.subject : effect.subject;
    const input = { ...told, subject, runId, at, newRunId: makeId() } as Input;
    const { ignored } = await handleInput(dependencies, input, fence, settled);
    if (ignored === undefined) return;
  }
  await settleEffect(store, settled, at, fence);
}
