import type { DeployStanding } from "../../../domain/deployments.ts";
import { cut, foreignCode, shortSha, type Wording } from "../wording.ts";
import { broughtFacts, changesTable } from "./changes-text.ts";
import { named } from "./deploy-refusals.ts";
import { endSentence } from "./deployment-text.ts";
import { verdictTable } from "./verdict-text.ts";

const MAXIMUM_TITLE = 120;

/** The pull request that takes a change back after a rollback. `pull`: what is taken back, where that is one. */
export function revertText(
  standing: DeployStanding,
  pull: number | undefined,
  wording: Wording,
): { readonly title: string; readonly body: string } {
  const { sha, environment, runId, back } = standing;
  const what = pull === undefined ? broughtFacts(standing) : `#${pull}`;
  const all =
    pull === undefined
      ? `all that \`${shortSha(sha)}\` brought${back?.to === undefined ? "" : ` since \`${shortSha(back.to)}\``}: ${what}`
      : what;
  const which = pull === undefined ? "were" : "was";
  return {
    title: cut(`Revert ${what}, which ${which} rolled back in ${environment}`, MAXIMUM_TITLE),
    body: [
      `This takes back ${all}. Without it the next merge brings \`${shortSha(sha)}\` to ${environment} again.`,
      ...(pull === undefined
        ? [
            "Which of them it was is not known. What came later stays; where that changed the same lines, GitHub shows the conflict. Once the fault is found, the others come again by reverting this and mending that one.",
            ...changesTable(standing, wording),
          ]
        : []),
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
      takenBackBy(standing),
      `To have the fault found and mended: \`/forge implement\` here. ${named(environment)} is held; to deploy there again: \`/forge release ${environment}\``,
      `Run ${foreignCode(runId, wording)}`,
    ].join("\n\n"),
  };
}

/** Where the pull request is that takes it back, and how a person does it where there is none. */
function takenBackBy({ sha, back, changes, more, direct }: DeployStanding): string {
  const [only] = changes;
  if (only && changes.length === 1 && more + direct === 0)
    return `A pull request that takes #${only.number} back is opened beside this. Where there is none, GitHub could not make it: revert #${only.number} there by hand.`;
  const to = back?.to;
  if (to === undefined)
    return "No pull request takes it back: there is no earlier version that was found healthy, and so nothing to go back to.";
  const commands = [
    "git fetch origin && git switch -c take-back origin/HEAD",
    `git diff --binary ${sha} ${to} | git apply --3way --index`,
    "git commit",
  ].join("\n");
  return `One pull request that takes all of it back is opened beside this. Where there is none, GitHub refused it (as where files of workflows change); by hand:\n\n\`\`\`\n${commands}\n\`\`\``;
}

/** What the judge read of the version that went. */
function numbers({ steps }: DeployStanding, wording: Wording): string[] {
  const judged = steps.findLast(({ task, verdict }) => task === "deploy" && verdict !== undefined);
  if (!judged?.verdict) return [];
  const table = verdictTable(judged.verdict, wording);
  return table.length === 0 ? [] : [`Measured at ${judged.percentage} % of the traffic:`, ...table];
}
