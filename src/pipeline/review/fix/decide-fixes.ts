import type { Answer } from "../../../domain/answers.ts";
import { type CommandSource, commandKey, fixTrace } from "../../../domain/command-source.ts";
import { defined } from "../../../domain/defined.ts";
import { effectKey } from "../../../domain/effects.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { BranchPushed, EffectFailed, FixesMade } from "../../../domain/inputs.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import { type Actor, type Subject, subjectKey } from "../../../domain/subjects.ts";
import { react, reply } from "../../commands/acknowledge.ts";
import { requestOf } from "../../commands/command-result.ts";
import { applyEffects, type Decision, ignore, NOTHING } from "../../runs/decision.ts";
import { failureOf } from "../../runs/effects/effect-input.ts";
import type { SubjectView } from "../view.ts";

/** A worker made the commit that somebody asked for, which is pushed next, or says why there is none. Told twice, the first counts. */
export function decideFixesMade(view: SubjectView, input: FixesMade): Decision {
  const { subject, source, index, by, at, thread, outcome } = input;
  const { fixing, version } = view.facts;
  if (fixing?.key !== commandKey(source, index)) return ignore("this fix was settled before");
  if (fixing.prepared) return ignore("its commit is made already");
  if ("refusal" in outcome) return settle(view, input, outcome);
  if ("left" in outcome) return settle(view, input, { applied: [], left: [...outcome.left] });
  const { prepared } = outcome;
  const { branch, headSha, onto } = prepared;
  const runId = subjectKey(subject);
  const payload = { ...prepared, source, index, ...defined({ thread }) };
  const key = effectKey("branch.push", runId, headSha, requestOf(input));
  const push = { kind: "branch.push", key, payload: { branch, headSha, expected: onto, theirs: true } } as const;
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: version, events: [{ type: "fix.prepared", payload, actor: by }] }],
    effects: [{ runId: fixTrace(input), headSha, effects: [push] }],
    jobs: [applyEffects(subject, at)],
  };
}

/** The commit is on the branch, or somebody else pushed there meanwhile, whose work stays as it is. */
export function decideFixesPushed(view: SubjectView, input: BranchPushed): Decision {
  const prepared = preparedBy(view, input);
  if (!prepared) return ignore("no fix waits for that push");
  const { movedTo, subject, at } = input;
  const { headSha, applied, left, onto } = prepared;
  const where = { ...prepared, subject, at };
  return movedTo === undefined
    ? settle(view, where, { headSha, applied, left })
    : settle(view, where, { refusal: { reason: "branch_moved", headSha: onto, movedTo } });
}

export function isPushOfFixes(view: SubjectView, input: EffectFailed): boolean {
  return preparedBy(view, input) !== undefined;
}

/** GitHub does not take the commit: the person who asked is told what it said. */
export function decideFixesFailed(view: SubjectView, input: EffectFailed): Decision {
  const { subject, at, error } = input;
  const prepared = preparedBy(view, input);
  if (!prepared) return ignore("no fix waits for that push");
  const escalated: NewEvent = { type: "error.escalated", payload: failureOf(input) };
  return settle(view, { ...prepared, subject, at }, { refusal: { reason: "push_refused", message: error.message } }, [
    escalated,
  ]);
}

function preparedBy({ facts }: SubjectView, { runId }: { readonly runId: string }) {
  const prepared = facts.fixing?.prepared;
  return prepared && fixTrace(prepared) === runId ? prepared : undefined;
}

interface Asked {
  readonly subject: Subject;
  readonly source: CommandSource;
  readonly index: number;
  readonly by: Actor;
  readonly at: string;
  readonly thread?: number | undefined;
}

type Result = { readonly refusal: Refusal } | Omit<Extract<Answer, { kind: "fixed" }>, "kind">;

/** Said once, where the command was given: a commit is 🚀, everything else 😕. */
function settle({ facts }: SubjectView, asked: Asked, result: Result, events: readonly NewEvent[] = []): Decision {
  const { subject, source, index, by, at, thread } = asked;
  const runId = subjectKey(subject);
  const isRefusal = "refusal" in result;
  const payload = { source, index, ...(isRefusal ? { applied: [], left: [], refusal: result.refusal } : result) };
  const answer: Answer = isRefusal
    ? { kind: "refused", login: by.login, refusal: result.refusal }
    : { kind: "fixed", ...result };
  const isDone = !isRefusal && result.headSha !== undefined;
  const where = { subject, source, index, ...defined({ thread }) };
  const settled: NewEvent = { type: "fix.settled", payload, actor: by };
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: facts.version, events: [...events, settled] }],
    effects: [{ runId, headSha: "", effects: [...react(where, isDone ? "rocket" : "confused"), reply(where, answer)] }],
    jobs: [applyEffects(subject, at)],
  };
}
