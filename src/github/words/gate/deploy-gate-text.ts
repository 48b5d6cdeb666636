import { DEPLOYS_FROM, type DeployQuestion, needsOther } from "../../../domain/deployments.ts";
import type { Gate } from "../../../domain/gates.ts";
import { changesTable } from "../deploy/changes-text.ts";
import { coverageLines, uncoveredHeadline, yesTo } from "../deploy/coverage-text.ts";
import { metricName } from "../deploy/verdict-text.ts";
import { foreignCode, foreignLine, moment, shortSha, type Wording, withFullStop } from "../wording.ts";

/** What is asked of a person before a version goes where users are (DEP-1, SAFE-3). */
export function deployGateText({ gate, deadline }: Gate, question: DeployQuestion, wording: Wording): string {
  const { environment, sha, facts } = question;
  const missing = uncoveredHeadline(facts.coverage);
  return [
    `**May \`${shortSha(sha)}\` be deployed to ${environment}?** (${gate}, until ${moment(deadline)})\nTo have exactly this commit deployed in these steps: \`${yesTo(gate, facts.coverage)}\`. To leave it: \`/forge reject ${gate} <reason>\``,
    ...(missing === undefined
      ? []
      : [
          `**Not covered**: ${missing}. A yes needs a reason, which is recorded and shown; nothing is learned from it.`,
        ]),
    ...levelLine(question),
    ...coverageLines(facts.coverage, environment, wording),
    ...deployPlan(question, wording),
    ...changesTable(facts, wording),
    `Who may answer: maintain permission${needsOther(facts) ? "; the person who requested it or wrote all of it, only where the repository does not separate duties" : ""}. Without an answer in time it is not deployed.`,
  ].join("\n\n");
}

/** Why it is asked at all, where the environment by itself would not ask (SAFE-4). */
function levelLine({ level, environment }: DeployQuestion): string[] {
  if (level === undefined) return [];
  return [
    `At level ${level} a person decides whether a merge goes to ${environment}; from level ${DEPLOYS_FROM} on Forge deploys it by itself, two hours after it said so. \`/forge level\``,
  ];
}

/** The person who answers has to know that nothing could be run. */
function testsLine({ verified }: DeployQuestion, wording: Wording): string[] {
  if (!verified) return [];
  const said = withFullStop(foreignLine(verified.summary, wording));
  return [
    verified.is === "skipped"
      ? `- **Tests** of this commit were not run: ${said}`
      : `- **Tests** of this commit: ${said}`,
  ];
}

/** The commit, its tests, the steps, what is watched, and how it goes back. */
export function deployPlan(question: DeployQuestion, wording: Wording): string[] {
  const { facts, steps, back, watched, sha } = question;
  const { previous, risk, migrations } = facts;
  const since =
    previous === undefined
      ? "the first that Forge deploys there, as far as it knows"
      : `in place of \`${shortSha(previous)}\``;
  const strategy =
    steps.length === 1 ? "at once" : `to ${steps.map((share) => `${share} %`).join(", ")} of the traffic`;
  const judged =
    previous === undefined && watched.some((metric) => metric !== "health")
      ? `there is no version before it to compare it with, so a step with an unknown result waits for \`/forge promote ${question.environment}\``
      : steps.length === 1
        ? "then it is watched and judged"
        : "after each step it is judged, and goes on only where it is as good as before";
  const seen = watched.map((metric) => metricName(metric, wording)).join("; ");
  const shown = migrations.slice(0, 5).map((path) => foreignCode(path, wording));
  const others = migrations.length - shown.length;
  return [
    [
      `- **Commit** ${foreignCode(sha, wording)}, ${since}; ${risk ?? "unknown"} risk`,
      ...testsLine(question, wording),
      `- **Goes** ${strategy}; ${judged}`,
      `- **Watched** ${seen === "" ? "nothing: no source is configured, so Forge cannot tell whether it is healthy" : seen}`,
      `- **Goes back** ${back === undefined ? "to nothing: there is no earlier version, so a person would have to act" : `to \`${shortSha(back)}\`, by itself where it is worse twice, or by \`/forge rollback ${question.environment}\``}`,
      ...(shown.length === 0
        ? []
        : [
            `- **Changes the form of a database**: ${shown.join(", ")}${others > 0 ? ` and ${others} more` : ""}. Going back brings no data back.`,
          ]),
    ].join("\n"),
  ];
}
