import { z } from "zod";
import { blameLines } from "../workspace/blame-lines.ts";
import { cleanEach, isProse } from "./data/clean-text.ts";
import { cutLine, cutLines, RESULT_CHARACTERS } from "./data/cut.ts";
import { fenceData } from "./data/fence-data.ts";
import { requirePath } from "./edit/change-files.ts";
import type { GitHistoryDependencies } from "./git-log.ts";
import { given, type Tool, ToolFailure } from "./tool.ts";

const MOST_LINES = 300;

const Input = z.object({
  path: z.string().min(1).describe("A file, from the root of the repository"),
  from_line: z.number().int().min(1),
  to_line: z.number().int().min(1).describe(`At most ${MOST_LINES} lines at once`),
});
type Input = z.infer<typeof Input>;

export function gitBlame({ store, commit, redact }: GitHistoryDependencies): Tool<Input> {
  return {
    name: "git_blame",
    description:
      "Says for each line of a range which commit it comes from, with day, author and first line of the message. Use it to see whether a line is new or old, and what it was written for.",
    inputSchema: Input,
    readOnly: true,
    timeoutMs: 90_000,
    run: async ({ path, from_line, to_line }, { signal }) => {
      if (to_line < from_line) throw new ToolFailure("no_such_lines", "to_line lies before from_line.");
      const clean = requirePath(path);
      const last = Math.min(to_line, from_line + MOST_LINES - 1);
      const blame = given(await blameLines(store, { commit, path: clean, fromLine: from_line, toLine: last, signal }));
      let before = "";
      const origins = blame.lines.map(({ sha, author, authoredAt, subject }) => {
        // Said once for neighbouring lines of one commit.
        const told = sha === before;
        before = sha;
        return told ? "" : `${sha.slice(0, 10)} ${dayOf(authoredAt)} ${author}: ${subject}`;
      });
      const from = cleanEach(
        origins.map((text) => ({ text, prose: true })),
        { redact },
      );
      const code = cleanEach(
        blame.lines.map(({ line, text }) => ({ text: cutLine(`${line}|${text}`, 1, 300), prose: isProse(clean) })),
        { redact },
      );
      const leftOut = code.leftOut ?? from.leftOut;
      const lines = code.lines.map(
        (text, at) => `${text}${from.lines[at] ? `  <- ${from.lines[at].slice(0, 245)}` : ""}`,
      );
      const shown = cutLines(lines, RESULT_CHARACTERS);
      const end = from_line + shown.lines.length - 1;
      const more =
        end < to_line && blame.lines.length >= last - from_line + 1 ? `\nCut here. Ask for from_line ${end + 1}.` : "";
      return {
        text: `${fenceData(`git blame ${clean}`, shown.lines.join("\n"))}${more}${leftOut === undefined ? "" : `\n${leftOut}`}`,
        metrics: { lines: shown.lines.length },
      };
    },
  };
}

/** `2026-11-20` of seconds since 1970. */
function dayOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10);
}
