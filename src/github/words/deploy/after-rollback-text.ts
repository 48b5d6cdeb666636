import type { DeployStanding } from "../../../domain/deployments.ts";
import { cut, foreignCode, shortSha, type Wording } from "../wording.ts";
import { broughtFacts, changesTable } from "./changes-text.ts";
import { named } from "./deploy-refusals.ts";
import { endSentence, hadNoEarlier } from "./deployment-text.ts";
import { explainedText } from "./explained-text.ts";
import { verdictTable } from "./verdict-text.ts";

const MAXIMUM_TITLE = 120;

/** What is taken back: a pull request where that is one, and files of it that later commits changed too. */
interface TakenBack {
  readonly pull?: number | undefined;
  readonly touched: readonly string[];
}

/** The pull request that takes a change back after a rollback. */
export function revertText(
  standing: DeployStanding,
  { pull, touched }: TakenBack,
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
      `This pull request takes back ${all}.\nMerge it, or fix the fault on the default branch and close this pull request. Otherwise the next deployment brings the fault to ${environment} again.`,
      ...(pull === undefined
        ? [
            "It is not known which of them is at fault. Later changes stay. After the fault is found, revert this pull request and fix the faulty change: that brings the others back.",
            ...changesTable(standing, wording),
          ]
        : []),
      ...touchedText(touched, wording),
      endSentence(standing, wording),
      ...numbers(standing, wording),
      `${named(environment)} is held. To deploy there again: \`/forge release ${environment}\` (maintain permission)`,
      `Run ${foreignCode(runId, wording)}`,
    ].join("\n\n"),
  };
}

const FILES_NAMED = 20;

/** Where GitHub may show a conflict, and how to solve it. */
function touchedText(touched: readonly string[], wording: Wording): string[] {
  if (touched.length === 0) return [];
  const files = touched.slice(0, FILES_NAMED).map((file) => foreignCode(file, wording));
  const more = touched.length > FILES_NAMED ? [`${touched.length - FILES_NAMED} more`] : [];
  return [
    `**Later commits changed these files too**: ${[...files, ...more].join(", ")}. Where they touch the same lines, GitHub shows a conflict. Keep the later changes there, and take out only what this version brought.`,
  ];
}

/** The issue about a rollback, with the evidence. */
export function rollbackIssueText(
  standing: DeployStanding,
  wording: Wording,
): { readonly title: string; readonly body: string } {
  const { sha, previous, environment, runId, end } = standing;
  const title =
    end?.outcome !== "rollback_failed"
      ? `${shortSha(sha)} was rolled back in ${environment}`
      : hadNoEarlier(standing)
        ? `${shortSha(sha)} failed in ${environment}, which has no earlier version to go back to`
        : `The rollback of ${environment} from ${shortSha(sha)} failed`;
  const changes = changesTable(standing, wording);
  return {
    title,
    body: [
      endSentence(standing, wording),
      ...numbers(standing, wording),
      ...(standing.explained ? [explainedText(standing.explained, wording)] : []),
      `The version brought ${broughtFacts(standing)}${previous === undefined ? "" : ` since \`${shortSha(previous)}\``}.`,
      ...changes,
      takenBackBy(standing),
      `To have Forge find and fix the fault, comment \`/forge implement\` here. ${named(environment)} is held; to deploy there again: \`/forge release ${environment}\` (maintain permission)`,
      `Run ${foreignCode(runId, wording)}`,
    ].join("\n\n"),
  };
}

/** Where the pull request is that takes it back, and how to do it by hand without one. */
function takenBackBy({ sha, back, changes, more, direct }: DeployStanding): string {
  const [only] = changes;
  if (only && changes.length === 1 && more + direct === 0)
    return `Forge opens a pull request that takes #${only.number} back. If it is missing, GitHub could not create it: revert #${only.number} by hand.`;
  const to = back?.to;
  if (to === undefined) return "No pull request takes it back, because there is no earlier version to go back to.";
  const commands = [
    "git fetch origin && git switch -c take-back origin/HEAD",
    `git diff --binary ${sha} ${to} | git apply --3way --index`,
    "git commit",
  ].join("\n");
  return `Forge opens one pull request that takes all of it back. If it is missing, GitHub refused it, as it does where workflow files change. To do it by hand:\n\n\`\`\`\n${commands}\n\`\`\``;
}

/** What the judge read of the version that went. */
function numbers({ steps }: DeployStanding, wording: Wording): string[] {
  const judged = steps.findLast(({ task, verdict }) => task === "deploy" && verdict !== undefined);
  if (!judged?.verdict) return [];
  const table = verdictTable(judged.verdict, wording);
  return table.length === 0 ? [] : [`Measured at ${judged.percentage} % of the traffic:`, ...table];
}
