import { defined } from "../../domain/defined.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { Gate, GateQuestion } from "../../domain/gates.ts";
import type { NothingToDo, PlanMade } from "../../domain/inputs.ts";
import { RISK_LEVELS } from "../../domain/risk.ts";
import { type Decision, ignore } from "../runs/decision.ts";
import { askPerson, showPlan } from "./ask-person.ts";
import { type Implementation, isAtWork, isLooked, type Planned, type Working } from "./implementation.ts";
import { completion } from "./observe.ts";
import { complete, enter, stepOf } from "./step.ts";
import { after, type IssueView } from "./view.ts";

/**
 * A plan stands: it is shown, and carried out at once, or when a person has said yes to it: from a high risk on, above the money that is
 * spent without asking, or always (PLAN-1, SAFE-3). A plan that was changed as somebody with that right wanted is not asked about again,
 * unless it came to be riskier or dearer than the one they saw.
 */
export function decidePlanMade(view: IssueView, input: PlanMade): Decision {
  const run = view.addressed;
  if (!run || !isLooked(run) || !isAtWork(run) || run.phase !== "planning") return ignore("the run is not planning");
  const { plan, estimate, at } = input;
  const revision = (run.plan?.revision ?? 0) + 1;
  const because = defined({ because: run.changeWanted });
  const proposed = { plan, estimate, revision, accepted: false };
  const { costUsd } = input;
  const made: Planned | Working = run.work
    ? { ...run, plan: proposed, costUsd }
    : { ...run, is: "planned", plan: proposed, costUsd };
  const events: NewEvent[] = [
    { type: "plan.proposed", phase: "planning", payload: { plan, estimate, revision, ...because } },
    complete(run, "planning", input),
  ];
  if (run.planOnly) {
    const shown = showPlan(made, proposed);
    return stepOf(run, { events: [...events, completion(made, "planned", at)], effects: [shown] }, at);
  }
  const question = questionAbout(made);
  if (question && !wasApproved(run, question)) {
    const asked = askPerson(view, made, question, at, question.risk === "critical" ? "maintain" : "write");
    return stepOf(run, { ...asked, events: [...events, ...asked.events] }, at);
  }
  const accepted: NewEvent = { type: "plan.accepted", phase: "planning", payload: { revision } };
  const next = enter(run, after(view, "planning"), "nobody has to be asked about the plan");
  return stepOf(run, { events: [...events, accepted, next], effects: [showPlan(made, proposed)], work: true }, at);
}

type Question = Extract<GateQuestion, { type: "architecture_approval" }>;

function questionAbout({ plan: proposed, configuration }: Planned | Working): Question | undefined {
  const { plan, estimate, revision } = proposed;
  const { gates, confirm_over_usd: confirmOver } = configuration.safety;
  const { level, reasons } = plan.risk;
  const isRisky = RISK_LEVELS.indexOf(level) >= RISK_LEVELS.indexOf("high");
  const wanted = gates.architecture_approval;
  const why = [
    ...(isRisky && wanted !== "off" ? [`the risk is ${level}`, ...reasons] : []),
    ...(wanted === "always" ? ["every plan waits for a person in this repository"] : []),
    ...(estimate.highUsd > confirmOver ? [`it may cost more than $${confirmOver.toFixed(2)}`] : []),
  ];
  if (why.length === 0) return undefined;
  return { type: "architecture_approval", revision, risk: level, reasons: why, highUsd: estimate.highUsd };
}

/** Whether somebody approved of an earlier plan of this run, with a note, that was as risky and as dear. */
function wasApproved({ gates }: Implementation, { risk, highUsd }: Question): boolean {
  return gates.some(({ question, standing }: Gate) => {
    if (question.type !== "architecture_approval" || standing.is !== "approved") return false;
    const dearest = question.highUsd * 1.25;
    return RISK_LEVELS.indexOf(risk) <= RISK_LEVELS.indexOf(question.risk) && highUsd <= dearest;
  });
}

/** The planner, or the first round of the implementer, found nothing that had to be changed. */
export function decideUnnecessary({ addressed: run }: IssueView, input: NothingToDo): Decision {
  if (!run || !isAtWork(run) || run.phase === undefined) return ignore("the run is not at work");
  const { at, reason } = input;
  const skipped: NewEvent = { type: "phase.skipped", phase: run.phase, payload: { phase: run.phase, reason } };
  const events = [complete(run, run.phase, input), skipped, completion(run, "nothing_to_do", at)];
  return stepOf(run, { events }, at);
}
