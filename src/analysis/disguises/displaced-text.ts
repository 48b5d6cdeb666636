import { CODE, COMMENT, type Regions, STRING } from "./code-regions.ts";

const CONTROL = /[\u202a-\u202e\u2066-\u2069]/g;
const ANY_CONTROL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const MARK = /[\u061c\u200e\u200f]/g;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const OVERRIDES = "\u202d\u202e";
const ISOLATES = "\u2066\u2067\u2068";

/** Whether letters are among it that are written from right to left: the marks themselves belong to such scripts. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text.replace(MARK, ""));
}

interface Directed {
  readonly offset: number;
  /** `override`, `open`: reorders what stands around it; `crosses`: begins in one piece of code and ends in another; `code`; `idle`: reorders nothing that is written from right to left. */
  readonly how: "override" | "open" | "crosses" | "code" | "idle";
}

/**
 * What on a line changes the direction of text other than the text of one string or comment. Direction ends with the line.
 * @param start offset of the line in the text that the regions are of
 */
export function findDirected(line: string, start: number, regions: Regions | undefined): Directed | undefined {
  if (!ANY_CONTROL.test(line)) return undefined;
  const at = [...line.matchAll(CONTROL)];
  const override = at.find(([control]) => OVERRIDES.includes(control));
  if (override) return { offset: override.index, how: "override" };
  const regionAt = (offset: number) => regions?.[start + offset];
  const inCode = [...at, ...line.matchAll(MARK)].find(({ index }) => regionAt(index) === CODE);
  if (inCode) return { offset: inCode.index, how: "code" };
  const open: { readonly index: number; readonly isolate: boolean }[] = [];
  let idle: Directed | undefined;
  for (const { 0: control, index } of at) {
    if (control !== "\u202c" && control !== "\u2069") {
      open.push({ index, isolate: ISOLATES.includes(control) });
      continue;
    }
    const opener = open.pop();
    if (opener === undefined || opener.isolate !== (control === "\u2069")) return { offset: index, how: "open" };
    for (let between = opener.index; regions && between < index; between += 1)
      if (regionAt(between) !== regionAt(index)) return { offset: opener.index, how: "crosses" };
    if (!RIGHT_TO_LEFT.test(line.slice(opener.index, index))) idle ??= { offset: opener.index, how: "idle" };
  }
  // One of these alone moves only what stands beside it; in a comment without a letter from right to left it has nothing to do.
  const mark = isRightToLeft(line)
    ? undefined
    : [...line.matchAll(MARK)].find(({ index }) => regionAt(index) === COMMENT);
  if (mark) idle ??= { offset: mark.index, how: "idle" };
  const [left] = open;
  return left ? { offset: left.index, how: "open" } : idle;
}

/** Blank columns behind which a reader looks for no more: editors and GitHub show about 120 beside the numbers of lines. */
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
