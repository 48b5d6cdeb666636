import {
  type Coverage,
  type Lack,
  type Landing,
  lacksOf,
  type Uncovered,
  uncoveredOf,
} from "../../../domain/coverage.ts";
import type { Environment } from "../../../domain/deployments.ts";
import { count, cut, foreignCode, foreignLine, shortSha, type Wording } from "../wording.ts";

/** Commits that are named one by one, and where it is not known what runs, so that all are new. */
const MAXIMUM_NAMED = 10;
const NAMED_OF_ALL = 3;

/** "2 of 5 commits were not looked at". Nothing where all is covered. @param coverage absent in the events of earlier versions */
export function uncoveredHeadline(coverage: Coverage | undefined): string | undefined {
  const uncovered = uncoveredOf(coverage);
  if (!uncovered) return undefined;
  if (!coverage) return "what it brings was not looked at in this way";
  const { landings, beyond, noBeginning } = uncovered;
  if (noBeginning) return "it is not known what runs there, so all of it counts as new";
  const missing = landings.reduce((sum, { commits }) => sum + commits, 0) + beyond;
  const all = coverage.landings.reduce((sum, { commits }) => sum + commits, 0) + beyond;
  return `${missing} of ${count(all, "commit")} ${missing === 1 ? "was" : "were"} not looked at as this environment requires`;
}

/** The command that lets a version go there: with a reason, where not all of it was looked at. */
export function yesTo(gate: string, coverage: Coverage | undefined): string {
  return `/forge approve ${gate}${uncoveredOf(coverage) === undefined ? "" : " <reason>"}`;
}

/** Each commit that is not covered, with why and what helps; then what people let pass, and what the environment does not require. */
export function coverageLines(coverage: Coverage | undefined, environment: Environment, wording: Wording): string[] {
  const uncovered = uncoveredOf(coverage);
  return [
    ...(coverage && uncovered ? [lackLines(coverage, uncovered, { environment, wording }).join("\n")] : []),
    ...waiverLines(coverage, wording),
    ...requiresLine(coverage),
  ];
}

function lackLines(
  { requires }: Coverage,
  { landings, beyond, noBeginning }: Uncovered,
  { environment, wording }: { readonly environment: Environment; readonly wording: Wording },
): string[] {
  const shown = landings.slice(0, noBeginning ? NAMED_OF_ALL : MAXIMUM_NAMED);
  const rest = landings.length - shown.length;
  const why = (landing: Landing) => lacksOf(landing, requires).map((lack) => WORDS[lack](landing, wording));
  return [
    ...(noBeginning
      ? [
          `- Forge has no record of what runs there. Say it once with \`/forge deploy ${environment} <commit> --from <commit that runs there>\`, and only what is newer counts.`,
        ]
      : []),
    ...shown.map((landing) => `- ${landingName(landing, wording)}: ${why(landing).join(" ")}`),
    ...(rest > 0 ? [`- ${count(rest, "further step")} of the branch like these.`] : []),
    ...(beyond > 0 && !noBeginning
      ? [
          `- ${count(beyond, "older step")} of the branch beyond what Forge looks through at once. Deploy in smaller parts: an older commit first.`,
        ]
      : []),
  ];
}

/** "`3f2c1ab` Sum right (#12)". */
function landingName({ sha, title, pull }: Landing, wording: Wording): string {
  const named = foreignLine(title, wording, { maximum: 60 });
  const isNamed = pull === undefined || title.includes(`#${pull}`);
  return `\`${shortSha(sha)}\` ${named}${isNamed ? "" : ` (#${pull})`}`;
}

/** Why one commit is not covered, in a line without Markdown that needs room, for GitHub's own page. */
export function shortLack(landing: Landing, wording: Wording): string {
  const [lack] = landing.lacks;
  const by = landing.pull === undefined ? "" : ` (#${landing.pull})`;
  return `\`${shortSha(landing.sha)}\`${by}: ${cut(lack === undefined ? "not covered" : WORDS[lack](landing, wording), 160)}`;
}

/** How this does not come again: what was merged is past being reviewed. */
const REQUIRED = "Where the branch requires `forge/review`, merges wait for it.";

const WORDS: Readonly<Record<Lack, (landing: Landing, wording: Wording) => string>> = {
  direct: () => "it came by no pull request, so nobody reviewed it. Changes that come by a pull request are reviewed.",
  other_branch: ({ pull, other }, wording) =>
    `#${pull} was merged into ${foreignCode(other ?? "another branch", wording)}, not into this branch, so its review was about something else.`,
  part_of_pull: ({ pull }) =>
    `only some of the commits of #${pull} are in it. Deploy the last of them, or a later commit.`,
  other_files: ({ pull }) =>
    `the branch has other files than merging #${pull} gives: something was changed during the merge, which nobody reviewed.`,
  unreadable: ({ pull }) => `the head of #${pull} that was merged can no longer be read.`,
  not_reviewed: ({ pull }) => `Forge did not review #${pull}. ${REQUIRED}`,
  other_head: ({ other, head }) =>
    `Forge reviewed ${other === undefined ? "another head" : `\`${shortSha(other)}\``}, not ${head === undefined ? "the head" : `\`${shortSha(head)}\``} that was merged. ${REQUIRED}`,
  other_base: ({ pull }) => `the review of #${pull} compared with another base, so it did not see all that was merged.`,
  review_running: () => "its review is under way. Wait for it.",
  review_stopped: ({ pull }) => `its review was stopped. \`/forge resume\` on #${pull} lets it go on.`,
  review_cancelled: () => `its review was cancelled before it ended, as happens when a merge comes first. ${REQUIRED}`,
  review_failed: () => "its review failed.",
  left_out: ({ other }, wording) =>
    `Forge left it out${other === undefined ? "" : ` (${foreignLine(other, wording, { maximum: 80 })})`}, so nobody reviewed it.`,
  incomplete: () => "its review is incomplete: a required layer did not run, or not on everything.",
  needs_person: () => "its review asks for a person, and none has approved that head.",
  blocking: ({ pull }) => `findings that block are open on #${pull}. Fix them, or dismiss them there with a reason.`,
  not_tested: () =>
    "no tests were run on the head that was merged. `review.tests: always` has the tests of each head run.",
  tests_running: () => "its tests are under way. Wait for them.",
  tests_cancelled: () => "its tests were cancelled before they ended, as happens when a merge comes first.",
  tests_not_run: () => "its tests could not be run.",
  tests_failed: () => "its tests failed.",
};

/** What people let pass, with their reasons. */
function waiverLines(coverage: Coverage | undefined, wording: Wording): string[] {
  const all = (coverage?.landings ?? []).flatMap(({ pull, waivers }) =>
    waivers.map(({ of, by, reason }) => {
      const what = of === "review" ? "the review" : "the tests";
      return `- #${pull}: ${foreignCode(by, wording)} let ${what} pass: ${foreignLine(reason, wording, { maximum: 120 })}`;
    }),
  );
  if (all.length === 0) return [];
  const shown = all.slice(0, MAXIMUM_NAMED);
  return [[...shown, ...(all.length > shown.length ? [`- and ${all.length - shown.length} more`] : [])].join("\n")];
}

/** Said each time where an environment asks for less than usual. */
function requiresLine(coverage: Coverage | undefined): string[] {
  if (!coverage || coverage.requires.length === 2) return [];
  const [only] = coverage.requires;
  return [
    only === undefined
      ? "This environment requires neither reviews nor tests (`requires` in `.github/forge.yml`)."
      : `This environment requires only ${only === "review" ? "reviews, no tests" : "tests, no reviews"} (\`requires\` in \`.github/forge.yml\`).`,
  ];
}
