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
    `Forge lets ${what}: each commit that it brings was reviewed on the head that was merged, nothing in it blocks, and its tests passed.`,
  rejected: (what) => `Forge does not let ${what}:`,
  waits: (what) => `Forge does not let ${what} yet, and goes on looking:`,
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
const AGAIN = "To deploy it anyway: run the jobs again, which then wait for an administrator to start them.";
/** Commits that a reason names. */
const COMMITS_NAMED = 3;

const WORDS: Readonly<Record<RuleReason["why"], (pulls: string) => string>> = {
  not_merged: () => "The commit is not on the default branch.",
  older: () => "A newer version runs there.",
  blocking: (pulls) => `Findings that block were open when it was merged: ${pulls}.`,
  changes_requested: (pulls) => `The review asked for changes: ${pulls}.`,
  tests_failed: (pulls) => `Tests failed: ${pulls}.`,
  other_commit: () => "The run is of another commit than the one that was asked about.",
  fork: () => "The run comes from another repository.",
  gone: () => "The commit, or the default branch, is not there.",
  held: () => "The environment is held. `/forge release` lifts that.",
  not_asked: () => "Forge deploys there itself, and has not been asked for this: `/forge deploy` does.",
  run_again: () => "A person ran it again, and Forge lets each run deploy once. `/forge deploy` begins it again.",
  not_reviewed: (pulls) => `Forge has not reviewed ${pulls}. ${BY_HAND}`,
  direct: () => `There are commits that came by no pull request, so nobody reviewed them. ${BY_HAND}`,
  too_many: () => `It brings more than Forge looks through at once. ${BY_HAND}`,
  risk: (pulls) => `The risk is high, or not known: ${pulls}. ${BY_HAND}`,
  asking: () => "The deployment is not at this step: a person may have to say yes first.",
  not_covered: () => `These were not looked at as they were merged. ${AGAIN}`,
  on_its_way: () => "These are being looked at.",
  no_beginning: () =>
    `Forge knows of no run of this workflow that it can verify to have deployed there, so all of it counts as new. ${BY_HAND} Forge goes on from that run.`,
  unavailable: () => `Forge could not look, and lets nothing through because of that. ${BY_HAND}`,
};
