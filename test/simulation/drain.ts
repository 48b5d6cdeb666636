import type { Effect, EffectResult } from "../../src/domain/effects.ts";
import type { BranchPushed, EffectFailed, PullOpened } from "../../src/domain/inputs.ts";
import type { Subject } from "../../src/domain/subjects.ts";
import { showGate } from "../../src/pipeline/runs/gates/evolve-gates.ts";
import { Failure } from "./agent.ts";
import { ISSUE } from "./cast.ts";
import type { EffectRow } from "./ledger.ts";
import type { Held, Work } from "./queue.ts";
import { factsOf } from "./work.ts";
import type { World } from "./world.ts";

const LIST_LAG_MS = 5_000;

type Outcome = { readonly is: "done"; readonly result: EffectResult } | { readonly is: "obsolete" | "failed" };

/** What the effect drain does, write by write, with the moments at which it may die: before it is sent, after, and before it is settled. */
export function* applyEffects(world: World, held: Held, subject: Subject): Work {
  const { ledger, mind } = world;
  const rows = ledger.waiting(subject);
  for (const [index, row] of rows.entries()) {
    const { effect, state } = row;
    const later = rows.slice(index + 1);
    const isOvertaken = effect.kind === "issue.status" && state !== "sending";
    if (isOvertaken && later.some((other) => other.effect.kind === effect.kind && other.runId === row.runId)) {
      settle(world, held, row, { is: "obsolete" });
      continue;
    }
    const { end, pull } = ledger.runs.get(row.runId) ?? {};
    if (effect.kind === "pull.open" && pull) {
      settle(world, held, row, { is: "obsolete" });
      continue;
    }
    const isNew = effect.kind === "branch.push" || effect.kind === "pull.open";
    if (isNew && state !== "sending" && end && end.is !== "failed") {
      settle(world, held, row, { is: "obsolete" });
      continue;
    }
    if (state === "sending" && row.sendingSince! + LIST_LAG_MS > world.now) {
      return { retryAt: row.sendingSince! + LIST_LAG_MS };
    }
    ledger.guard(held.fence);
    row.state = "sending";
    row.sendingSince ??= world.now;
    yield;
    if (mind.bad(0.05)) return { retryAt: world.now + LIST_LAG_MS };
    ledger.guard(held.fence);
    row.sendingSince = world.now;
    const outcome: Outcome = mind.bad(0.02) ? { is: "failed" } : apply(world, row, state === "sending");
    world.trace(`  ${effect.kind} ${outcome.is}`);
    // The answer may be lost on its way.
    yield;
    if (mind.bad(0.05)) return { retryAt: world.now + LIST_LAG_MS };
    settle(world, held, row, outcome);
    yield;
  }
  return undefined;
}

type Told = BranchPushed | PullOpened | EffectFailed;

function settle(world: World, held: Held, { effect, runId }: EffectRow, outcome: Outcome): void {
  const { ledger, ids } = world;
  const { key } = effect;
  const fields = told(effect, outcome);
  const settles = { key, state: outcome.is, ...("result" in outcome ? { result: outcome.result } : {}) };
  if (fields) {
    const input = { ...fields, subject: ISSUE, runId, at: world.iso(), newRunId: `unused-${ids()}` } as Told;
    if (ledger.submit(input, held.fence, settles).ignored === undefined) return;
  }
  ledger.guard(held.fence);
  ledger.settle(settles);
}

function told(effect: Effect, outcome: Outcome): object | undefined {
  if (outcome.is === "failed") {
    return { type: "effect.failed", effect, error: factsOf(new Failure("GitHub refused it")) };
  }
  if (outcome.is === "obsolete" || !("result" in outcome)) return undefined;
  const { movedTo, pullNumber } = outcome.result;
  if (effect.kind === "branch.push") {
    const { branch, headSha } = effect.payload;
    return { type: "branch.pushed", branch, headSha, ...(movedTo === undefined ? {} : { movedTo }) };
  }
  if (effect.kind !== "pull.open" || pullNumber === undefined) return undefined;
  return { type: "pull.opened", number: pullNumber, headSha: effect.payload.headSha };
}

const done = (result: EffectResult = {}): Outcome => ({ is: "done", result });

function apply(world: World, row: EffectRow, wasSending: boolean): Outcome {
  const { github } = world;
  const { effect, runId } = row;
  switch (effect.kind) {
    case "issue.status":
      return keepComment(world, row, `status:${runId}`, JSON.stringify(effect.payload.status));
    case "plan.show":
      return keepComment(world, row, `plan:${runId}`, JSON.stringify(effect.payload.gate?.standing ?? "shown"));
    case "gate.show": {
      const { gate } = effect.payload;
      const marker = `gate:${gate.runId}/${gate.gate}`;
      const isNew = gate.standing.is === "open" && !wasSending;
      const asked = world.ledger.effects.get(showGate(row.subject, { ...gate, standing: { is: "open" } }).key);
      const known = isNew ? undefined : asked?.result?.commentId;
      const remembered = known === undefined ? undefined : github.comments.get(known);
      const listed = isNew ? [] : github.listed(world.now);
      const own = remembered ?? listed.find((comment) => comment.marker === marker);
      if (own) own.text = gate.standing.is;
      return done({ commentId: own ? own.id : github.write({ marker, at: world.now, text: gate.standing.is }) });
    }
    case "comment.react":
      github.reactions.add(`${effect.payload.commentId}:${effect.payload.content}`);
      return done();
    case "comment.reply": {
      const there = wasSending && github.listed(world.now).some(({ marker }) => marker === effect.key);
      if (!there) github.write({ marker: effect.key, at: world.now, thread: effect.payload.thread, text: "" });
      return done();
    }
    case "branch.push": {
      const { branch, headSha, expected } = effect.payload;
      const before = github.branches.get(branch);
      const pushed = github.push(branch, headSha, expected);
      if (pushed.is === "moved") return done({ movedTo: pushed.to });
      if (before !== undefined && pushed.is === "pushed") world.pushed(branch, before, headSha);
      if (pushed.is === "pushed") world.ciSoon(branch, headSha);
      return done();
    }
    case "pull.open": {
      const { branch } = effect.payload;
      const all = [...github.pulls.values()].filter((pull) => pull.branch === branch);
      const taken =
        all.find(({ open }) => open) ?? (wasSending ? all.find((pull) => pull.marker === effect.key) : undefined);
      if (taken) return done({ pullNumber: taken.number });
      if (!github.branches.has(branch)) return { is: "failed" };
      return done({ pullNumber: github.openPull(branch, effect.key).number });
    }
    case "pull.describe":
      return done({ pullNumber: effect.payload.number });
    case "pull.ready": {
      const pull = github.pulls.get(effect.payload.number)!;
      if (!pull.open) return { is: "obsolete" };
      pull.draft = false;
      return done({ pullNumber: pull.number });
    }
    case "check.complete":
      github.checks.set(`${effect.payload.check}:${effect.payload.headSha}`, effect.payload.conclusion);
      return done();
    default:
      throw new Error(`the work on an issue has no effect ${effect.kind}`);
  }
}

function keepComment({ github, ledger, now }: World, row: EffectRow, marker: string, text: string): Outcome {
  const earlier = [...ledger.effects.values()].findLast(
    ({ runId, effect, state }) => runId === row.runId && effect.kind === row.effect.kind && state === "done",
  );
  const id = earlier?.result?.commentId;
  const own = (id !== undefined && github.comments.get(id)) || github.listed(now).find((one) => one.marker === marker);
  if (own) own.text = text;
  return done({ commentId: own ? own.id : github.write({ marker, at: now, text }) });
}
