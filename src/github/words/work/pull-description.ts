import type { PullDescription } from "../../../domain/implementation-status.ts";
import { redactBeginning } from "../../../safety/redact-beginning.ts";
import { visibleText } from "../../../safety/visible-text.ts";
import { coveredShare, failedCount, missedLines, passedCount } from "../check/tested-facts.ts";
import {
  count,
  cut,
  fitting,
  folded,
  foreign,
  foreignCode,
  foreignLine,
  listed,
  shortSha,
  usd,
  type Wording,
  withFullStop,
} from "../wording.ts";
import { chosen, taskLines, tasksInFull } from "./plan-text.ts";

const MAXIMUM_TITLE = 80;
/** Commits that are listed. */
const MAXIMUM_COMMITS = 30;

/**
 * "feat: rate-limit the login endpoint", at most 80 characters. It becomes the subject of a squashed commit, where a reference could close
 * another issue and a mention notify users: both lose their mark.
 */
export function pullTitle({ plan }: Pick<PullDescription, "plan">, wording: Wording): string {
  const plain = visibleText(redactBeginning(plan.title, wording.redact))
    .replace(/\s+/g, " ")
    .replace(/https?:\/\//gi, "")
    .replace(/\bGH-(?=\d)/gi, "GH ")
    .replace(/#(?=\d)|@(?=\w)/g, "")
    .trim();
  // An acronym keeps its capitals.
  const title = /^[A-Z][a-z]/.test(plain) ? `${plain[0]!.toLowerCase()}${plain.slice(1)}` : plain;
  return cut(`${plan.kind}: ${title}`, MAXIMUM_TITLE);
}

/** What the pull request says: what and why, how it was tested, what was left out, the plan, and what it closes. */
export function pullDescriptionText(description: PullDescription, wording: Wording): string {
  return fitting(
    () => text(description, wording, [tasksInFull(description.plan, wording), commits(description, wording)]),
    () => text(description, wording, [commits(description, wording)]),
    () => [heading(description, wording), lastLine(description, wording)].join("\n\n"),
  );
}

function text(description: PullDescription, wording: Wording, folds: readonly string[]): string {
  const { plan, notDone } = description;
  return [
    heading(description, wording),
    `**Why**: ${foreign(plan.summary, wording, 1_500)}`,
    `**What is done**:\n${taskLines(plan.tasks, wording)}`,
    ...listed("**Done when**", plan.acceptance_criteria, wording),
    ...listed("**Constraints of the issue**:", plan.constraints, wording),
    ...chosen(plan, wording),
    tested(description, wording),
    reviewed(description),
    ...fixes(description, wording),
    ...listed("**Left out of the plan**:", [...new Set(notDone)], wording),
    ...listed("**Not included**:", plan.not_included, wording),
    ...folds,
    lastLine(description, wording),
  ].join("\n\n");
}

/** What is so, and what to do. The closing keyword is ours, and the only one that GitHub may read in this text. */
function heading({ issue, faultIn, tests, review }: PullDescription, _wording: Wording): string {
  const next =
    tests && review
      ? "Review it like any other change: what a review requests is worked on."
      : "**Draft**: its review and tests are to come. Nothing to do yet.";
  const what = faultIn
    ? `For #${issue}, which stays open until the fix is released to ${faultIn} and the error stops`
    : `Closes #${issue}`;
  return `${what}. ${next}`;
}

const SELECTED = {
  affected: "those that the change affects",
  integration: "those that the change affects, with integration tests",
  full: "all of them",
} as const;

function tested({ tests, testedByCi = [] }: PullDescription, wording: Wording): string {
  if (!tests) return "**Tested**: not yet.";
  if (tests.outcome === "not_run") {
    const why = withFullStop(foreignLine(tests.reason ?? "no reason was given", wording));
    if (testedByCi.length === 0) return `**Not tested**: ${why}`;
    const names = testedByCi.map((name) => foreignCode(name, wording)).join(", ");
    return `**Tested** by the project's own CI: ${names} passed. Not by Forge: ${why}`;
  }
  const { files, runner, selection, coverage, flaky } = tests;
  const result = tests.outcome === "passed" ? passedCount(tests) : failedCount(tests);
  const by = runner === undefined ? "" : ` by ${foreignCode(runner, wording)}`;
  const which = selection === undefined ? "" : `, ${SELECTED[selection]}`;
  const share = coveredShare(tests);
  const missed = coverage && missedLines(coverage, wording);
  return [
    `**Tested**: ${result} in ${count(files, "file")}${by}${which}.`,
    ...(share === undefined
      ? []
      : [`${share} of the changed lines are covered${missed ? `; not reached: ${missed}` : ""}.`]),
    ...(flaky.length > 0 ? [`${count(flaky.length, "test")} failed once and passed when repeated.`] : []),
  ].join(" ");
}

function reviewed({ review }: PullDescription): string {
  if (!review) return "**Reviewed**: not yet.";
  const { blocking, advisory, rounds } = review;
  const found = blocking > 0 ? `${count(blocking, "blocking finding")} open` : "no blocking finding";
  const more = advisory > 0 ? `, ${count(advisory, "advisory one")}` : "";
  return `**Reviewed** by Forge itself in ${count(rounds, "round")}: ${found}${more}. The check \`forge/review\` says the rest.`;
}

/** What the review would have committed and the implementer did not. */
function fixes({ fixesLeft = [] }: PullDescription, wording: Wording): string[] {
  const items = fixesLeft.map(({ id, message, why }) => {
    const because = why === undefined ? "the rounds for the review were used up" : why;
    return `${id}, ${message} Not applied: ${because}`;
  });
  return listed("**Suggested by the review and not applied**:", items, wording);
}

function commits({ commits: all }: PullDescription, wording: Wording): string {
  const lines = all
    .slice(0, MAXIMUM_COMMITS)
    .map(({ sha, subject }) => `- \`${shortSha(sha)}\` ${foreignLine(subject, wording, { maximum: 120 })}`);
  const rest = all.length - lines.length;
  return folded(
    count(all.length, "commit"),
    [...lines, ...(rest > 0 ? [`- and ${count(rest, "more commit")}`] : [])].join("\n"),
  );
}

function lastLine({ requestedBy, issue, plan, costUsd }: PullDescription, wording: Wording): string {
  return `Risk ${plan.risk.level}, as planned · ${usd(costUsd)} · requested by ${foreignCode(requestedBy, wording)} in #${issue}`;
}
