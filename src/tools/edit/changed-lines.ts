import type { Redact } from "../../safety/redact.ts";
import { cleanText, isProse } from "../data/clean-text.ts";
import { cutLine, cutLines } from "../data/cut.ts";
import { fenceData } from "../data/fence-data.ts";

const AROUND = 3;
const CHARACTERS = 4_000;

/** How a file reads now around an edit, so that nobody has to read it again only to see whether it went well. */
export function showAround(
  path: string,
  text: string,
  place: { readonly line: number; readonly lines: number },
  redact: Redact,
): string {
  const { lines } = cleanText(text.replace(/\n$/, ""), { redact, prose: isProse(path) });
  const from = Math.max(1, place.line - AROUND);
  const to = Math.min(lines.length, place.line + place.lines - 1 + AROUND);
  const numbered = lines.slice(from - 1, to).map((line, at) => `${from + at}|${cutLine(line)}`);
  const shown = cutLines(numbered, CHARACTERS);
  const end = from + shown.lines.length - 1;
  const cut = shown.left === 0 ? "" : `\nCut here: ${shown.left} more lines. Ask read_file for from_line ${end + 1}.`;
  return `${fenceData(`${path}, lines ${from} to ${end} of ${lines.length}`, shown.lines.join("\n"))}${cut}`;
}
