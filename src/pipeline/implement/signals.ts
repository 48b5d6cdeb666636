import { isDeepStrictEqual } from "node:util";
import type { NewEvent, PlacedEvent } from "../../domain/events.ts";
import type { BounceCause, PullSignal } from "../../domain/implementation.ts";
import type { PullSignalled, SignalRead } from "../../domain/inputs.ts";
import { type Decision, ignore } from "../runs/decision.ts";
import { voidGates } from "../runs/gates/gate-rules.ts";
import { testedByCi } from "./approvals.ts";
import { shownGate } from "./ask-person.ts";
import { sendBack } from "./bounce.ts";
import { evolveImplementation, signalKey } from "./evolve.ts";
import { pass } from "./finish.ts";
import { type Active, type Implementation, isLooked, openGates, ownsIssue } from "./implementation.ts";
import { stepOf } from "./step.ts";
import type { IssueView } from "./view.ts";

/** People or CI said something about the pull request (GH-5, GH-6): it is kept until the run can deal with it, and read then. */
export function decideSignalled(view: IssueView, { signal, at }: PullSignalled): Decision {
  const { active: run } = view;
  if (!ownsIssue(run) || !run.pull) return ignore("no run with a pull request is active here");
  if (signal.from === "ci" && signal.headSha !== run.work?.headSha) return ignore("that is not the head any more");
  if (signal.from === "ci" && signal.conclusion === PASSED) return decidePassed(view, run, signal, at);
  if (run.heard.includes(signalKey(signal))) return ignore("that was taken before");
  const actor = "by" in signal ? { actor: signal.by } : {};
  const event: NewEvent = { type: "pull.signalled", payload: signal, ...actor };
  return stepOf(run, { events: [event], work: canRead(run) }, at);
}

export const PASSED = "success";
/**
 * A check of others ended well (GH-5), at whatever time: a failure of it that waits to be read is none any more, and where Forge could not run the
 * tests, and no other check of the head failed, the project's own CI has run them.
 */
function decidePassed(
  view: IssueView,
  run: Active,
  { headSha, name, app }: Extract<PullSignal, { from: "ci" }>,
  at: string,
): Decision {
  if (run.ciPassed?.headSha === headSha && run.ciPassed.names.includes(name)) return ignore("that was taken before");
  const passed: NewEvent = { type: "ci.passed", payload: { headSha, name, app } };
  const after = evolveImplementation(run, placed(passed, run, at));
  const open = openGates(run).filter(({ question }) => question.type === "test_failure" && question.notRun === true);
  if (open.length === 0 || run.is !== "working" || after.is !== "working" || testedByCi(after) === undefined)
    return stepOf(run, { events: [passed] }, at);
  const events = [passed, ...voidGates(run, open)];
  const effects = open.flatMap((gate) => shownGate(run, { ...gate, standing: { is: "voided", at } }));
  const gates = run.gates.map((gate) =>
    open.includes(gate) ? { ...gate, standing: { is: "voided", at } as const } : gate,
  );
  const step = pass(view, { ...after, gates }, "the project's own CI has run the tests", at);
  return stepOf(
    run,
    { ...step, events: [...events, ...step.events], effects: [...effects, ...(step.effects ?? [])] },
    at,
  );
}

function placed(event: NewEvent, { runId, version }: Active, at: string): PlacedEvent {
  return { ...event, traceId: runId, version: version + 1, at } as PlacedEvent;
}

/** A signal was read: work goes back for it, or there was nothing to do. */
export function decideSignalRead(view: IssueView, { signal, feedback, at }: SignalRead): Decision {
  const run = view.addressed;
  if (!run || !isLooked(run)) return ignore("the run has ended");
  if (!isDeepStrictEqual(run.signals[0], signal)) return ignore("that was read before");
  const read: NewEvent = { type: "signal.read", payload: { signal, feedback: [...feedback] } };
  const rest = { ...run, signals: run.signals.slice(1) };
  const isStale = signal.from === "ci" && signal.headSha !== run.work?.headSha;
  if (feedback.length === 0 || isStale) {
    return stepOf(run, { events: [read], work: rest.signals.length > 0 }, at);
  }
  if (!canRead(run)) return ignore("it is read again when the run is ready for people");
  const step = sendBack(view, rest, { ...causeOf(signal), feedback }, at);
  return stepOf(rest, { ...step, events: [read, ...step.events] }, at);
}

/** While Forge works on a head it takes commands only; what else was said is read when the head is ready for people. */
export function canRead(run: Implementation): boolean {
  const { pull, status, stopped } = run;
  return pull?.ready === true && status === "waiting" && stopped === undefined && openGates(run).length === 0;
}

function causeOf(signal: PullSignal): { readonly cause: BounceCause; readonly reason: string } {
  switch (signal.from) {
    case "person":
      return { cause: "person", reason: `${signal.by.login} asked for changes` };
    case "ci":
      return { cause: "ci", reason: `${signal.name} of ${signal.app} failed` };
    case "findings":
      return { cause: "instruction", reason: `${signal.by.login} wants findings fixed` };
  }
}
