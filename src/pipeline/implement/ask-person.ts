import { defined } from "../../domain/defined.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { Gate, GateQuestion } from "../../domain/gates.ts";
import { type Role, subjectKey } from "../../domain/subjects.ts";
import { workOn } from "../runs/decision.ts";
import { showGate } from "../runs/gates/evolve-gates.ts";
import { requestGate } from "../runs/gates/gate-rules.ts";
import { headOf, type Implementation, type Looked, type ProposedPlan } from "./implementation.ts";
import type { Step } from "./step.ts";
import type { IssueView } from "./view.ts";

/** The run waits for a person: an event, a comment that says what is asked, and a worker at the deadline (SAFE-3). */
export function askPerson(
  view: Pick<IssueView, "gates" | "toldHere">,
  run: Looked,
  question: GateQuestion,
  at: string,
  needs: Role = "write",
): Step & { readonly gate: Gate } {
  const { gate, event } = requestGate(
    run,
    [...view.gates, ...(view.toldHere ?? [])],
    { question, headSha: headOf(run), needs },
    at,
  );
  return { gate, events: [event], effects: shownGate(run, gate), jobs: [workOn(run, gate.deadline)] };
}

/** The comment of a gate as it stands now; the one about a plan stands in the comment of the plan. */
export function shownGate(run: Implementation, gate: Gate): Effect[] {
  if (gate.question.type !== "architecture_approval") return [showGate(run.subject, gate)];
  return run.plan ? [showPlan(run, run.plan, gate)] : [];
}

/** The plan on the issue, with the gate that asks about it or how that was answered. */
export function showPlan(
  run: Pick<Implementation, "subject" | "runId" | "planOnly">,
  { plan, estimate, revision }: ProposedPlan,
  gate?: Gate,
): Effect {
  const about = `plan.${revision}.${gate ? `${gate.gate}.${gate.standing.is}` : "shown"}`;
  return {
    kind: "plan.show",
    key: effectKey("plan.show", subjectKey(run.subject), "", run.runId, about),
    payload: { plan, estimate, revision, planOnly: run.planOnly, ...defined({ gate }) },
  };
}
