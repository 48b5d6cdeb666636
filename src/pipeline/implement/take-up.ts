import { defined } from "../../domain/defined.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { Gate } from "../../domain/gates.ts";
import type { WorkObserved } from "../../domain/inputs.ts";
import { type Decision, ignore } from "../runs/decision.ts";
import { answersTo } from "../runs/definition.ts";
import { timeOutGates } from "../runs/gates/gate-rules.ts";
import { shownGate } from "./ask-person.ts";
import { approved } from "./commands/give-verdict.ts";
import { type Implementation, isLooked, type Looked, ownsIssue } from "./implementation.ts";
import { cancel } from "./observe.ts";
import { enter, type Step, stepOf } from "./step.ts";
import type { IssueView } from "./view.ts";

/** A worker takes the run up: it begins, goes on, or ends because it is not wanted any more. */
export function decideIssueObserved(view: IssueView, input: WorkObserved): Decision {
  const { addressed: run, pipeline } = view;
  if (!ownsIssue(run)) return ignore("the run has ended");
  const { at, open, configuration, base, attempt } = input;
  if (!open && !run.pull) return cancel(run, at, { reason: "issue_closed" });
  if (run.status === "pending") {
    const observed: NewEvent = {
      type: "work.observed",
      payload: { configuration, base, ...defined({ faultIn: input.faultIn }) },
    };
    const known = run.configuration ? [] : [observed];
    if (configuration.safety.automation_level === 0 && !run.planOnly) {
      const reason = "the configuration has Forge only report here (safety.automation_level: 0)";
      return stepOf(run, { events: [...known, { type: "run.stopped", payload: { reason } }] }, at);
    }
    return stepOf(run, { events: [...known, enter(run, pipeline.start, `${run.requestedBy.login} asked for it`)] }, at);
  }
  const { late, events } = timeOutGates(run, at);
  if (late.length > 0) return settleLate(view, run, late, events, at);
  if (attempt <= 1) return ignore("it goes on");
  const resumed: NewEvent = { type: "error.recovered", payload: { during: "work", attempts: attempt } };
  return stepOf(run, { events: [resumed] }, at);
}

/** The configured consequence of no answer in time (CONF-1); with several that are late the run stands still. */
function settleLate(
  view: IssueView,
  run: Implementation,
  late: readonly Gate[],
  events: readonly NewEvent[],
  at: string,
): Decision {
  const [gate, ...others] = late;
  if (gate?.unanswered === undefined || others.length > 0 || !isLooked(run)) return stopLate(run, late, events, at);
  const after = { ...run, gates: run.gates.map((one) => (one.gate === gate.gate ? gate : one)) };
  const step = gate.unanswered === "approve" ? approved(view, after, gate, at) : refusedLate(view, run, gate);
  const effects = [...shownGate(after, gate), ...(step.effects ?? [])];
  return stepOf(run, { ...step, events: [...events, ...step.events], effects }, at);
}

/** As a person's no, but without a person. */
function refusedLate({ pipeline }: IssueView, run: Looked, { question }: Gate): Step {
  if (answersTo(pipeline, run.phase, question.type).no === "goes_on") return { events: [], work: true };
  return { events: [{ type: "run.cancelled", payload: { reason: "rejected" } }], cancelJobs: true };
}

/** SAFE-3: every gate fails closed; the run is parked with what it has, and `/forge retry` asks again. */
function stopLate(run: Implementation, late: readonly Gate[], events: readonly NewEvent[], at: string): Decision {
  const names = late.map(({ gate }) => gate).join(", ");
  const stopped: NewEvent = { type: "run.stopped", payload: { reason: `nobody answered ${names} in time` } };
  const effects = late.flatMap((gate) => shownGate(run, gate));
  return stepOf(run, { events: [...events, stopped], effects }, at);
}
