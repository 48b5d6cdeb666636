import { defined } from "../../domain/defined.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { Gate, GateRequest } from "../../domain/gates.ts";
import type { CommandGiven, ReviewObserved, ReviewSuspended } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { applyEffects, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import { mayAsk, PIPELINES } from "../runs/definition.ts";
import { showGate } from "../runs/gates/evolve-gates.ts";
import { answerGate, isSameQuestion, requestGate, timeOutGates } from "../runs/gates/gate-rules.ts";
import { reviewOn } from "./review-on.ts";
import type { ActiveRun, RunningRun } from "./run-state.ts";
import type { SubjectView } from "./view.ts";

/**
 * The work on a run cannot go on without a person (LOOP-15, SAFE-3): the question becomes a gate, and the run waits, without a worker, for
 * its answer or its deadline.
 */
export function suspendReview(view: SubjectView, { question, needs, at }: ReviewSuspended): Decision {
  const run = view.addressed;
  if (run?.status !== "running") return ignore("the run has ended");
  if (!mayAsk(PIPELINES.review, run.phase, question.type)) return ignore("no review asks that");
  const known = run.gates?.find((gate) => gate.standing.is !== "voided" && isSameQuestion(gate.question, question));
  if (known) return ignore(`${known.gate} asks that already`);
  const { headSha } = run.ends;
  const { gate, event } = requestGate(
    run,
    [...(view.gates ?? []), ...(view.toldHere ?? [])],
    { question, headSha, needs },
    at,
  );
  const { runId: _run, standing: _open, ...request } = gate;
  return {
    ...NOTHING,
    ...written(run, [event]),
    effects: [{ runId: run.runId, headSha, effects: [showGate(run.subject, gate), sayOnCheck(run, gate, request)] }],
    jobs: [applyEffects(run.subject, at), reviewOn(run, gate.deadline)],
  };
}

/**
 * A worker takes a run up: it goes on when none of its gates is open. One whose time is over counts as rejected; with one that has time
 * left the run goes on waiting.
 */
export function goOnUnlessWaiting(run: RunningRun, { attempt, at }: ReviewObserved): Decision {
  const { late, left, events } = timeOutGates(run, at);
  if (left.length > 0 && late.length === 0) return ignore(`it waits for ${left.map(({ gate }) => gate).join(", ")}`);
  const payload = { attempt, reason: whyItGoesOn(run.gates ?? [], late) };
  const resumed: NewEvent[] = left.length === 0 ? [{ type: "run.resumed", phase: run.phase, payload }] : [];
  const shown = late.flatMap((gate) => [showGate(run.subject, gate), sayOnCheck(run, gate)]);
  return {
    ...NOTHING,
    ...written(run, [...events, ...resumed]),
    effects: shown.length > 0 ? [{ runId: run.runId, headSha: run.ends.headSha, effects: shown }] : [],
    jobs: shown.length > 0 ? [applyEffects(run.subject, at)] : [],
  };
}

/** The answer in the log of the run, its comment, and a worker that takes the run up. */
export function answerReview(
  run: ActiveRun,
  gate: Gate,
  is: "approved" | "rejected",
  { by, at, note }: Pick<CommandGiven, "by" | "at"> & { readonly note?: string | undefined },
): Decision {
  const { runId, subject, ends } = run;
  const answered = answerGate(run, gate, is, { by, at, note });
  return {
    ...written(run, [answered.event]),
    // The job for the deadline: nothing else of a run that waits is in the queue.
    cancelJobsOfRuns: [runId],
    effects: [{ runId, headSha: ends.headSha, effects: [showGate(subject, answered.gate), sayOnCheck(run, gate)] }],
    jobs: [reviewOn(run, at), applyEffects(subject, at)],
  };
}

function written({ runId, version }: ActiveRun, events: NewEvent[]): Pick<Decision, "appends"> {
  return { appends: [{ runId, expectedVersion: version, events }] };
}

function whyItGoesOn(gates: readonly Gate[], late: readonly Gate[]): string {
  const [first] = late;
  if (first) return `nobody answered ${first.gate} in time`;
  const last = gates.at(-1);
  if (last?.standing.is === "approved" || last?.standing.is === "rejected") {
    return `${last.gate} was ${last.standing.is} by ${last.standing.by}`;
  }
  return "the work was interrupted and begins again";
}

/** Says on the check of a run that it waits at a gate, or, without `request`, that it goes on after it. */
function sayOnCheck({ subject, ends, request: asked }: ActiveRun, { gate }: Gate, request?: GateRequest): Effect {
  const key = (kind: "check.open" | "check.wait", about?: string) =>
    effectKey(kind, subjectKey(subject), ends.headSha, asked.id, about);
  return {
    kind: "check.wait",
    key: key("check.wait", request ? gate : `${gate}.over`),
    payload: {
      check: "forge/review",
      headSha: ends.headSha,
      openKey: key("check.open"),
      ...defined({ request }),
    },
  };
}
