import { byImportance, type Finding, isUnproven, needsLook, type Severity } from "../domain/findings.ts";
import { packageLookups } from "../github/words/check/package-lookups.ts";
import type { FolderReview } from "../pipeline/review/folder/review-folder.ts";

const COLOURS: Readonly<Record<Severity, string>> = { info: "2", warning: "33", error: "31", critical: "1;31" };

/** Findings like a compiler's, the most severe last so that the end of the scroll matters, then the decision. */
export function reviewAsText(reviewed: FolderReview, colours: boolean): string {
  const paint = (text: string, code: string) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);
  const lines = reviewed.findings
    .toSorted(byImportance)
    .reverse()
    .map((finding) => line(finding, paint));
  const left = gaps(reviewed).map((gap) => paint(`not looked at: ${printable(gap)}`, "33"));
  const intended = leftOut(reviewed).map((file) => `not looked at: ${printable(file)}`);
  const searched = (reviewed.coverage.searchedOnly ?? [])
    .slice(0, MOST_NAMED)
    .map(({ path, reason }) => paint(`not analysed: ${printable(`${path}: ${reason}`)}`, "33"));
  const notes = reviewed.coverage.notes.map((note) => `note: ${note}`);
  const looked = lookups(reviewed);
  return `${[...lines, ...looked, ...notes, ...intended, ...searched, ...left, decision(reviewed)].join("\n")}\n`;
}

function line(finding: Finding, paint: (text: string, code: string) => string): string {
  const place = `${finding.file}:${finding.line}${finding.column === undefined ? "" : `:${finding.column}`}`;
  const unproven = isUnproven(finding);
  const severity = unproven
    ? paint(`unproven ${finding.severity}`, COLOURS.warning)
    : paint(finding.severity, COLOURS[finding.severity]);
  const why = finding.why ? ` ${finding.why}` : "";
  const untried = unproven && finding.unproven !== undefined ? ` Unproven: ${finding.unproven}.` : "";
  return `${printable(place)} ${severity} ${finding.rule} ${finding.id} ${printable(finding.message + why + untried)}`;
}

/** The verdict, in a line. It says "approved" only of what was looked at, and only where no critical finding is open (CLI-2). */
function decision({ findings, verdict, coverage, beyondLimit, base }: FolderReview): string {
  const looked = `${coverage.filesCovered} of ${count(coverage.files, "file")}, ${count(coverage.addedLinesCovered, "line")}`;
  const against = base ? ` against ${base.slice(0, 7)}` : "";
  const beyond = beyondLimit > 0 ? `, ${beyondLimit} more are not shown` : "";
  const { critical, error, warning, info } = verdict.open;
  const counts = `${count(critical + error + warning + info, "finding")}, ${verdict.blocking} blocking${beyond}`;
  if (verdict.outcome === "needs_look") {
    const doubtful = findings.filter(needsLook).length;
    return `needs a look: ${doubtful} unproven critical, ${counts} (looked at ${looked}${against})`;
  }
  if (verdict.decision === "require_human") return `a person is required: ${counts} (looked at ${looked}${against})`;
  if (verdict.decision === "request_changes") return `changes requested: ${counts} (looked at ${looked}${against})`;
  if (verdict.conclusion === "action_required") return `not fully reviewed: ${counts} (looked at ${looked}${against})`;
  const deleted = coverage.uncovered.filter(({ reason }) => reason === "deleted").length;
  if (counts.startsWith("0 ") && deleted === coverage.files) {
    const what = deleted === 0 ? "no file differs" : `${count(deleted, "file")} deleted, no other differs`;
    return `nothing to review: ${what}${base ? ` from ${base.slice(0, 7)}` : ""}`;
  }
  // What was not read cannot be approved.
  if (coverage.files > 0 && coverage.filesCovered === 0)
    return `nothing was read: ${counts} (looked at ${looked}${against})`;

  const searched = coverage.searchedOnly?.length ?? 0;
  const but = searched > 0 ? `, ${count(searched, "file")} not analysed` : "";
  return `approved: ${counts}${but} (looked at ${looked}${against})`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/** File names and messages may hold what a terminal would obey. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => JSON.stringify(character).slice(1, -1));
}

/** Files that are named one by one; the others are counted. */
const MOST_NAMED = 50;

/** Files left out as intended: deleted ones, those that the configuration excludes, pictures and the like. */
function leftOut({ coverage }: FolderReview): string[] {
  const files = coverage.uncovered.filter(({ gap }) => !gap);
  const named = files.slice(0, MOST_NAMED).map(({ path, reason }) => `${path}: ${reason}`);
  return files.length > MOST_NAMED ? [...named, `${files.length - MOST_NAMED} more files`] : named;
}

/** "known vulnerabilities: looked up 3 packages ..."; empty where the change adds and updates none. */
export function lookups({ coverage: { packages } }: FolderReview): string[] {
  return packages === undefined ? [] : [`known vulnerabilities: ${packageLookups(packages)}`];
}

/** The obstacles to a complete review, in words. */
export function gaps({ coverage }: FolderReview): string[] {
  const layers = coverage.layers.filter(({ state }) => state === "failed" || state === "partly");
  return [
    ...layers.map(({ layer, reason }) => `${layer}: ${reason ?? "did not run"}`),
    ...coverage.uncovered.filter(({ gap }) => gap).map(({ path, reason }) => `${path}: ${reason}`),
  ];
}
