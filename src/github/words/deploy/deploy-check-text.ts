import type { DeployOutcome, DeployStanding } from "../../../domain/deployments.ts";
import { cut, moment, shortSha, type Wording } from "../wording.ts";
import { deploymentText, hadNoEarlier } from "./deployment-text.ts";

/** Characters of a title that GitHub's list of checks shows. */
const MAXIMUM_TITLE = 80;
const MAXIMUM_SUMMARY_BYTES = 65_535;

/** The check `forge/deploy` on the commit: its line in the list, and the whole standing. */
export function deployCheckText(standing: DeployStanding, wording: Wording): { title: string; summary: string } {
  const summary = deploymentText(standing, wording);
  const fits = Buffer.byteLength(summary) <= MAXIMUM_SUMMARY_BYTES;
  return {
    title: cut(titleOf(standing), MAXIMUM_TITLE),
    summary: fits ? summary : deploymentText({ ...standing, changes: [] }, wording),
  };
}

function titleOf(standing: DeployStanding): string {
  const { environment, end, back, steps, gate, is, overridden } = standing;
  if (end && overridden) return `Overridden: ${titleOf({ ...standing, overridden: undefined })}`;
  if (end && hadNoEarlier(standing)) return `No earlier version to go back to in ${environment}: a person has to act`;
  if (end) return ENDS[end.outcome](environment, back?.to);
  switch (is) {
    case "asking":
      return `Waiting for a person's yes to deploy to ${environment}${gate ? ` (${gate.gate})` : ""}`;
    case "announced":
      return `To ${environment} at ${moment(standing.until ?? "")}, unless someone objects`;
    case "going_back":
      return `Rolling ${environment} back${back?.to === undefined ? "" : ` to ${shortSha(back.to)}`}`;
    case "watching":
      return `In ${environment}, watched`;
    case "deploying":
    case "baking":
      return `${is === "baking" ? "Watching" : "Deploying"} ${steps.at(-1)?.percentage ?? 100} % of ${environment}`;
    case "verifying":
      return `Before the deployment to ${environment}: build and tests`;
    case "looking":
      return `Before the deployment to ${environment}: looking`;
    case "ended":
      return `The deployment to ${environment} has ended`;
  }
}

type Title = (environment: string, to: string | undefined) => string;
const ENDS: Readonly<Record<DeployOutcome, Title>> = {
  healthy: (environment) => `Healthy in ${environment}`,
  unwatched: (environment) => `In ${environment}; its health is unknown`,
  degraded: (environment) => `In ${environment}, and worse than before`,
  rolled_back: (environment, to) => `Rolled back in ${environment}${to === undefined ? "" : ` to ${shortSha(to)}`}`,
  rollback_failed: (environment) => `The rollback of ${environment} failed: a person has to act`,
  refused: (environment) => `Not deployed to ${environment}: refused`,
  failed: (environment) => `Not deployed to ${environment}: failed`,
  rejected: (environment) => `Not deployed to ${environment}: rejected`,
  superseded: (environment) => `Not deployed to ${environment}: a later version took its place`,
  held: (environment) => `Not deployed to ${environment}: someone objected`,
};
