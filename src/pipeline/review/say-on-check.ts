import { type Effect, effectKey } from "../../domain/effects.ts";
import type { Gate, GateRequest } from "../../domain/gates.ts";
import { subjectKey } from "../../domain/subjects.ts";
import type { ActiveRun } from "./run-state.ts";

/** Says on the check of a run that it waits at a gate, or, without `request`, that it goes on after it. */
export function sayOnCheck(run: ActiveRun, gate: Gate["gate"], request?: GateRequest): Effect {
  const { subject, ends, request: asked } = run;
  const key = (kind: "check.open" | "check.wait", about?: string) =>
    effectKey(kind, subjectKey(subject), ends.headSha, asked.id, about);
  const about = request ? gate : `${gate}.over`;
  return {
    kind: "check.wait",
    key: key("check.wait", about),
    payload: {
      check: "forge/review",
      headSha: ends.headSha,
      openKey: key("check.open"),
      ...(request ? { request } : {}),
    },
  };
}
