import { type Effect, effectKey } from "../../../domain/effects.ts";
import type { Explanation } from "../../../domain/explanations.ts";
import type { DeployExplained } from "../../../domain/inputs.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { type Decision, ignore } from "../../runs/decision.ts";
import type { Observed } from "../deployment.ts";
import { moved } from "../move.ts";
import { plannedShares } from "../steps.ts";
import { rollbackIssue } from "../taken-back.ts";
import type { EnvironmentView } from "../view.ts";
import { isToExplain } from "./moment.ts";
import { isWithinPolicy } from "./within-policy.ts";

/** A model's words go to where people read of the verdict, and to nothing that decides. */
export function decideExplained(
  { addressed: run, facts }: Pick<EnvironmentView, "addressed" | "facts">,
  { explanation, at }: DeployExplained,
): Decision {
  if (!isToExplain(run, explanation.of)) return ignore("another verdict counts by now, or this one was explained");
  const payload = withinPolicy(run, explanation);
  // An issue that is opened later has them in its text.
  const openKey = run.endedAt === undefined ? undefined : rollbackIssue(run);
  const key = effectKey("issue.explain", subjectKey(run.subject), run.deploy.sha, run.runId);
  const late: Effect[] =
    openKey === undefined ? [] : [{ kind: "issue.explain", key, payload: { openKey, explanation: payload } }];
  const events = [{ type: "deployment.explained" as const, payload }];
  return moved(run, facts.version, { events, effects: late }, at);
}

/** What a model proposes beyond the policy is dropped: nobody reads it as something that could be done. */
function withinPolicy(run: Observed, { shares, ...explanation }: Explanation): Explanation {
  const isAllowed =
    shares !== undefined && explanation.of.is === "proposed" && isWithinPolicy(shares, plannedShares(run));
  return isAllowed ? { ...explanation, shares } : explanation;
}
