import { isDeepStrictEqual } from "node:util";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { CommonInput, IssueInput } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { applyEffects, type Decision } from "../runs/decision.ts";
import { placeEvents, runOf } from "../runs/kind.ts";
import { followGuarded } from "./guards.ts";
import { statusOf } from "./status-of.ts";
import type { IssueView } from "./view.ts";

/**
 * The status comment says anew what is so, whenever that is something else than before (GH-12).
 * @throws ForgeError `guard_failed` when the decision enters a phase that may not be entered
 */
export function withStatus(
  view: IssueView,
  decision: Decision,
  { subject, at, type }: IssueInput | CommonInput,
): Decision {
  // Nothing can be written any more where the repository is gone.
  if (type === "subject.gone") return decision;
  const said = decision.appends.flatMap((append): Effect[] => {
    const { runId, expectedVersion } = append;
    const before = runOf(view, runId);
    if (!before && expectedVersion > 0) return [];
    const after = followGuarded(before, placeEvents(append, at), view.pipeline);
    if (!after) return [];
    const status = statusOf(after);
    if (before && isDeepStrictEqual(statusOf(before), status)) return [];
    const key = effectKey("issue.status", subjectKey(after.subject), "", runId, String(after.version));
    return [{ kind: "issue.status", key, payload: { status, of: after.version } }];
  });
  if (said.length === 0) return decision;
  const { runId } = decision.appends.find(({ runId: id }) => id !== subjectKey(subject)) ?? { runId: "" };
  return {
    ...decision,
    effects: [...decision.effects, { runId, headSha: "", effects: said }],
    jobs: [...decision.jobs, applyEffects(subject, at)],
  };
}
