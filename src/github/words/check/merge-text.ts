import type { MergeBar, MergeStanding } from "../../../domain/merging.ts";
import { count, cut, foreignCode, foreignLine, moment, shortSha, type Wording, withFullStop } from "../wording.ts";

/** How the merging of a pull request by Forge itself stands: the first line says what is so, the second what to do (SAFE-4). */
export function mergeText(standing: MergeStanding, wording: Wording): string {
  switch (standing.is) {
    case "announced": {
      const { due, headSha, level } = standing;
      return [
        level >= 4
          ? `**Forge merges this pull request as soon as GitHub lets it**, as its level here is ${level}. \`/forge hold\` stops it.`
          : `**Forge merges this pull request at ${moment(due)} unless someone comments \`/forge hold\`.**`,
        `Its risk is low, and the review of \`${shortSha(headSha)}\` found nothing. A push, requested changes and a check that fails stop it too; what the branch requires has to be there.`,
      ].join("\n\n");
    }
    case "held":
      return `**Held by ${foreignCode(standing.by, wording)}: Forge does not merge this pull request by itself.**\n\n\`/forge unhold\` ends that; the time to object starts again.`;
    case "dropped": {
      const { what, next } = BARS[standing.bar.why](standing.bar, wording);
      return `**Forge does not merge this pull request by itself:** ${withFullStop(what)}\n\n${next}`;
    }
    case "merging":
    case "merged": {
      const how =
        standing.is === "merged" && standing.queued
          ? "put this pull request into the merge queue"
          : "merged this pull request";
      return `**Forge ${how} by itself**, at \`${shortSha(standing.headSha)}\`: low risk, level ${standing.level}.\n\nIf that was wrong, revert it: Forge then goes down a level. \`/forge level\``;
    }
    case "none":
      return "**No longer held.** Forge checks whether it can merge this pull request by itself.";
  }
}

interface Bar {
  /** Follows a colon. */
  readonly what: string;
  /** What to do, or what follows. */
  readonly next: string;
}

const ANEW = "Once that is different: `/forge unhold` has it looked at again.";
/** The most files that the comment names. */
const MOST_NAMED = 5;

function namedFiles(files: readonly string[], wording: Wording): string {
  const named = files.slice(0, MOST_NAMED).map((file) => foreignCode(file, wording));
  const more = files.length - named.length;
  const last = more > 0 ? count(more, "more file") : named.pop();
  return named.length === 0 ? `${last}` : `${named.join(", ")} and ${last}`;
}

const YOURS = "Merging it is up to people.";

const BARS: Readonly<Record<MergeBar["why"], (bar: MergeBar, wording: Wording) => Bar>> = {
  closed: () => ({ what: "it is closed, or in the queue already", next: "Nothing is to be done." }),
  draft: () => ({ what: "it is a draft", next: "Marked ready for review, it is looked at again." }),
  pushed: () => ({
    what: "something was pushed to it, or its base branch is another one",
    next: "Once that is reviewed it is looked at again.",
  }),
  paused: () => ({ what: "Forge is paused", next: ANEW }),
  configuration: () => ({ what: "`safety.merge` on the default branch does not want it", next: YOURS }),
  level: () => ({
    what: "the level of this repository no longer covers it",
    next: "What there is to say of it: `/forge level`",
  }),
  findings: () => ({
    what: "the review of its head does not pass with a low risk, or a finding is open",
    next: "After a push it is looked at again.",
  }),
  governs: ({ said, files = said === undefined ? [] : [said] }, wording) =>
    files.length === 0
      ? {
          what: "its last review did not say which of its files a person has to look at",
          next: "After a push it is looked at again.",
        }
      : {
          what: `${namedFiles(files, wording)} ${files.length === 1 ? "has" : "have"} to be looked at by a person`,
          next: `By itself Forge merges only prose, translations, sources that tests reach, and tests that were there and say no less than before. ${YOURS}`,
        },
  people_pushed: () => ({ what: "someone pushed to Forge's branch", next: YOURS }),
  not_approved: () => ({ what: "Forge no longer approves it", next: "After a push it is looked at again." }),
  outsider: () => ({ what: "its author may not push here", next: YOURS }),
  changes_requested: ({ by = "somebody" }, wording) => ({
    what: `${foreignCode(by, wording)} requested changes`,
    next: "When they approve it or take that back, it is looked at again.",
  }),
  unprotected: () => ({
    what: "its base branch requires no check and no review",
    next: "Forge merges only where a branch protection or a ruleset requires one. To have none of this said: `safety.merge: never`",
  }),
  bypass: () => ({
    what: "GitHub lets Forge's App go around the protection of the base branch",
    next: "Take the App off the list of those who may bypass it: Forge never merges with such a right.",
  }),
  conflicts: () => ({ what: "it conflicts with its base branch", next: "After a push it is looked at again." }),
  checks_failing: () => ({ what: "a check on its head fails", next: ANEW }),
  blocked: () => ({ what: "what its base branch requires was not there within a day", next: ANEW }),
  refused: ({ said }, wording) => ({
    what: said ? `GitHub did not take it (${foreignLine(cut(said, 200), wording)})` : "GitHub did not take it",
    next: ANEW,
  }),
};
