import type { Answer } from "../../domain/answers.ts";
import type { FixLeftOut } from "../../domain/fixes.ts";
import { foreignCode, shortSha, type Wording } from "./wording.ts";

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
      return "it is open no more.";
    case "no_file":
      return "this head has no such text file.";
    case "changed":
      return "the lines that it replaces have changed since.";
    case "ambiguous":
      return "the lines that it replaces stand in several places of the file: commit the suggestion yourself.";
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
