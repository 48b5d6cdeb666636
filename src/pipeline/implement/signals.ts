import { isDeepStrictEqual } from "node:util";
import type { NewEvent } from "../../domain/events.ts";
import type { BounceCause, PullSignal } from "../../domain/implementation.ts";
import type { PullSignalled, SignalRead } from "../../domain/inputs.ts";
import { type Decision, ignore } from "../runs/decision.ts";
import { sendBack } from "./bounce.ts";
import { signalKey } from "./evolve.ts";
import { type Implementation, isLooked, openGates, ownsIssue } from "./implementation.ts";
import { stepOf } from "./step.ts";
import type { IssueView } from "./view.ts";

/** People or CI said something about the pull request (GH-5, GH-6): it is kept until the run can deal with it, and read then. */
export function decideSignalled({ active: run }: IssueView, { signal, at }: PullSignalled): Decision {
  if (!ownsIssue(run) || !run.pull) return ignore("no run with a pull request is active here");
  if (signal.from === "ci" && signal.headSha !== run.work?.headSha) return ignore("that is not the head any more");
  if (run.heard.includes(signalKey(signal))) return ignore("that was taken before");
  const actor = "by" in signal ? { actor: signal.by } : {};
  const event: NewEvent = { type: "pull.signalled", payload: signal, ...actor };
  return stepOf(run, { events: [event], work: canRead(run) }, at);
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

/** While Forge works on a head nobody is listened to but commands: what was said is read when the head is ready for people. */
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
