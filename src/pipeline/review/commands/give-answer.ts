import type { Command, Refusal } from "../../../domain/commands.ts";
import type { NewEvent } from "../../../domain/events.ts";
import { type Gate, isOpenGate } from "../../../domain/gates.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { atLeast } from "../../../safety/permissions.ts";
import { type Outcome, refuse } from "../../runs/commands/deed.ts";
import { applyEffects, type Decision, type SubjectView } from "../../runs/decision.ts";
import { showGate } from "../../runs/gates/show-gate.ts";
import type { ActiveRun } from "../run-state.ts";
import { isActive } from "../run-state.ts";
import { sayOnCheck } from "../say-on-check.ts";

type Answering = Extract<Command, { name: "approve" | "reject" }>;

/**
 * `/forge approve` and `/forge reject`: the first answer to a gate counts, on the head for which it was asked (GH-14a), and the run goes on
 * with it. Who wrote the pull request is nobody special: neither a tool's call nor money is a judgement of their change (GH-14).
 */
export function giveAnswer(view: SubjectView, input: CommandGiven, command: Answering): Outcome {
  const gate = findGate(view.gates ?? [], command.gate);
  if ("reason" in gate) return refuse(gate);
  const { active } = view;
  const isCurrent = active?.runId === gate.runId && isActive(active);
  const closed = whyClosed(gate, { head: input.pull.ends.headSha, at: input.at, isCurrent });
  if (closed) return refuse(closed);
  const { role = "none" } = input;
  if (!atLeast(role, gate.needs)) return refuse({ reason: "role", name: command.name, needs: gate.needs, has: role });
  const note = command.note === undefined ? {} : { note: command.note };
  return {
    decision: answerGate(active as ActiveRun, gate, input, command.name === "approve" ? "approved" : "rejected", note),
  };
}

/** The answer in the log of the run, its comment, and a worker that takes the run up. */
export function answerGate(
  run: ActiveRun,
  gate: Gate,
  { by, at }: Pick<CommandGiven, "by" | "at">,
  is: "approved" | "rejected",
  note: { readonly note?: string } = {},
): Decision {
  const { runId, subject, ends } = run;
  const answered: NewEvent = { type: `gate.${is}`, phase: "review", payload: { gate: gate.gate, ...note }, actor: by };
  const shown = showGate(subject, { ...gate, standing: { is, by: by.login, at, ...note } });
  return {
    // The job for the deadline: nothing else of a run that waits is in the queue.
    cancelJobsOfRuns: [runId],
    appends: [{ runId, expectedVersion: run.version, events: [answered] }],
    effects: [{ runId, headSha: ends.headSha, effects: [shown, sayOnCheck(run, gate.gate)] }],
    jobs: [
      { kind: "review", key: subjectKey(subject), payload: { runId, subject }, runId, runAt: at },
      applyEffects(subject, at),
    ],
  };
}

/** The gate that a person means: by its id, or the only one that is open. */
export function findGate(gates: readonly Gate[], written: string | undefined): Gate | Refusal {
  const open = gates.filter(isOpenGate);
  const ids = open.map(({ gate }) => gate);
  if (written === undefined) {
    const [only] = open;
    if (!only) return { reason: "no_gate" };
    return open.length === 1 ? only : { reason: "which_gate", open: ids };
  }
  return gates.find(({ gate }) => gate === written) ?? { reason: "unknown_gate", written, open: ids };
}

/** Why a gate cannot be answered any more: it was, its time is over, or it was asked about something else than what is there now (GH-14a). */
export function whyClosed(
  gate: Gate,
  { head, at, isCurrent }: { readonly head: string; readonly at: string; readonly isCurrent: boolean },
): Refusal | undefined {
  const { headSha, deadline, standing, gate: id } = gate;
  if (standing.is !== "open") return { reason: "gate_closed", gate: id, standing, headSha, head };
  if (headSha !== head) return { reason: "gate_closed", gate: id, standing: { is: "voided", at }, headSha, head };
  const isLate = Date.parse(deadline) <= Date.parse(at);
  if (isLate) return { reason: "gate_closed", gate: id, standing: { is: "timed_out", at: deadline }, headSha, head };
  return isCurrent ? undefined : { reason: "gate_closed", gate: id, standing: { is: "voided", at }, headSha, head };
}
