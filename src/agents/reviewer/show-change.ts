import { z } from "zod";
import type { PresentedFile } from "../../analysis/present-change.ts";
import type { Observation } from "../../domain/findings.ts";
import type { Redact } from "../../safety/redact.ts";
import { cleanText, isProse, isQuoting } from "../../tools/data/clean-text.ts";
import { fenceData } from "../../tools/data/fence-data.ts";
import { WRITTEN_NUMBER } from "../../tools/data/look-at-text.ts";
import type { Tool, ToolResult } from "../../tools/tool.ts";

/** Added lines of a changed file that a reader was not shown, or not so that it could be said to have read them. */
export interface UnreadLines {
  readonly path: string;
  /** On the side that will be there, in their order. */
  readonly lines: readonly number[];
}

/** A place of which people are told. */
export type ToldPlace = Pick<Observation, "file" | "line" | "rule">;

/**
 * A changed file between marks, without what no model may read, and which of its added lines that leaves unread: what was taken of a line as a
 * secret is read where people are told of that secret by a finding of the security layer.
 */
export async function showChange(
  { path, text }: PresentedFile,
  redact: Redact,
  found: readonly ToldPlace[],
): Promise<{ text: string; unread: UnreadLines }> {
  const { lines, leftOut, unread, masked } = await cleanText(text, {
    redact,
    prose: isProse(path),
    program: isQuoting(path),
    names: "written",
  });
  const given = text.split("\n");
  const told = new Set(
    found.filter(({ file, rule }) => file === path && rule.startsWith(SECRETS)).map(({ line }) => line),
  );
  const added = (line: number) => Number(ADDED.exec(given[line - 1] ?? "")?.[1] ?? 0);
  const hidden = [...unread.map(added), ...masked.map(added).filter((line) => !told.has(line))];
  const shown = fenceData(`the change of ${path}`, lines.join("\n"));
  return {
    text: leftOut === undefined ? shown : `${shown}\n${leftOut}`,
    unread: { path, lines: hidden.filter((line) => line > 0).sort((a, b) => a - b) },
  };
}

/** What the rules of the scanner for secrets begin with. */
const SECRETS = "secrets/";
/** The number of a line that the change adds, as `presentFile` writes it. */
const ADDED = /^ *(\d+) \+\|/;

/** A changed file as the first message of an agent shows it. */
interface ShownFile {
  readonly path: string;
  /** With the numbers of its lines as `presentFile` writes them. */
  readonly text: string;
  /** Of the file as it is now. */
  readonly lines: readonly string[];
  /** Only a part of its change is shown. */
  readonly partly?: boolean;
}

const Asked = z.object({
  path: z.string(),
  from_line: z.number().optional(),
  to_line: z.number().optional(),
  from_column: z.number().optional(),
  before: z.boolean().optional(),
});

/**
 * The tools of one agent, of which `read_file` and `git_diff` do not send again what its first message shows (REV-4a): lines that stand
 * there are named in their place. Who asks for the very same once more gets it.
 */
export function showOnce(tools: readonly Tool[], files: readonly ShownFile[]): Tool[] {
  const shown = new Map(files.map((file) => [file.path, file]));
  const told = new Set<string>();
  return tools.map((tool) => {
    if (tool.name !== "read_file" && tool.name !== "git_diff") return tool;
    return {
      ...tool,
      run: async (input, context) => {
        const asked = Asked.safeParse(input).data;
        const file = shown.get(asked?.path.replace(/^\.\//, "") ?? "");
        const question = `${tool.name} ${JSON.stringify(asked)}`;
        if (!asked || !file || asked.before || asked.from_column !== undefined || told.has(question))
          return tool.run(input, context);
        told.add(question);
        if (tool.name === "git_diff" && file.partly) return tool.run(input, context);
        if (tool.name === "git_diff") return { text: `The change of ${file.path} stands in your first message.` };
        return readMissing(file, asked, (range) => tool.run({ ...asked, ...range }, context));
      },
    };
  });
}

/** Stretches of fewer lines are sent along: to name one costs as much. */
const SHORT_STRETCH = 6;

async function readMissing(
  { path, text, lines: all }: ShownFile,
  { from_line: from = 1, to_line: to = all.length }: z.infer<typeof Asked>,
  read: (range: { from_line: number; to_line: number }) => Promise<ToolResult>,
): Promise<ToolResult> {
  const numbers = new Set(
    text
      .split("\n")
      .flatMap((line) => WRITTEN_NUMBER.exec(line)?.[1] ?? [])
      .map(Number),
  );
  // What stands behind the last line break is no line.
  const last = Math.min(to, all.at(-1) === "" ? all.length - 1 : all.length);
  const stretches: { there: boolean; from: number; to: number }[] = [];
  for (let line = from; line <= last; line += 1) {
    const there = numbers.has(line);
    const open = stretches.at(-1);
    if (open?.there === there) open.to = line;
    else stretches.push({ there, from: line, to: line });
  }
  const hasMuch = stretches.some((stretch) => stretch.there && stretch.to - stretch.from + 1 >= SHORT_STRETCH);
  if (!hasMuch) return read({ from_line: from, to_line: to });
  const parts: string[] = [];
  let lines = 0;
  for (const stretch of joinShort(stretches)) {
    if (stretch.there) parts.push(`Lines ${stretch.from} to ${stretch.to} of ${path} stand in your first message.`);
    else {
      const result = await read({ from_line: stretch.from, to_line: stretch.to });
      parts.push(result.text);
      lines += result.metrics?.lines ?? 0;
    }
  }
  return { text: parts.join("\n"), metrics: { lines } };
}

function joinShort(stretches: readonly { there: boolean; from: number; to: number }[]) {
  const joined: { there: boolean; from: number; to: number }[] = [];
  for (const { there, from, to } of stretches) {
    const stays = there && to - from + 1 >= SHORT_STRETCH;
    const open = joined.at(-1);
    if (open?.there === stays) open.to = to;
    else joined.push({ there: stays, from, to });
  }
  return joined;
}
