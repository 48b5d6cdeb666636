import type { Refusal } from "../../domain/refusals.ts";
import { foreignCode, foreignLine, shortSha, type Wording } from "./wording.ts";

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
        : `\`${refusal.findingId}\` is not open any more, so there is nothing to fix.`;
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
