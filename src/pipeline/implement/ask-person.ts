import { type Effect, effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import { GATE_TIMEOUT_MS, type Gate, type GateQuestion, type GateRequest } from "../../domain/gates.ts";
import type { Role } from "../../domain/roles.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { nextGateId } from "../review/suspend-review.ts";
import { showGate } from "../runs/gates/show-gate.ts";
import { headOf, type Implementation } from "./implementation.ts";
import { type Step, workOn } from "./step.ts";
import type { IssueView } from "./view.ts";

/** The run waits for a person: an event, a comment that says what is asked, and a worker at the deadline (SAFE-3). */
export function askPerson(
  view: Pick<IssueView, "gates">,
  run: Implementation,
  question: GateQuestion,
  at: string,
  needs: Role = "write",
): Step & { readonly gate: Gate } {
  const deadline = new Date(Date.parse(at) + GATE_TIMEOUT_MS[question.type]).toISOString();
  const requested: GateRequest = { gate: nextGateId(view.gates), question, headSha: headOf(run), deadline, needs };
  const gate: Gate = { ...requested, runId: run.runId, standing: { is: "open" } };
  const asked: NewEvent = {
    type: "gate.requested",
    payload: requested,
    ...(run.phase === undefined ? {} : { phase: run.phase }),
  };
  return { gate, events: [asked], effects: shownGate(run, gate), jobs: [workOn(run, deadline)] };
}

/** The comment of a gate as it stands now; the one about a plan stands in the comment of the plan. */
export function shownGate(run: Implementation, gate: Gate): Effect[] {
  if (gate.question.type !== "architecture_approval") return [showGate(run.subject, gate)];
  return run.plan ? [showPlan(run, gate)] : [];
}

/** The plan on the issue, with the gate that asks about it or how that was answered. */
export function showPlan(run: Implementation, gate?: Gate): Effect {
  const { plan, estimate, revision } = run.plan!;
  const about = `plan.${revision}.${gate ? `${gate.gate}.${gate.standing.is}` : "shown"}`;
  return {
    kind: "plan.show",
    key: effectKey("plan.show", subjectKey(run.subject), "", run.runId, about),
    payload: { plan, estimate, revision, planOnly: run.planOnly, ...(gate ? { gate } : {}) },
  };
}
