import type { DeployStanding } from "../../../domain/deployments.ts";
import { cut, foreignCode, shortSha, type Wording } from "../wording.ts";
import { broughtFacts, changesTable } from "./changes-text.ts";
import { named } from "./deploy-refusals.ts";
import { endSentence } from "./deployment-text.ts";
import { verdictTable } from "./verdict-text.ts";

const MAXIMUM_TITLE = 120;

/** The pull request that takes a change back after a rollback. `pull`: what is taken back. */
export function revertText(
  standing: DeployStanding,
  pull: number,
  wording: Wording,
): { readonly title: string; readonly body: string } {
  const { sha, environment, runId } = standing;
  return {
    title: cut(`Revert #${pull}, which was rolled back in ${environment}`, MAXIMUM_TITLE),
    body: [
      `This takes back #${pull}. Without it the next merge brings \`${shortSha(sha)}\` to ${environment} again.`,
      endSentence(standing, wording),
      ...numbers(standing, wording),
      `Merge it, or mend the fault on the default branch and close this. ${named(environment)} is held until somebody says \`/forge release ${environment}\``,
      `Run ${foreignCode(runId, wording)}`,
    ].join("\n\n"),
  };
}

/** The issue about a rollback, with the evidence. */
export function rollbackIssueText(
  standing: DeployStanding,
  wording: Wording,
): { readonly title: string; readonly body: string } {
  const { sha, previous, environment, runId, end } = standing;
  const failed = end?.outcome === "rollback_failed";
  const changes = changesTable(standing, wording);
  return {
    title: failed
      ? `The rollback of ${environment} from ${shortSha(sha)} failed`
      : `${shortSha(sha)} was rolled back in ${environment}`,
    body: [
      endSentence(standing, wording),
      ...numbers(standing, wording),
      `It brought ${broughtFacts(standing)}${previous === undefined ? "" : ` since \`${shortSha(previous)}\``}.`,
      ...changes,
      `To have the fault found and mended: \`/forge implement\` here. ${named(environment)} is held; to deploy there again: \`/forge release ${environment}\``,
      `Run ${foreignCode(runId, wording)}`,
    ].join("\n\n"),
  };
}

/** What the judge read of the version that went. */
function numbers({ steps }: DeployStanding, wording: Wording): string[] {
  const judged = steps.findLast(({ task, verdict }) => task === "deploy" && verdict !== undefined);
  if (!judged?.verdict) return [];
  const table = verdictTable(judged.verdict, wording);
  return table.length === 0 ? [] : [`Measured at ${judged.percentage} % of the traffic:`, ...table];
}
