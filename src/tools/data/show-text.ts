import type { Redact } from "../../safety/redact.ts";
import { cleanText } from "./clean-text.ts";
import { cutLine, cutLines, cutMiddle } from "./cut.ts";
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
  /** Cut in the middle, as the end of a log says what failed. */
  readonly log?: boolean;
}

/** Foreign text in the first message of an agent (SEC-5): clean, without secrets, between marks, bounded, and what was taken away is said. */
export function showText(shown: ShownText, redact: Redact): string {
  const { from, text, prose, maxCharacters, numbered = false, log = false } = shown;
  const { lines, leftOut } = cleanText(text.replace(/\r?\n$/, ""), { redact, prose, named: numbered });
  const width = String(lines.length).length;
  const written = numbered ? lines.map((line, at) => `${String(at + 1).padStart(width)}|${line}`) : lines;
  const short = written.map((line) => cutLine(line, 1, maxCharacters));
  const cut = log ? { ...cutMiddle(written, maxCharacters), left: 0 } : cutLines(short, maxCharacters);
  const more = cut.left === 0 ? undefined : `Cut here: ${cut.left} more lines.`;
  return [fenceData(from, cut.lines.join("\n")), more, leftOut].filter((part) => part !== undefined).join("\n");
}
