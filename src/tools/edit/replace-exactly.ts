import { ToolFailure } from "../tool.ts";

export interface Replacement {
  readonly text: string;
  readonly count: number;
  /** 1-based line at which the first one begins. */
  readonly line: number;
}

/**
 * Replaces one text by another, exactly as it stands.
 * @throws {ToolFailure} `no_match` or `many_matches`, saying where it nearly fits or which lines it could be
 */
export function replaceExactly(text: string, oldText: string, newText: string, all: boolean): Replacement {
  if (oldText === newText) throw new ToolFailure("no_change", "old_text and new_text are the same.");
  const places: number[] = [];
  for (let at = text.indexOf(oldText); at !== -1; at = text.indexOf(oldText, at + oldText.length)) places.push(at);
  const [first] = places;
  if (first === undefined) throw new ToolFailure("no_match", explainMissing(text, oldText));
  if (places.length > 1 && !all) {
    const lines = places.slice(0, 10).map((at) => lineAt(text, at));
    const more = places.length > 10 ? ` and ${places.length - 10} more` : "";
    throw new ToolFailure(
      "many_matches",
      `old_text stands there ${places.length} times, at lines ${lines.join(", ")}${more}: give more of the lines around it, or set replace_all.`,
    );
  }
  return { text: text.split(oldText).join(newText), count: places.length, line: lineAt(text, first) };
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

function explainMissing(text: string, oldText: string): string {
  const wanted = plainLines(oldText);
  const there = plainLines(text);
  const at = there.findIndex((_, start) => wanted.every((line, offset) => there[start + offset] === line));
  if (at !== -1 && wanted.some((line) => line !== "")) {
    return `old_text does not stand there exactly; lines ${at + 1} to ${at + wanted.length} differ from it in white space or hidden characters only: read them again and copy them as they are, without the line numbers.`;
  }
  return "old_text does not stand in the file: read it again and copy the text exactly, without the line numbers.";
}

/** Lines without what is easily miscopied. */
function plainLines(text: string): string[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.replace(/[\s\p{Cf}\p{DI}]+/gu, ""));
}
