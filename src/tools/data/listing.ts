import { visibleText } from "../../safety/visible-text.ts";
import type { ToolResult } from "../tool.ts";
import { cutLines, RESULT_CHARACTERS } from "./cut.ts";
import { fenceData } from "./fence-data.ts";

export interface Listing {
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
