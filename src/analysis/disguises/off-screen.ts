import { CODE, COMMENT, type Regions, STRING } from "./code-regions.ts";

/** Columns of nothing behind which nobody looks for more: editors and GitHub show about 120 beside the numbers of lines. */
const FAR = 100;
/** Before the first character of a line, where deep nesting may come near to the former. */
const FAR_INDENT = 200;
const TAB_COLUMNS = 4;

const BLANK = /[\s\u00ad\u115f\u1160\u2800\u3164\uffa0]/;

/**
 * Where on a line code stands out of sight, behind a long run of blanks; undefined where nothing does. Comments may stand there, and
 * strings may hold such runs, as long as no more than their end follows them.
 * @param start offset of the line in the text that the regions are of; without regions all of the line counts
 */
export function findOffScreen(line: string, start: number, regions: Regions | undefined): number | undefined {
  let columns = 0;
  let written = false;
  let far: "code" | "string" | undefined;
  // Macros of C continue behind a column of backslashes.
  const end = line.trimEnd().replace(/\\$/, "").length;
  for (let at = 0; at < end; at += 1) {
    const character = line[at] ?? "";
    const region = regions === undefined ? CODE : regions[start + at];
    if (BLANK.test(character)) {
      columns += character === "\t" ? TAB_COLUMNS : 1;
      if (columns >= (written ? FAR : FAR_INDENT) && far === undefined)
        far = region === STRING && regions?.[start + at - 1] === STRING ? "string" : "code";
      continue;
    }
    columns = 0;
    written = true;
    if (far === "code" && region !== COMMENT && !(regions === undefined && character === "#")) return at;
    if (far === "code" && regions === undefined) return undefined;
    if (far === "string" && region === CODE && /[\w$(`]/.test(character)) return at;
  }
  return undefined;
}
