import type { Answer } from "../../../domain/answers.ts";
import type { FixLeftOut } from "../../../domain/fixes.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import { foreignCode, foreignLine, shortSha, type Wording } from "../wording.ts";

type Fixed = Extract<Answer, { kind: "fixed" }>;

/** What came of `/forge fix`: what was committed and where, and what was not with why. */
export function fixedText({ headSha, applied, left }: Fixed, wording: Wording): string {
  const done = applied.map((id) => `\`${id}\``).join(", ");
  const head =
    headSha === undefined
      ? "**Nothing was applied**, so there is no commit."
      : `**Applied** in \`${shortSha(headSha)}\`: ${done}.\n\`git pull\` brings it to a clone; the check of the new head says what is left.`;
  const list = left.map((one) => `- \`${one.findingId}\`${placeOf(one, wording)}: ${reasonOf(one)}`);
  const title = headSha === undefined ? [] : ["Not applied:", ""];
  return [head, ...(list.length === 0 ? [] : ["", ...title, ...list])].join("\n");
}

function placeOf({ file }: FixLeftOut, wording: Wording): string {
  return file === "" ? "" : ` in ${foreignCode(file, wording)}`;
}

function reasonOf({ why, what = "" }: FixLeftOut): string {
  switch (why) {
    case "closed":
      return "it is no longer open.";
    case "no_file":
      return "this head has no such text file.";
    case "changed":
      return "the lines that it replaces have changed since.";
    case "ambiguous":
      return "the lines to replace are in several places in the file: commit the suggestion yourself.";
    case "overlaps":
      return `it changes the same lines as \`${what}\`.`;
    case "breaks":
      return "the file would have an error with it.";
    case "secret":
      return "it would bring a secret into the commit.";
    case "governing":
      return `the file is ${what}, which Forge changes on nobody's command: commit the suggestion yourself.`;
  }
}

/** Refusals that `/forge fix` knows, one of them with `/forge test`. */
export type FixRefusal = Extract<
  Refusal,
  { reason: "nothing_to_fix" | "finding_closed" | "cannot_push" | "fixing" | "branch_moved" | "push_refused" }
>;

/** Why suggested fixes were not committed; undefined for a refusal that is about something else. */
export function aboutFix(refusal: Refusal, wording: Wording): string | undefined {
  switch (refusal.reason) {
    case "nothing_to_fix":
      return refusal.findings.length > 0
        ? `There is no fix that can be applied for ${refusal.findings.map((id) => foreignCode(id, wording)).join(", ")}.`
        : "No open finding here has a fix that can be applied.";
    case "finding_closed":
      return refusal.state === "dismissed"
        ? `\`${refusal.findingId}\` is dismissed, so nothing was done. To take that back: \`/forge undismiss ${refusal.findingId}\``
        : `\`${refusal.findingId}\` is no longer open, so there is nothing to fix.`;
    case "cannot_push":
      return NOT_PUSHED[refusal.why];
    case "fixing":
      return "The fixes that were asked for before are not on the branch yet. Say it again when they are.";
    case "branch_moved": {
      const now = refusal.movedTo === null ? "is gone" : `is at \`${shortSha(refusal.movedTo)}\``;
      const [what, again] =
        refusal.name === "test" ? ["tests", "To run them there"] : ["fixes", "What is still open there"];
      return `The branch has moved: the ${what} were for \`${shortSha(refusal.headSha)}\`, and it ${now} now. ${again}: \`/forge ${refusal.name === "test" ? "test" : "fix"}\``;
    }
    case "push_refused":
      return `Nothing was committed. ${foreignLine(refusal.message, wording, { maximum: 600 })}`;
    default:
      refusal.reason satisfies Exclude<Refusal["reason"], FixRefusal["reason"]>;
      return undefined;
  }
}

const NOT_PUSHED: Readonly<Record<Extract<FixRefusal, { reason: "cannot_push" }>["why"], string>> = {
  fork: "The branch is in a fork, where Forge cannot push. Its author can commit the suggestions in the comments.",
  default_branch:
    "The branch is the default branch, to which Forge never pushes. Its changes go through pull requests.",
  protected: "The branch is protected, so Forge does not push to it. The suggestions in the comments can be committed.",
  gone: "The branch is gone, so there is nothing to commit to.",
};
