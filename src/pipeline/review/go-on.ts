import type { NewEvent } from "../../domain/events.ts";
import { type Gate, isOpenGate } from "../../domain/gates.ts";
import type { ReviewObserved } from "../../domain/inputs.ts";
import { applyEffects, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import { showGate } from "../runs/gates/show-gate.ts";
import type { RunningRun } from "./run-state.ts";
import { sayOnCheck } from "./say-on-check.ts";

/**
 * A worker takes a run up: it goes on when none of its gates is open. One whose time is over counts as rejected (SAFE-3: fails closed); with
 * one that has time left the run goes on waiting.
 */
export function goOnUnlessWaiting(run: RunningRun, { attempt, at }: ReviewObserved): Decision {
  const { runId, subject, ends } = run;
  const open = (run.gates ?? []).filter(isOpenGate);
  const late = open.filter(({ deadline }) => Date.parse(deadline) <= Date.parse(at));
  const left = open.filter((gate) => !late.includes(gate));
  if (open.length > 0 && late.length === 0) return ignore(`it waits for ${left.map(({ gate }) => gate).join(", ")}`);
  const events: NewEvent[] = late.map(({ gate }) => ({ type: "gate.timeout", phase: "review", payload: { gate } }));
  const resumed = { attempt, reason: reasonOf(run.gates ?? [], late) };
  if (left.length === 0) events.push({ type: "run.resumed", phase: "review", payload: resumed });
  const shown = late.flatMap((gate) => [
    showGate(subject, { ...gate, standing: { is: "timed_out", at } }),
    sayOnCheck(run, gate.gate),
  ]);
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: run.version, events }],
    effects: shown.length > 0 ? [{ runId, headSha: ends.headSha, effects: shown }] : [],
    jobs: shown.length > 0 ? [applyEffects(subject, at)] : [],
  };
}

function reasonOf(gates: readonly Gate[], late: readonly Gate[]): string {
  const [first] = late;
  if (first) return `nobody answered ${first.gate} in time`;
  const last = gates.at(-1);
  if (last?.standing.is === "approved" || last?.standing.is === "rejected") {
    return `${last.gate} was ${last.standing.is} by ${last.standing.by}`;
  }
  return "the work was interrupted and begins again";
}
