import type { NewEvent } from "../../domain/events.ts";
import type { Gate } from "../../domain/gates.ts";
import { isReviewed } from "./approvals.ts";
import { askPerson } from "./ask-person.ts";
import { emptied, openPull } from "./branch.ts";
import { type Active, headOf, type Implementation, isInRound } from "./implementation.ts";
import { enter, type Step } from "./step.ts";
import { type Asking, firstOfHead } from "./view.ts";
import { push } from "./worked.ts";

/**
 * A run that stood still goes on where it stands: a question that nobody answered in time, or that the stop made void, is asked again; what
 * GitHub does not have yet is sent again; and no head gets to its tests without a review.
 */
export function goOn(view: Asking, run: Active, resumed: NewEvent, at: string): Step {
  const asked = askedAgain(run);
  if (asked && run.is !== "pending") {
    const again = askPerson(view, { ...run, stopped: undefined }, asked.question, at, asked.needs);
    return { ...again, events: [resumed, ...again.events] };
  }
  if (run.is !== "working" || run.phase === "planning" || isInRound(run) || run.toJoin !== undefined) {
    return { events: [resumed], work: true };
  }
  const { phase, work, branch, pushed, pull } = run;
  if (branch === undefined || pushed !== work.headSha) return { events: [resumed], effects: [push(run, work.headSha)] };
  if (!pull) return { events: [resumed], effects: [openPull(run, { branch, pushed })] };
  if (work.headSha === run.base.sha) return { events: [resumed, emptied(run)] };
  const isUnseen = phase === "implementation" || (phase === "testing" && !isReviewed(run));
  if (isUnseen)
    return { events: [resumed, enter(run, firstOfHead(view), "its head was not reviewed yet")], work: true };
  const isReady = run.readyHead === work.headSha;
  const isTested = phase === "testing" && run.tests?.headSha === work.headSha && !isReady;
  return { events: isTested ? [resumed, enter(run, phase, "it went on")] : [resumed], work: true };
}

/** The question that was open when the run stopped, if what it was about is still there. */
export function askedAgain(run: Implementation): Gate | undefined {
  const last = run.gates.at(-1);
  if (!last || !run.stopped || last.headSha !== headOf(run)) return undefined;
  const { standing } = last;
  const isOver = standing.is === "timed_out" || (standing.is === "voided" && standing.byHead === undefined);
  return isOver && standing.at === run.stopped.at ? last : undefined;
}
