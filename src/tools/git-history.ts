import { z } from "zod";
import type { Redact } from "../safety/redact.ts";
import { blameLines } from "../workspace/blame-lines.ts";
import type { GitStore } from "../workspace/git-store.ts";
import { historyOfPath } from "../workspace/history-of-path.ts";
import { cleanEach, isProse } from "./data/clean-text.ts";
import { cutLine, cutLines, RESULT_CHARACTERS } from "./data/cut.ts";
import { fenceData } from "./data/fence-data.ts";
import { shownPath } from "./data/show-text.ts";
import { requirePath } from "./edit/change-files.ts";
import { given, type Tool, ToolFailure } from "./tool.ts";

const PATHS_SHOWN = 10;

const LogInput = z.object({
  path: z.string().default("").describe("A file or folder; the whole repository when not given"),
  max_commits: z.number().int().min(1).max(100).default(20),
  skip: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(0)
    .describe("Commits to leave out at the front, for a list that was cut"),
  files: z.boolean().default(false).describe("Also name the files that each commit changed"),
});
type LogInput = z.infer<typeof LogInput>;

export interface GitHistoryDependencies {
  readonly store: GitStore;
  /** The commit that the run looks at: what is shown came before it or is it. */
  readonly commit: string;
  readonly redact: Redact;
}

export function gitLog({ store, commit, redact }: GitHistoryDependencies): Tool<LogInput> {
  return {
    name: "git_log",
    description:
      "Lists the commits that changed a file, a folder or the repository, newest first: id, day, author and first line of the message. Use it to learn how something came to be or whether it changes often. Renames are not followed.",
    inputSchema: LogInput,
    readOnly: true,
    timeoutMs: 60_000,
    run: async ({ path, max_commits, skip, files }, { signal }) => {
      const clean = requirePath(path);
      const question = { commit, path: clean, skip, maxCommits: max_commits, withPaths: files, signal };
      const { commits, truncated } = given(await historyOfPath(store, question));
      if (commits.length === 0)
        return {
          text: skip > 0 ? "There are no more commits." : "No commit changed that path.",
          metrics: { commits: 0 },
        };
      const rows = commits.flatMap(({ sha, authoredAt, author, subject, paths }) => {
        const more = paths.length - PATHS_SHOWN;
        return [
          cutLine(`${sha.slice(0, 10)} ${authoredAt.slice(0, 10)} ${author}: ${subject}`, 1, 300),
          ...paths.slice(0, PATHS_SHOWN).map((each) => `    ${shownPath(each)}`),
          ...(more > 0 ? [`    [cut here: ${more} more files]`] : []),
        ];
      });
      const { lines, leftOut } = await cleanEach(
        rows.map((text) => ({ text, prose: true })),
        { redact },
      );
      const more = truncated ? `\nCut here: there are older commits. Ask for skip ${skip + commits.length}.` : "";
      return {
        text: `${fenceData(`git log ${clean}`, lines.join("\n"))}${more}${leftOut === undefined ? "" : `\n${leftOut}`}`,
        metrics: { commits: commits.length },
      };
    },
  };
}

const MOST_LINES = 300;

const BlameInput = z.object({
  path: z.string().min(1).describe("A file, from the root of the repository"),
  from_line: z.number().int().min(1),
  to_line: z.number().int().min(1).describe(`At most ${MOST_LINES} lines at once`),
});
type BlameInput = z.infer<typeof BlameInput>;

export function gitBlame({ store, commit, redact }: GitHistoryDependencies): Tool<BlameInput> {
  return {
    name: "git_blame",
    description:
      "Says for each line of a range which commit it comes from, with day, author and first line of the message. Use it to see whether a line is new or old, and what it was written for.",
    inputSchema: BlameInput,
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
      const from = await cleanEach(
        origins.map((text) => ({ text, prose: true })),
        { redact },
      );
      const code = await cleanEach(
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
