import { defined } from "../../domain/defined.ts";
import type { DeployStanding } from "../../domain/deployments.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import { subjectKey } from "../../domain/subjects.ts";
import type { Decision } from "../runs/decision.ts";
import { type Deployment, onlyPull } from "./deployment.ts";

/**
 * What was taken back by itself is taken out of the default branch too, so that the next merge does not bring it again, and an issue has the
 * evidence (DEP-1). A person who went back on purpose knows why.
 */
export function takenBack(
  { runId, subject, deploy, observed, end }: Deployment,
  standing: DeployStanding,
): Decision["effects"] {
  const issueKey = rollbackIssue({ runId, subject, deploy, observed, end });
  if (issueKey === undefined || !observed) return [];
  const { sha } = deploy;
  const { ref } = observed.facts;
  const only = onlyPull({ observed });
  // Of several pull requests, or commits without one, all go back together: which of them it was is not known. One by itself goes back in the
  // same way where GitHub cannot revert it.
  const isAll = only === undefined || observed.back === observed.facts.previous;
  const to = isAll && observed.back !== sha ? observed.back : undefined;
  const revert: Effect = {
    kind: "revert.open",
    key: effectKey("revert.open", subjectKey(subject), sha, runId),
    payload: { sha, baseRef: ref, standing, ...defined({ pull: only, to }) },
  };
  const issue: Effect = {
    kind: "issue.open",
    key: issueKey,
    payload: { evidence: { of: "rollback", standing } },
  };
  return [{ runId, headSha: sha, effects: [issue, ...(only === undefined && to === undefined ? [] : [revert])] }];
}

/** The key of the effect that opens the issue with the evidence of a rollback; undefined where a deployment has none. */
export function rollbackIssue({
  runId,
  subject,
  deploy,
  observed,
  end,
}: Pick<Deployment, "runId" | "subject" | "deploy" | "observed" | "end">): string | undefined {
  const isBack = end?.outcome === "rolled_back" || end?.outcome === "rollback_failed";
  if (!isBack || deploy.cause === "rollback" || !observed) return undefined;
  return effectKey("issue.open", subjectKey(subject), deploy.sha, runId);
}
