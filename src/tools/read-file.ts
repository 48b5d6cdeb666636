import { z } from "zod";
import type { Redact } from "../safety/redact.ts";
import { cleanPath } from "../workspace/files/clean-path.ts";
import type { RepositoryFiles } from "../workspace/files/repository-files.ts";
import { cleanText, decodeText, isProse } from "./data/clean-text.ts";
import { cutLine, cutLines, RESULT_CHARACTERS } from "./data/cut.ts";
import { fenceData } from "./data/fence-data.ts";
import { given, type Tool, ToolFailure } from "./tool.ts";

const Input = z.object({
  path: z.string().min(1).describe("Path from the root of the repository, such as src/server.ts"),
  from_line: z.number().int().min(1).optional().describe("First line to show, 1 when not given"),
  to_line: z.number().int().min(1).optional().describe("Last line to show, the last of the file when not given"),
  from_column: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("For a very long line that was cut: the column to go on from"),
});
type Input = z.infer<typeof Input>;

export interface ReadFileDependencies {
  readonly files: RepositoryFiles;
  readonly redact: Redact;
  /** Where edits look up what was read. */
  readonly reads?: ReadLog;
}

export function readFile({ files, redact, reads }: ReadFileDependencies): Tool<Input> {
  return {
    name: "read_file",
    description:
      "Shows a file of the repository with line numbers, whole or a range of lines. Use it before you say anything about code that you have not seen, and before you edit a file. " +
      'Each line is given as its number, a bar and its text: the number and the bar are not part of the file. A long file is cut and the result says which line to go on from. Text that looks like a secret is replaced by "[redacted]".',
    inputSchema: Input,
    readOnly: true,
    timeoutMs: 30_000,
    run: async ({ path, from_line = 1, to_line, from_column = 1 }, { signal }) => {
      const { content } = given(await files.read(path, signal));
      const text = decodeText(content);
      if (text === undefined) {
        throw new ToolFailure(
          "binary",
          `${JSON.stringify(path)} is a binary file of ${content.length.toLocaleString("en-US")} bytes and cannot be shown.`,
        );
      }
      const clean = cleanPath(path);
      if (clean.ok) reads?.note(clean.path, content);
      if (text === "") return { text: "The file is empty." };
      const { lines, leftOut } = cleanText(text.replace(/\r?\n$/, ""), { redact, prose: isProse(path) });
      if (from_line > lines.length || (to_line ?? from_line) < from_line) {
        throw new ToolFailure(
          "no_such_lines",
          `The file has ${lines.length} lines: there are none from ${from_line} to ${to_line ?? lines.length}.`,
        );
      }
      const last = Math.min(to_line ?? lines.length, lines.length);
      const width = String(last).length;
      const numbered = lines
        .slice(from_line - 1, last)
        .map((line, at) => `${String(from_line + at).padStart(width)}|${cutLine(line, from_column)}`);
      const shown = cutLines(numbered, RESULT_CHARACTERS);
      const end = from_line + shown.lines.length - 1;
      const block = fenceData(`${path}, lines ${from_line} to ${end} of ${lines.length}`, shown.lines.join("\n"));
      const more =
        last > end ? `Cut here: ${last - end} more lines were asked for. Ask for from_line ${end + 1}.` : undefined;
      return {
        text: [block, more, leftOut].filter((part) => part !== undefined).join("\n"),
        metrics: { lines: shown.lines.length },
      };
    },
  };
}

/** What an agent has seen of the files it may change: an edit of something that was not read is a guess. */
export interface ReadLog {
  note(path: string, content: Buffer): void;
  /** What the agent knows a file to hold; undefined when it has not read it. */
  known(path: string): Buffer | undefined;
  forget(path: string): void;
}

/** Lasts as long as the run in this process: after a restart files are read again before they are edited. */
export function createReadLog(): ReadLog {
  const contents = new Map<string, Buffer>();
  return {
    note: (path, content) => {
      contents.set(path, content);
    },
    known: (path) => contents.get(path),
    forget: (path) => {
      contents.delete(path);
    },
  };
}
