import type { NewEvent } from "../../../domain/events.ts";
import { type Gate, isOpenGate } from "../../../domain/gates.ts";
import type { Input } from "../../../domain/inputs.ts";
import { applyEffects, both, type Decision, NOTHING, type SubjectView } from "../decision.ts";
import { showGate } from "./show-gate.ts";

const ENDS: ReadonlySet<string> = new Set(["run.completed", "run.failed", "run.cancelled", "run.stopped"]);

/** Whatever ends or stops a run that waits voids its gates, and their comments say so: an answer would answer nothing (GH-14a). */
export function withVoidedGates(view: SubjectView, input: Input, decision: Decision): Decision {
  const runs = [view.active, view.addressed, view.latest].filter((run) => run !== undefined);
  let shown: Decision | undefined;
  const appends = decision.appends.map((append) => {
    const end = append.events.findIndex(({ type }) => ENDS.has(type));
    const run = end === -1 ? undefined : runs.find(({ runId }) => runId === append.runId);
    const open = (run?.gates ?? []).filter(isOpenGate);
    if (!run || open.length === 0) return append;
    const byHead = byHeadOf(append.events[end]);
    const voided = open.map(({ gate }): NewEvent => {
      return { type: "gate.voided", phase: "review", payload: { gate, ...byHead } };
    });
    // Nothing can be written any more where the repository is gone.
    if (input.type !== "subject.gone") {
      const standing: Gate["standing"] = { is: "voided", at: input.at, ...byHead };
      const effects = open.map((gate) => showGate(run.subject, { ...gate, standing }));
      const show = { runId: run.runId, headSha: run.ends.headSha, effects };
      const jobs = [applyEffects(run.subject, input.at)];
      // A stopped run keeps its jobs otherwise, and the one for the deadline is for nothing now.
      const cancelJobsOfRuns = append.events[end]?.type === "run.stopped" ? [run.runId] : [];
      shown = both(shown ?? NOTHING, { ...NOTHING, effects: [show], jobs, cancelJobsOfRuns });
    }
    return { ...append, events: [...append.events.slice(0, end), ...voided, ...append.events.slice(end)] };
  });
  const voided = { ...decision, appends };
  return shown ? both(voided, shown) : voided;
}

function byHeadOf(event: NewEvent | undefined): { readonly byHead?: string } {
  return event?.type === "run.cancelled" && event.payload.byHead ? { byHead: event.payload.byHead } : {};
}
