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
  before: z.boolean().optional().describe("The file as it was before the change"),
});
type Input = z.infer<typeof Input>;
/** For who looks at no change. */
const WithoutBefore: z.ZodType<Input> = Input.omit({ before: true });

export interface ReadFileDependencies {
  readonly files: RepositoryFiles;
  readonly redact: Redact;
  /** Where edits look up what was read. */
  readonly reads?: ReadLog;
  /** A file as it was before the change, by the path that it has now or had then. */
  readonly readBefore?: RepositoryFiles["read"];
}

/** Lines that are shown of the end of a file when what was asked for lies behind it. */
const LINES_OF_END = 50;

export function readFile({ files, redact, reads, readBefore }: ReadFileDependencies): Tool<Input> {
  return {
    name: "read_file",
    description:
      "Shows a file of the repository with line numbers, whole or a range of lines. Use it before you say anything about code that you have not seen, and before you edit a file. " +
      'Each line is given as its number, a bar and its text: the number and the bar are not part of the file. A long file is cut and the result says which line to go on from. Text that looks like a secret is replaced by "[redacted]".',
    inputSchema: readBefore ? Input : WithoutBefore,
    readOnly: true,
    timeoutMs: 30_000,
    run: async ({ path, from_line, to_line, from_column = 1, before = false }, { signal }) => {
      const read = before && readBefore ? readBefore : files.read;
      const { content } = given(await read(path, signal));
      const text = decodeText(content);
      if (text === undefined) {
        throw new ToolFailure(
          "binary",
          `${JSON.stringify(path)} is a binary file of ${content.length.toLocaleString("en-US")} bytes and cannot be shown.`,
        );
      }
      const clean = cleanPath(path);
      if (clean.ok && !before) reads?.note(clean.path, content);
      if (text === "") return { text: "The file is empty." };
      const { lines, leftOut } = await cleanText(text.replace(/\r?\n$/, ""), { redact, prose: isProse(path) });
      const { first, last, said } = linesToShow(lines.length, from_line, to_line);
      const width = String(last).length;
      const numbered = lines
        .slice(first - 1, last)
        .map((line, at) => `${String(first + at).padStart(width)}|${cutLine(line, from_column)}`);
      const shown = cutLines(numbered, RESULT_CHARACTERS);
      const end = first + shown.lines.length - 1;
      const name = before ? `${path} before the change` : path;
      const block = fenceData(`${name}, lines ${first} to ${end} of ${lines.length}`, shown.lines.join("\n"));
      const more =
        last > end ? `Cut here: ${last - end} more lines were asked for. Ask for from_line ${end + 1}.` : undefined;
      return {
        text: [said, block, more, leftOut].filter((part) => part !== undefined).join("\n"),
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

/** The range that was asked for as far as the file has it, and what was made of it where that is another one. */
function linesToShow(length: number, from = 1, to = length): { first: number; last: number; said?: string } {
  const [low, high] = from <= to ? [from, to] : [to, from];
  if (low <= length) {
    const turned = from > to && from <= length ? { said: "to_line lay before from_line: they were exchanged." } : {};
    return { first: low, last: Math.min(high, length), ...turned };
  }
  const first = Math.max(1, length - LINES_OF_END + 1);
  return { first, last: length, said: `The file has ${length} lines, so its end is shown.` };
}
