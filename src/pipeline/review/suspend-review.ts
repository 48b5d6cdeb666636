import { GATE_TIMEOUT_MS, type Gate, type GateQuestion, type GateRequest } from "../../domain/gates.ts";
import type { ReviewSuspended } from "../../domain/inputs.ts";
import type { NewJob } from "../../domain/jobs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { applyEffects, type Decision, ignore, NOTHING, type SubjectView } from "../runs/decision.ts";
import { mayAsk } from "../runs/definition.ts";
import { showGate } from "../runs/gates/show-gate.ts";
import { sayOnCheck } from "./say-on-check.ts";

/**
 * The work on a run cannot go on without a person (LOOP-15, SAFE-3): the question becomes a gate, and the run waits, without a worker, for
 * its answer or its deadline.
 */
export function suspendReview(view: SubjectView, { question, needs, at }: ReviewSuspended): Decision {
  const run = view.addressed;
  if (run?.status !== "running") return ignore("the run has ended");
  if (!mayAsk("review", "review", question.type)) return ignore("no review asks that");
  const known = run.gates?.find((gate) => gate.standing.is !== "voided" && isSame(gate.question, question));
  if (known) return ignore(`${known.gate} asks that already`);
  const { runId, subject, ends } = run;
  const { headSha } = ends;
  const deadline = new Date(Date.parse(at) + GATE_TIMEOUT_MS[question.type]).toISOString();
  const requested: GateRequest = { gate: nextGateId(view.gates ?? []), question, headSha, deadline, needs };
  const of = subjectKey(subject);
  const inTime: NewJob = { kind: "review", key: of, payload: { runId, subject }, runId, runAt: deadline };
  return {
    ...NOTHING,
    appends: [
      {
        runId,
        expectedVersion: run.version,
        events: [{ type: "gate.requested", phase: "review", payload: requested }],
      },
    ],
    effects: [
      {
        runId,
        headSha,
        effects: [
          showGate(subject, { ...requested, runId, standing: { is: "open" } }),
          sayOnCheck(run, requested.gate, requested),
        ],
      },
    ],
    jobs: [applyEffects(subject, at), inTime],
  };
}

function isSame(one: GateQuestion, other: GateQuestion): boolean {
  if (one.type !== "tool_call" || other.type !== "tool_call") return one.type === other.type;
  return one.agentId === other.agentId && one.step === other.step && one.callId === other.callId;
}

/** The next free id of a gate on the subject. */
export function nextGateId(gates: readonly Gate[]): string {
  return `G-${1 + gates.reduce((most, { gate }) => Math.max(most, Number(gate.slice(2))), 0)}`;
}
