import { defined } from "../../../domain/defined.ts";
import type { EffectKind, HostEffect } from "../../../domain/effects.ts";
import { type ErrorFacts, errorFacts, ForgeError, RetryLater } from "../../../domain/errors.ts";
import type { Input } from "../../../domain/inputs.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import type { Subject } from "../../../domain/subjects.ts";
import type { DeadJob } from "../../../queue/ports.ts";
import { nextEffects, type StoredEffect } from "../../../store/effects/read-effects.ts";
import {
  markEffectSending,
  noteUnanswered,
  type Settlement,
  settleEffect,
} from "../../../store/effects/settle-effect.ts";
import { addJobs } from "../../../store/jobs/add-jobs.ts";
import type { Fence } from "../../../store/jobs/fence.ts";
import { readLedger } from "../../../store/runs/ledger.ts";
import { readRun } from "../../../store/runs/read-runs.ts";
import { KINDS } from "../../kinds.ts";
import { applyEffects } from "../decision.ts";
import { type HandleInputPorts, handleInput } from "../handle-input.ts";
import { readFacts } from "../subject.ts";
import { type Fields, inputFor, type Told } from "./effect-input.ts";
import { type EffectOutcome, isCourtesy, type SendEffect } from "./write-port.ts";

type HostedEffect = StoredEffect<HostEffect>;

export interface EffectDrainDependencies extends HandleInputPorts {
  readonly send: SendEffect;
  readonly log: EffectLog;
  readonly now: () => string;
}

/** The logger of the drain; pino fits. */
export interface EffectLog {
  readonly info: (facts: object, message: string) => void;
  readonly error: (facts: object, message: string) => void;
}

export interface DrainContext {
  readonly signal: AbortSignal;
  readonly fence: Fence;
}

/** @throws RetryLater where something is left that has to wait */
export type EffectDrain = (subject: Subject, context: DrainContext) => Promise<void>;

/** After this many attempts, a day and a half at the longest pauses, the host will not take an effect any more. */
const LAST_ATTEMPT = 150;

/**
 * Makes the function that applies what was decided for a subject, in the order in which it was decided, until nothing is left or the
 * host wants a pause. A courtesy that waits for the budget lets pass what people wait for. What becomes of each effect is an input again.
 */
export function createEffectDrain(dependencies: EffectDrainDependencies): EffectDrain {
  return async (subject, context) => {
    const effects = await nextEffects(dependencies.store, subject);
    let courtesy: { readonly kind: EffectKind; readonly wait: RetryLater } | undefined;
    for (const [index, effect] of effects.entries()) {
      context.signal.throwIfAborted();
      const isReplaced = isOvertaken(effect, effects.slice(index + 1));
      if (!isReplaced && courtesy && (isCourtesy(effect) || effect.kind === courtesy.kind)) continue;
      const unwanted = isReplaced ? OVERTAKEN : await whenOver(dependencies, effect);
      const outcome = unwanted ?? (await apply(dependencies, effect, context));
      if (outcome.kind === "retry" && effect.attempts < LAST_ATTEMPT) {
        dependencies.log.info({ effect: effect.key, reason: outcome.reason, at: outcome.at }, "effect waits");
        const wait = waiting(outcome, dependencies.now());
        if (!outcome.forBudget || !isCourtesy(effect)) throw wait;
        courtesy = { kind: effect.kind, wait };
        continue;
      }
      await settle(dependencies, effect, outcome, context.fence);
    }
    if (courtesy) throw courtesy.wait;
  };
}

function waiting({ at, reason }: Extract<EffectOutcome, { kind: "retry" }>, now: string): RetryLater {
  const afterMs = Math.max(0, Date.parse(at) - Date.parse(now));
  return new RetryLater("effect_waits", reason, { source: "network", afterMs });
}

/**
 * A status that a later one replaces at once is not worth a write; one that is being sent is seen to its end. That a check begins, or how
 * far it is, is not said where what counts more is decided, also not by a repeated attempt: being a courtesy it could wait for the budget,
 * come after the end, and have the check run for ever, or come after a question and take its buttons away.
 */
function isOvertaken(effect: HostedEffect, later: readonly HostedEffect[]): boolean {
  if (effect.kind === "check.start" || effect.kind === "check.progress") {
    const { openKey } = effect.payload;
    return later.some(({ kind, payload }) => SAY_MORE.has(kind) && "openKey" in payload && payload.openKey === openKey);
  }
  if (!REPLACED.has(effect.kind) || effect.state === "sending") return false;
  return later.some(({ kind, runId }) => kind === effect.kind && runId === effect.runId);
}

/** Of a check these say what counts more, or later, than how far its review was. */
const SAY_MORE: ReadonlySet<EffectKind> = new Set(["check.progress", "check.wait", "check.park", "check.complete"]);

/** Of these the latest of a run counts. A step that was not begun when it goes back is not begun any more. */
const REPLACED: ReadonlySet<EffectKind> = new Set(["issue.status", "deploy.show", "deploy.check", "deployment.begin"]);

const OVERTAKEN = { kind: "obsolete", reason: "a later one takes its place" } as const;

const IN_THE_END: ReadonlySet<string> = new Set(["branch.push", "pull.open", "deployment.begin"]);

/** Of work that is over nothing new appears on GitHub, and never a second pull request. What is being sent is seen to its end. */
async function whenOver({ store }: EffectDrainDependencies, effect: HostedEffect): Promise<EffectOutcome | undefined> {
  if (effect.kind === "pull.merge" && effect.state !== "sending") {
    const { merging } = await readFacts(store, effect.subject);
    const isWanted = merging?.is === "merging" && merging.headSha === effect.payload.headSha;
    return isWanted ? undefined : { kind: "obsolete", reason: "it is not to be merged any more" };
  }
  if (!IN_THE_END.has(effect.kind)) return undefined;
  const run = await readRun(store, effect.runId);
  if (effect.kind === "pull.open" && run?.pullNumber !== undefined) {
    return { kind: "obsolete", reason: "the pull request is known" };
  }
  if (effect.state === "sending") return undefined;
  const isOver = run?.status === "completed" || run?.status === "cancelled";
  return isOver ? { kind: "obsolete", reason: "the work it belongs to is over" } : undefined;
}

async function apply(
  dependencies: EffectDrainDependencies,
  effect: HostedEffect,
  context: DrainContext,
): Promise<EffectOutcome> {
  const { store, now, send } = dependencies;
  const { signal, fence } = context;
  const { key } = effect;
  const pending = await withoutPosted(dependencies, effect);
  if (!pending) return { kind: "obsolete", reason: "everything in it was posted meanwhile" };
  return send(pending, {
    signal,
    sending: (first) => markEffectSending(store, { key, first }, now(), fence),
    unanswered: () => noteUnanswered(store, key, fence),
  });
}

/** A review decided for an older head may still have waited when a newer one was decided: what stands there is not posted twice. */
async function withoutPosted(
  { store }: EffectDrainDependencies,
  effect: HostedEffect,
): Promise<HostedEffect | undefined> {
  if (effect.kind !== "review.post" || effect.state === "sending") return effect;
  const ledger = await readLedger(store, effect.subject);
  const posted = new Set(
    ledger
      .filter(({ placement }) => placement === "comment" || placement === "file_comment")
      .map(({ finding }) => finding.id),
  );
  const findings = effect.payload.findings.filter(({ id }) => !posted.has(id));
  return findings.length > 0 ? { ...effect, payload: { ...effect.payload, findings } } : undefined;
}

/** The outcome of an effect is told to the pipeline and settled in one transaction: told again after a crash it would be told twice. */
async function settle(
  dependencies: EffectDrainDependencies,
  effect: HostedEffect,
  outcome: EffectOutcome,
  fence: Fence,
): Promise<void> {
  const { log } = dependencies;
  if (outcome.kind === "done") {
    const { result } = outcome;
    return submit(dependencies, effect, fence, { state: "done", result }, inputFor(effect, result));
  }
  if (outcome.kind === "obsolete") {
    log.info({ effect: effect.key, reason: outcome.reason }, "effect is obsolete");
    return submit(dependencies, effect, fence, { state: "obsolete" });
  }
  const error = outcome.kind === "failed" ? outcome.error : errorFacts(neverTaken(effect, outcome.reason));
  return fail(dependencies, effect, error, fence);
}

type SettleDependencies = Omit<EffectDrainDependencies, "send">;

function fail(dependencies: SettleDependencies, effect: HostedEffect, error: ErrorFacts, fence: Fence): Promise<void> {
  dependencies.log.error({ effect: effect.key, traceId: effect.runId, error }, "effect failed");
  const notice = effect.kind === "comment.reply" && effect.payload.answer.kind === "unwritten";
  const failed = {
    ...({ type: "effect.failed", effect: { key: effect.key, kind: effect.kind }, error } as const),
    ...defined({ notice: notice || undefined, on: effect.subject }),
  };
  return submit(dependencies, effect, fence, { state: "failed", error: error.message }, failed);
}

/** The queue has given up on the effects of a subject: the one that was at work fails, and the others have their turn. */
export async function giveUpEffect(
  dependencies: SettleDependencies,
  { subject }: JobPayload<"effects">,
  { fence, error }: Pick<DeadJob, "fence" | "error">,
): Promise<void> {
  const effects = await nextEffects(dependencies.store, subject);
  const effect = atWork(effects);
  if (!effect) return;
  await fail(dependencies, effect, errorFacts(error), fence);
  if (effects.length > 1) await addJobs(dependencies.store, [applyEffects(subject, dependencies.now())]);
}

/**
 * The effect that a worker had in its hands when it died: the one that was about to be sent last, as the store knows. Who dies before
 * anything is sent leaves no trace there; then it is the first that a drain does not pass over where the budget is short.
 */
function atWork(effects: readonly HostedEffect[]): HostedEffect | undefined {
  const sent = effects.filter(({ state }) => state === "sending");
  const [latest] = sent.toSorted((a, b) => (b.sendingSince ?? "").localeCompare(a.sendingSince ?? ""));
  return latest ?? effects.find((effect) => !isCourtesy(effect)) ?? effects[0];
}

async function submit(
  dependencies: SettleDependencies,
  effect: HostedEffect,
  fence: Fence,
  settlement: Settlement,
  fields?: Fields<Told>,
): Promise<void> {
  const { store, now, makeId } = dependencies;
  const { runId, key } = effect;
  const at = now();
  const settled = { key, settlement };
  if (fields) {
    // The work on an issue writes on its pull request too, and a deployment where it is told of: what becomes of that is told to their own.
    const run = fields.type === "effect.failed" ? await readRun(store, runId) : undefined;
    const subject = run && KINDS[run.kind].hears === "own_subject" ? run.subject : effect.subject;
    const input = { ...fields, subject, runId, at, newRunId: makeId() } as Input;
    const { ignored } = await handleInput(dependencies, input, fence, settled);
    if (ignored === undefined) return;
  }
  await settleEffect(store, settled, at, fence);
}

function neverTaken(effect: HostedEffect, reason: string): ForgeError {
  const message = `GitHub did not take ${effect.kind} in ${effect.attempts} attempts: ${reason}`;
  return new ForgeError("effect_never_taken", message, {
    source: "network",
    severity: "high",
    recoverability: "manual",
  });
}
