import type { Redact } from "../../safety/redact.ts";
import type { FoundLine } from "../../workspace/files/repository-files.ts";
import type { ToolResult } from "../tool.ts";
import { cleanEach, isProse } from "./clean-text.ts";
import { cutLine, cutLines, RESULT_CHARACTERS } from "./cut.ts";
import { fenceData } from "./fence-data.ts";
import { shownPath } from "./show-text.ts";

/** Around a match so much of a long line is enough to see whether the file is worth reading. */
const SHOWN_OF_LINE = 300;

export interface FoundText {
  readonly from: string;
  readonly lines: readonly FoundLine[];
  readonly matches: number;
  readonly redact: Redact;
  /** Why these are not all, in a sentence. */
  readonly note: string | undefined;
}

/** Found lines by file: the path on a line of its own, then the lines; a colon after the number of a match, a bar after others. */
export async function foundLines({ from, lines, matches, redact, note }: FoundText): Promise<ToolResult> {
  const rows: string[] = [];
  let path: string | undefined;
  let line = 0;
  const withContext = lines.some(({ match }) => !match);
  const clean = await cleanEach(
    lines.map((found) => ({ text: found.text, prose: isProse(found.path) })),
    { redact },
  );
  for (const [at, found] of lines.entries()) {
    if (found.path !== path) rows.push(...(path === undefined ? [] : [""]), shownPath(found.path));
    else if (withContext && found.line > line + 1) rows.push("--");
    path = found.path;
    line = found.line;
    const text = clean.lines[at]!.trimEnd();
    rows.push(`${found.line}${found.match ? ":" : "|"} ${cutLine(text, 1, SHOWN_OF_LINE)}`);
  }
  const shown = cutLines(rows, RESULT_CHARACTERS);
  const cut =
    shown.left === 0 ? undefined : `Cut here: ${shown.left} more lines. Ask for a narrower path, glob or pattern.`;
  const files = new Set(lines.map((each) => each.path)).size;
  const head = `${matches} ${matches === 1 ? "match" : "matches"} in ${files} ${files === 1 ? "file" : "files"}.`;
  const text = [head, fenceData(from, shown.lines.join("\n")), cut ?? note, clean.leftOut].filter(
    (part) => part !== undefined,
  );
  return { text: text.join("\n"), metrics: { matches } };
}
