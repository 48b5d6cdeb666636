import { isDeepStrictEqual } from "node:util";
import type { NewEvent } from "../../domain/events.ts";
import type { BounceCause, PullSignal } from "../../domain/implementation.ts";
import type { PullSignalled, SignalRead } from "../../domain/inputs.ts";
import { type Decision, ignore } from "../decision.ts";
import { sendBack } from "./bounce.ts";
import { type Implementation, ownsIssue } from "./implementation.ts";
import { stepOf } from "./step.ts";
import type { IssueView } from "./view.ts";

/** People or CI said something about the pull request (GH-5, GH-6): it is kept until the run can deal with it, and read then. */
export function decideSignalled({ active: run }: IssueView, { signal, at }: PullSignalled): Decision {
  if (!ownsIssue(run) || !run.pull) return ignore("no run with a pull request is active here");
  if (signal.from === "ci" && signal.headSha !== run.work?.headSha) return ignore("that is not the head any more");
  if (run.signals.some((known) => isSame(known, signal))) return ignore("that was taken before");
  const actor = "by" in signal ? { actor: signal.by } : {};
  const event: NewEvent = { type: "pull.signalled", payload: signal, ...actor };
  return stepOf(run, { events: [event], work: canRead(run) }, at);
}

/** A signal was read: work goes back for it, or there was nothing to do. */
export function decideSignalRead(view: IssueView, { signal, feedback, at }: SignalRead): Decision {
  const run = view.addressed;
  if (!ownsIssue(run)) return ignore("the run has ended");
  if (!isDeepStrictEqual(run.signals[0], signal)) return ignore("that was read before");
  const read: NewEvent = { type: "signal.read", payload: { signal, feedback: [...feedback] } };
  const rest: Implementation = { ...run, signals: run.signals.slice(1) };
  const isStale = signal.from === "ci" && signal.headSha !== run.work?.headSha;
  if (feedback.length === 0 || isStale || !canRead(run)) {
    return stepOf(run, { events: [read], work: rest.signals.length > 0 }, at);
  }
  const step = sendBack(view, rest, { ...causeOf(signal), feedback }, at);
  return stepOf(rest, { ...step, events: [read, ...step.events] }, at);
}

/** While Forge works on a head nobody is listened to but commands: what was said is read when the head is ready for people. */
export function canRead({ pull, status, stopped }: Implementation): boolean {
  return pull?.ready === true && status === "waiting" && stopped === undefined;
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

function isSame(one: PullSignal, other: PullSignal): boolean {
  if (one.from === "person") return other.from === "person" && one.reviewId === other.reviewId;
  if (one.from === "findings") return other.from === "findings" && one.request === other.request;
  return other.from === "ci" && one.headSha === other.headSha && one.name === other.name && one.app === other.app;
}
