import type { Redact } from "../../safety/redact.ts";
import { visibleText } from "../../safety/visible-text.ts";
import type { SandboxResult } from "../../workspace/sandbox/sandbox.ts";
import type { ToolResult } from "../tool.ts";
import { cleanText } from "./clean-text.ts";
import { cutLine, cutLines, cutMiddle, RESULT_CHARACTERS } from "./cut.ts";
import { fenceData } from "./fence-data.ts";

export interface ShownText {
  /** What it is, for the mark: a path, "comment of ana". */
  readonly from: string;
  readonly text: string;
  /** Whether people read it as a page. */
  readonly prose: boolean;
  /** What is beyond is cut off, and said to be. */
  readonly maxCharacters: number;
  /** Lines carry their numbers, as `read_file` shows them. */
  readonly numbered?: boolean;
  /** Of numbered lines only these, with a mark where some are left out. */
  readonly only?: ReadonlySet<number>;
  /** Cut in the middle, as the end of a log says what failed. */
  readonly log?: boolean;
}

/**
 * Foreign text in the first message of an agent (SEC-5): clean, without secrets, between marks, bounded, and what was taken away is said. Other
 * threads clean a long one (OPS-8).
 */
export async function showText(shown: ShownText, redact: Redact): Promise<string> {
  const { from, text, prose, maxCharacters, numbered = false, log = false, only } = shown;
  const { lines, leftOut } = await cleanText(text.replace(/\r?\n$/, ""), {
    redact,
    prose,
    ...(numbered ? {} : { names: "none" }),
  });
  const width = String(lines.length).length;
  const all = numbered ? lines.map((line, at) => `${String(at + 1).padStart(width)}|${line}`) : lines;
  const written = only
    ? all.flatMap((line, at) => (only.has(at + 1) ? [line] : at === 0 || only.has(at) ? ["[lines left out]"] : []))
    : all;
  const short = written.map((line) => cutLine(line, 1, maxCharacters));
  const cut = log ? { ...cutMiddle(written, maxCharacters), left: 0 } : cutLines(short, maxCharacters);
  const more = cut.left === 0 ? undefined : `Cut here: ${cut.left} more lines.`;
  return [fenceData(from, cut.lines.join("\n")), more, leftOut].filter((part) => part !== undefined).join("\n");
}

interface Listing {
  /** What is listed, for the mark. */
  readonly from: string;
  readonly entries: readonly string[];
  /** 1-based. */
  readonly fromEntry: number;
  readonly note?: string;
}

/** A list of paths, one a line, with a mark where it was cut. */
export function listing({ from, entries, fromEntry, note }: Listing): ToolResult {
  const { lines, left } = cutLines(entries.slice(fromEntry - 1).map(shownPath), RESULT_CHARACTERS / 2);
  const end = fromEntry + lines.length - 1;
  const more = left === 0 ? undefined : `Cut here: ${left} more. Ask for from_entry ${end + 1}, or for less.`;
  const text = [fenceData(from, lines.join("\n")), more, note].filter((part) => part !== undefined).join("\n");
  return { text, metrics: { entries: lines.length } };
}

/** A path on one line: names that hold line breaks or hidden characters are written as JSON strings. */
export function shownPath(path: string): string {
  return visibleText(path) === path && !/[\n\t]/.test(path)
    ? path
    : JSON.stringify(path).replace(/[^\x20-\x7e]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const STDOUT_CHARACTERS = 14_000;
const STDERR_CHARACTERS = 6_000;

/** Colours and movements of the cursor, which some programs print whatever they are told. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ESCAPE_SEQUENCE = /\u001b(?:\[[0-9;?]{0,20}[A-Za-z]|\][^\u0007\u001b]{0,200}(?:\u0007|\u001b\\)|[()][A-Z0-9])/g;

/** Both outputs of a program, each between marks and cut in its middle. */
export async function showOutput(
  { stdout, stderr }: Pick<SandboxResult, "stdout" | "stderr">,
  redact: Redact,
): Promise<string> {
  const parts = [
    await show("stdout", stdout, STDOUT_CHARACTERS, redact),
    await show("stderr", stderr, STDERR_CHARACTERS, redact),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "It printed nothing." : parts.join("\n");
}

async function show(name: string, output: Buffer, maxCharacters: number, redact: Redact): Promise<string | undefined> {
  const text = output
    .toString("utf8")
    .replace(ESCAPE_SEQUENCE, "")
    .replace(/\r(?!\n)/g, "\n")
    .trimEnd();
  if (text === "") return undefined;
  const { lines, leftOut } = await cleanText(text, { redact, prose: false });
  const { lines: shown, left } = cutMiddle(lines, maxCharacters);
  const more =
    left === 0
      ? undefined
      : `Cut here: ${left} of ${lines.length} lines of ${name} are not shown. Run it again so that it prints less: one file, a filter, a quiet option.`;
  return [fenceData(name, shown.join("\n")), more, leftOut].filter((part) => part !== undefined).join("\n");
}
