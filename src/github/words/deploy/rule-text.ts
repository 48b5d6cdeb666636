import type { RuleAnswer, RuleReason, RuleRequest } from "../../../domain/protection.ts";
import { cut, foreignCode, shortSha, type Wording } from "../wording.ts";
import { shortLack } from "./coverage-text.ts";

/** GitHub takes so many characters. */
const LONGEST = 1_024;
/** Pull requests that a reason names at most. */
const NAMED = 10;

/** The comment of an answer as the rule of an environment, or of a report: at most 1,024 characters of Markdown. */
export function ruleText(
  { asked, answer }: { readonly asked: RuleRequest; readonly answer: RuleAnswer },
  wording: Wording,
): string {
  const what = `\`${shortSha(asked.sha)}\` be deployed to ${foreignCode(cut(asked.environment, 60), wording)}`;
  const because = answer.reasons.map((reason) => `- ${sentence(reason, wording)}`).join("\n");
  return cut([`${HEADS[answer.is](what)}`, because].filter(Boolean).join("\n\n"), LONGEST);
}

const HEADS: Readonly<Record<RuleAnswer["is"], (what: string) => string>> = {
  approved: (what) =>
    `Forge lets ${what}: each commit that it brings was reviewed and tested on the head that was merged, and nothing is left that blocks.`,
  rejected: (what) => `Forge does not let ${what}:`,
  waits: (what) => `Forge does not let ${what} yet. It keeps looking:`,
};

function sentence({ why, pulls = [], landings = [] }: RuleReason, wording: Wording): string {
  if (landings.length > 0) {
    const shown = landings.slice(0, COMMITS_NAMED).map((one) => `\n  - ${shortLack(one, wording)}`);
    const rest = landings.length > shown.length ? `\n  - and ${landings.length - shown.length} more` : "";
    return `${WORDS[why]("")}${shown.join("")}${rest}`;
  }
  const more = pulls.length > NAMED ? ` and ${pulls.length - NAMED} more` : "";
  return WORDS[why](
    `${pulls
      .slice(0, NAMED)
      .map((number) => `#${number}`)
      .join(", ")}${more}`,
  );
}

const BY_HAND = "An administrator can start the waiting jobs.";
const AGAIN = "To deploy it anyway, run the jobs again: they then wait until an administrator starts them.";
/** Commits that a reason names. */
const COMMITS_NAMED = 3;

const WORDS: Readonly<Record<RuleReason["why"], (pulls: string) => string>> = {
  not_merged: () => "The commit is not on the default branch.",
  older: () => "A newer version runs there.",
  blocking: (pulls) => `Findings that block were open when it was merged: ${pulls}.`,
  changes_requested: (pulls) => `The review asked for changes: ${pulls}.`,
  tests_failed: (pulls) => `Tests failed: ${pulls}.`,
  other_commit: () => "The run is on another commit than the one that GitHub asks about.",
  fork: () => "The run comes from another repository.",
  gone: () => "The commit or the default branch no longer exists.",
  held: () => "The environment is held. To lift the hold: `/forge release <environment>`.",
  not_asked: () => "Forge deploys there itself, and did not start this run. To deploy: `/forge deploy <environment>`.",
  run_again: () =>
    "A person ran it again, but Forge lets each run deploy once. To deploy again: `/forge deploy <environment>`.",
  not_reviewed: (pulls) => `Forge has not reviewed ${pulls}. ${BY_HAND}`,
  direct: () => `Some commits came by no pull request, so nobody reviewed them. ${BY_HAND}`,
  too_many: () => `It brings more commits than Forge looks through at once. ${BY_HAND}`,
  risk: (pulls) => `The risk is high, or not known: ${pulls}. ${BY_HAND}`,
  asking: () => "The deployment has not reached this step. A person may have to approve it first.",
  not_covered: () => `These commits were not reviewed and tested as they were merged. ${AGAIN}`,
  on_its_way: () => "Reviews or tests of these commits are under way.",
  no_beginning: () =>
    `Forge knows no verified run of this workflow that deployed there, so all of it counts as new. ${BY_HAND} From then on, that run is what Forge compares with.`,
  unavailable: () => `Forge could not check this, so it lets nothing through. ${BY_HAND}`,
};
