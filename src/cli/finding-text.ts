import { headline, remedyOf } from "../analysis/rule-facts.ts";
import { editsOf, type Finding, isUnproven, type Severity } from "../domain/findings.ts";
import { flowText, severityOf, shortRule } from "../github/words/review/finding-heading.ts";
import { withFullStop } from "../github/words/wording.ts";
import { type CodeFrame, HIDDEN_LINE } from "../pipeline/review/folder/code-frames.ts";
import { columnsOf, cutColumns, wrapColumns } from "./columns.ts";

/** How findings are shown. */
export interface Look {
  /** A text in a color of ANSI, or as it is. */
  readonly paint: (text: string, code: string) => string;
  /** Columns of the terminal; undefined in a pipe, where nothing is cut or wrapped. */
  readonly columns?: number;
}

export const COLORS: Readonly<Record<Severity, string>> = { info: "2", warning: "33", error: "31", critical: "1;31" };
const DIM = "2";
const BOLD = "1";

/** Before what explains a finding. */
const INDENT = " ".repeat(8);

/** Columns of the widest place and severity in a file. */
interface Widths {
  readonly place: number;
  readonly severity: number;
}

/** What the headings of a file are aligned to. */
export function widthsOf(findings: readonly Finding[]): Widths {
  return {
    place: Math.max(...findings.map((finding) => placeOf(finding).length)),
    severity: Math.max(...findings.map((finding) => severityOf(finding).length)),
  };
}

/** One finding: its place and title, the code, why it matters, the data flow, and what fixes it. */
export function findingLines(finding: Finding, frame: CodeFrame | undefined, widths: Widths, look: Look): string[] {
  const { message, why, flow } = finding;
  const steps = flowText(flow, "->");
  const untried = isUnproven(finding) && finding.unproven !== undefined ? [`Unproven: ${finding.unproven}.`] : [];
  const said = [withFullStop(message), ...(why ? [why] : [])].join(" ");
  const prose = [said, ...untried, ...(steps === undefined ? [] : [steps])].flatMap((text) => wrapped(text, look));
  return [
    heading(finding, widths, look),
    ...(frame === undefined ? [] : frameLines(finding, frame, look)),
    ...prose,
    ...fixLines(finding, look),
  ];
}

/** "31:5". */
function placeOf({ line, column }: Finding): string {
  return column === undefined ? `${line}` : `${line}:${column}`;
}

/** Rule and ID end at the margin where there is room for them. */
function heading(finding: Finding, widths: Widths, { paint, columns }: Look): string {
  const severity = severityOf(finding);
  const color = isUnproven(finding) ? COLORS.warning : COLORS[finding.severity];
  const start = `  ${placeOf(finding).padEnd(widths.place)}  `;
  const title = printable(headline(finding));
  const end = `${printable(shortRule(finding.rule))}  ${finding.id}`;
  const rest = " ".repeat(widths.severity - severity.length + 2);
  const used = columnsOf(`${start}${severity}${rest}${title}`);
  const room = columns === undefined ? 2 : columns - used - columnsOf(end);
  const gap = room >= 2 ? " ".repeat(room) : `\n${INDENT}`;
  return `${start}${paint(severity, color)}${rest}${paint(title, BOLD)}${gap}${paint(end, DIM)}`;
}

function frameLines({ line, column, endLine, endColumn }: Finding, frame: CodeFrame, look: Look): string[] {
  const { from, lines } = frame;
  const width = String(from + lines.length - 1).length;
  const room = (look.columns ?? Number.POSITIVE_INFINITY) - INDENT.length - width - 3;
  const shared = commonBlanks(lines);
  return lines.flatMap((text, at) => {
    const number = from + at;
    const isMarked = number >= line && number <= endLine;
    const shown = cutColumns(printable(expandTabs(text.slice(shared))), room);
    const mark = isMarked ? look.paint("> ", COLORS.error) : "  ";
    const numbered =
      `${INDENT.slice(2)}${mark}${look.paint(`${String(number).padStart(width)} |`, DIM)} ${shown}`.trimEnd();
    if (number !== line || column === undefined || column - 1 < shared || text === HIDDEN_LINE) return [numbered];
    const before = columnsOf(expandTabs(text.slice(shared, column - 1)));
    const until = endLine === line && endColumn !== undefined ? endColumn - 1 : text.length;
    const marked = Math.max(1, columnsOf(expandTabs(text.slice(column - 1, Math.max(column, until)).trimEnd())));
    if (before >= room) return [numbered];
    const under = "^".repeat(Math.min(marked, room - before));
    const bar = look.paint(`${" ".repeat(width)} |`, DIM);
    return [numbered, `${INDENT}${bar} ${" ".repeat(before)}${look.paint(under, COLORS.error)}`];
  });
}

/** Blanks that all lines begin with: deep code keeps its place on the screen. */
function commonBlanks(lines: readonly string[]): number {
  const filled = lines.filter((line) => line.trim() !== "");
  const [first = ""] = filled;
  let shared = 0;
  while (
    shared < first.length &&
    /[ \t]/.test(first[shared] ?? "") &&
    filled.every((line) => line[shared] === first[shared])
  )
    shared += 1;
  // Two stay, so the code is seen to be a part of something.
  return first[0] === "\t" ? Math.max(0, shared - 1) : Math.max(0, shared - 2);
}

const MOST_FIX_LINES = 12;

/** The fix as a diff where it is one, else in words. */
function fixLines(finding: Finding, look: Look): string[] {
  const remedy = remedyOf(finding);
  const words = remedy === undefined ? [] : wrapped(`Fix: ${remedy}`, look);
  if (finding.fix === undefined) return words;
  const room = (look.columns ?? Number.POSITIVE_INFINITY) - INDENT.length;
  const diff = editsOf(finding.fix).flatMap(({ file, before, after }) => [
    ...(file === finding.file ? [] : [look.paint(`${INDENT}${printable(file)}`, DIM)]),
    ...sided(before, "- ", COLORS.error, room, look),
    ...sided(after, "+ ", "32", room, look),
  ]);
  const more = diff.length - MOST_FIX_LINES;
  return [
    ...words,
    ...diff.slice(0, MOST_FIX_LINES),
    ...(more > 1 ? [`${INDENT}… ${more} more lines`] : diff.slice(MOST_FIX_LINES)),
  ];
}

function sided(text: string, mark: string, color: string, room: number, { paint }: Look): string[] {
  if (text === "") return [];
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.map(
    (line) => `${INDENT}${paint(cutColumns(`${mark}${printable(expandTabs(line))}`, room).trimEnd(), color)}`,
  );
}

/** A sentence below a finding, within the width of the terminal. */
function wrapped(text: string, { columns }: Look): string[] {
  const line = printable(text.replaceAll(/\s+/g, " ").trim());
  const lines = columns === undefined ? [line] : wrapColumns(line, Math.max(40, columns - INDENT.length));
  return lines.map((part) => `${INDENT}${part}`);
}

function expandTabs(text: string): string {
  return text.replaceAll("\t", "  ");
}

/** File names, code and messages may hold characters that a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => JSON.stringify(character).slice(1, -1));
}
