import { z } from "zod";
import type { PresentedFile } from "../analysis/present-change.ts";
import type { Redact } from "../safety/redact.ts";
import { cleanText, isProse } from "./data/clean-text.ts";
import { cutLine, cutLines, RESULT_CHARACTERS } from "./data/cut.ts";
import { fenceData } from "./data/fence-data.ts";
import { listing } from "./data/show-text.ts";
import { requirePath } from "./edit/change-files.ts";
import { type Tool, ToolFailure } from "./tool.ts";

const Input = z.object({
  path: z.string().optional().describe("A changed file; without it the changed files are listed"),
  from_row: z.number().int().min(1).default(1).describe("For a diff or list that was cut: the row to go on from"),
});
type Input = z.infer<typeof Input>;

export interface GitDiffDependencies {
  /** The change that this run is about. */
  readonly changed: readonly PresentedFile[];
  readonly redact: Redact;
}

export function gitDiff({ changed, redact }: GitDiffDependencies): Tool<Input> {
  return {
    name: "git_diff",
    description:
      "Shows what this change did to a file, or lists the changed files. Each line of a diff has its number in the new file; `+` was added, `-` was removed and has no number. Use it for changed files that you were not shown.",
    inputSchema: Input,
    readOnly: true,
    timeoutMs: 10_000,
    run: async ({ path, from_row }) => {
      if (path === undefined || path === "") {
        const entries = changed.map(
          ({ path: each, text }) => `${each} (${countOf(text, "+")} added, ${countOf(text, "-")} removed)`,
        );
        return listing({ from: `${entries.length} changed files`, entries, fromEntry: from_row });
      }
      const clean = requirePath(path);
      const file = changed.find((each) => each.path === clean);
      if (file === undefined)
        throw new ToolFailure(
          "not_changed",
          `${JSON.stringify(clean)} is not among the changed files: call git_diff without a path to see them.`,
        );
      const { lines, leftOut } = await cleanText(file.text.trimEnd(), { redact, prose: isProse(clean) });
      const shown = cutLines(
        lines.slice(from_row - 1).map((line) => cutLine(line)),
        RESULT_CHARACTERS,
      );
      const more =
        shown.left === 0
          ? undefined
          : `Cut here: ${shown.left} more rows. Ask for from_row ${from_row + shown.lines.length}.`;
      const parts = [fenceData(`diff of ${clean}`, shown.lines.join("\n")), more, leftOut];
      return { text: parts.filter((part) => part !== undefined).join("\n"), metrics: { rows: shown.lines.length } };
    },
  };
}

function countOf(text: string, mark: "+" | "-"): number {
  return text.split("\n").filter((line) => line.slice(6, 8) === `${mark}|`).length;
}
