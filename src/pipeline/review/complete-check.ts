import { type Effect, effectKey } from "../../domain/effects.ts";
import { subjectKey } from "../../domain/subjects.ts";
import type { RunState } from "./run-state.ts";

type CompleteCheck = Extract<Effect, { kind: "check.complete" }>;

/** Of which check it is follows from the run; what the check says does not. */
type CheckResult = Omit<CompleteCheck["payload"], "check" | "headSha" | "openKey">;

/** Closes the check that a run opened on its head (GH-11). */
export function completeCheck(
  { subject, headSha, request }: Pick<RunState, "subject" | "request"> & { readonly headSha: string },
  result: CheckResult,
): CompleteCheck {
  const key = (kind: "check.open" | "check.complete") => effectKey(kind, subjectKey(subject), headSha, request.id);
  return {
    kind: "check.complete",
    key: key("check.complete"),
    payload: { check: "forge/review", headSha, openKey: key("check.open"), ...result },
  };
}
