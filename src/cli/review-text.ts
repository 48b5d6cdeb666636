import { byImportance, type Finding, needsLook } from "../domain/findings.ts";
import { SEVERITIES } from "../domain/severities.ts";
import { packageLookups } from "../github/words/check/package-lookups.ts";
import { severityCounts } from "../github/words/review/finding-heading.ts";
import type { FolderReview } from "../pipeline/review/folder/review-folder.ts";
import { wrapColumns } from "./columns.ts";
import { COLORS, findingLines, type Look, printable, widthsOf } from "./finding-text.ts";
import { counted } from "./terminal.ts";

/** How a review is printed. */
export interface ReviewLook {
  readonly colors: boolean;
  /** Columns of the terminal; undefined in a pipe. */
  readonly columns?: number;
  /** Shows the findings of severity info, which are counted otherwise. */
  readonly info: boolean;
}

/** Findings by file and line, the file with the worst one last, then the verdict: the end of the scroll matters. */
export function reviewAsText(reviewed: FolderReview, { colors, info, columns }: ReviewLook): string {
  const paint = (text: string, code: string) => (colors && text !== "" ? `\x1b[${code}m${text}\x1b[0m` : text);
  const look: Look = { paint, ...(columns === undefined ? {} : { columns }) };
  const shown = reviewed.findings.filter(({ severity }) => info || severity !== "info");
  const files = [...Map.groupBy(shown.toSorted(byImportance), ({ file }) => file)].toReversed();
  const blocks = files.map(([file, found]) => fileLines(file, found, reviewed, look).join("\n"));
  const notes = [...lookups(reviewed), ...reviewed.coverage.notes.map((note) => `Note: ${printable(note)}`)];
  const left = notReviewed(reviewed, paint);
  const last = closing(reviewed, shown, left.named);
  const end = [...notes, ...left.lines, ...(columns === undefined ? [last] : wrapColumns(last, columns))].join("\n");
  return `${[...blocks, end].join("\n\n")}\n`;
}

function fileLines(file: string, found: readonly Finding[], { frames }: FolderReview, look: Look): string[] {
  const ordered = found.toSorted((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
  const widths = widthsOf(ordered);
  const parts = ordered.map((finding) => findingLines(finding, frames[finding.id], widths, look).join("\n"));
  return [look.paint(printable(file), "4"), parts.join("\n\n")];
}

/** The verdict, the counts, and what was looked at and what was not. "Approved" is said of what was looked at, and only then (CLI-2). */
function closing(reviewed: FolderReview, shown: readonly Finding[], named: string): string {
  const { coverage, beyondLimit, base, verdict, findings } = reviewed;
  const compared = base ? `, compared with ${base.slice(0, 7)}` : "";
  const nothing = nothingDiffers(reviewed);
  if (nothing !== undefined)
    return base ? `${nothing} from ${base.slice(0, 7)}. --all reviews every file.` : `${nothing}.`;
  const looked = `Reviewed ${coverage.filesCovered} of ${counted(coverage.files, "file")}, ${counted(coverage.addedLinesCovered, "line")} added${compared}.`;
  const all = SEVERITIES.flatMap((severity) => Array<typeof severity>(verdict.open[severity]).fill(severity));
  const counts = all.length < 2 ? [] : [`In all: ${severityCounts(all)}.`];
  const hidden = findings.length - shown.length;
  const notes =
    hidden > 0
      ? [`${hidden === 1 ? "1 note is" : `${hidden} notes are`} hidden; --info shows ${hidden === 1 ? "it" : "them"}.`]
      : [];
  const beyond =
    beyondLimit > 0
      ? [`${counted(beyondLimit, "finding")} not shown; --max ${findings.length + beyondLimit} shows all.`]
      : [];
  return [`${outcome(reviewed)}.`, ...counts, ...notes, ...beyond, looked, `Not reviewed: ${named}.`].join(" ");
}

function outcome({ findings, verdict, coverage }: FolderReview): string {
  const { critical, error, warning, info } = verdict.open;
  const all = critical + error + warning + info;
  const blocking = counted(verdict.blocking, "blocking finding");
  if (verdict.outcome === "needs_look")
    return `Needs a look: ${counted(findings.filter(needsLook).length, "unproven critical finding")}`;
  if (verdict.decision === "require_human")
    return `Needs a maintainer: ${verdict.blocking > 0 ? blocking : "a critical finding is open"}`;
  if (verdict.decision === "request_changes") return `Changes requested: ${blocking}`;
  const none = all === 0 ? "no findings" : `${counted(all, "finding")}, none blocking`;
  if (verdict.conclusion === "action_required") return `Not fully reviewed: ${none}`;
  // An unread file cannot be approved.
  if (coverage.files > 0 && coverage.filesCovered === 0) return `Nothing was read: ${none}`;
  const searched = coverage.searchedOnly?.length ?? 0;
  return `Approved: ${none}${searched > 0 ? `, ${counted(searched, "file")} searched for secrets only` : ""}`;
}

function nothingDiffers({ verdict, coverage }: FolderReview): string | undefined {
  const open = Object.values(verdict.open).some((number) => number > 0);
  const deleted = coverage.uncovered.filter(({ reason }) => reason === "deleted").length;
  if (open || verdict.conclusion === "action_required" || deleted !== coverage.files) return undefined;
  return deleted === 0
    ? "Nothing to review: no file differs"
    : `Nothing to review: ${counted(deleted, "file")} deleted, no other file differs`;
}

/** Files that are named one by one; the others are counted. */
const MOST_NAMED = 50;

/** One line for each part that was not reviewed, and their number for the last line: "nothing", "2 files, listed above". */
function notReviewed(
  reviewed: FolderReview,
  paint: Look["paint"],
): { readonly lines: readonly string[]; readonly named: string } {
  const { coverage } = reviewed;
  const missing = gaps(reviewed);
  const intended = coverage.uncovered.filter(({ gap }) => !gap).map(({ path, reason }) => `${path}: ${reason}`);
  const searched = (coverage.searchedOnly ?? []).map(
    ({ path, reason }) => `${path}: ${reason}, searched for secrets only`,
  );
  const all = [
    ...some(intended, MOST_NAMED).map((line) => `Not reviewed: ${printable(line)}`),
    ...some(searched, MOST_NAMED).map((line) => paint(`Not analyzed: ${printable(line)}`, COLORS.warning)),
    ...missing.map((line) => paint(`Not reviewed: ${printable(line)}`, COLORS.warning)),
  ];
  const number = missing.length + intended.length;
  return { lines: all, named: number === 0 ? "nothing" : `${counted(number, "item")}, listed above` };
}

function some(lines: readonly string[], most: number): string[] {
  return lines.length > most ? [...lines.slice(0, most), `${lines.length - most} more files`] : [...lines];
}

/** "Known vulnerabilities: looked up 3 packages ..."; empty where the change adds and updates none. */
export function lookups({ coverage: { packages } }: FolderReview): string[] {
  return packages === undefined ? [] : [`Known vulnerabilities: ${packageLookups(packages)}`];
}

/** The obstacles to a complete review, in words. */
export function gaps({ coverage }: FolderReview): string[] {
  const layers = coverage.layers.filter(({ state }) => state === "failed" || state === "partly");
  return [
    ...layers.map(({ layer, reason }) => `${layer}: ${reason ?? "did not run"}`),
    ...coverage.uncovered.filter(({ gap }) => gap).map(({ path, reason }) => `${path}: ${reason}`),
  ];
}
