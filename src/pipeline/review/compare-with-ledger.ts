import { isWanted } from "../../analysis/path-filter.ts";
import { TYPE_CHECK } from "../../analysis/project-types.ts";
import {
  byImportance,
  editsOf,
  type Finding,
  guardOf,
  isBlocking,
  isOpen,
  type LedgerEntry,
  type StandingDismissal,
  type SuggestedEdit,
} from "../../domain/findings.ts";
import type { ReviewFinished } from "../../domain/inputs.ts";
import type { ReviewCoverage } from "../../domain/review-report.ts";
import type { EarlierReview } from "../../store/runs/read-runs.ts";
import type { RunningRun } from "./run-state.ts";

/** How the findings of a head relate to what the pull request's ledger knew (GH-3a). */
export interface Comparison {
  /** Never seen on this pull request; what is dismissed from the beginning is not among them. */
  readonly fresh: readonly Finding[];
  /** Were fixed or outdated once and are there again. */
  readonly back: readonly Finding[];
  /** Were open and are proven gone. */
  readonly fixed: readonly LedgerEntry[];
  /** Were open, and their file is no part of the change any more. */
  readonly outdated: readonly LedgerEntry[];
  /** Were not dismissed so far, and a dismissal that stands in the repository covers them (HUM-1). */
  readonly dismissed: readonly Dismissed[];
  /** Were dismissed, and nothing covers them any more. */
  readonly released: readonly LedgerEntry[];
  /** All that is open on the head now, known ones with their places, most important first. */
  readonly open: readonly Found[];
}

export interface Found {
  readonly finding: Finding;
  readonly known?: LedgerEntry;
}

export interface Dismissed extends Found {
  readonly dismissal: StandingDismissal;
}

/**
 * An open finding counts as fixed only when its layer ran and its file was looked at on this head (or left the change); otherwise it
 * stays open: nothing is closed for not having been looked at.
 * @param left files that the change does not hold any more: what was found in them is outdated. A secret stays in the history.
 */
export function compareWithLedger(
  found: readonly Finding[],
  ledger: readonly LedgerEntry[],
  coverage: ReviewCoverage,
  standing: readonly StandingDismissal[] = [],
  left: readonly string[] = [],
): Comparison {
  const byFingerprint = new Map(ledger.map((entry) => [entry.finding.fingerprint, entry]));
  const fresh: Finding[] = [];
  const back: Finding[] = [];
  const dismissed: Dismissed[] = [];
  const released: LedgerEntry[] = [];
  const open: Found[] = [];
  const sort = ({ finding, known }: Found) => {
    const one = known ? { finding, known } : { finding };
    const dismissal = coveringDismissal(finding, standing);
    if (dismissal) {
      if (known?.state !== "dismissed") dismissed.push({ ...one, dismissal });
      return;
    }
    if (!known) fresh.push(finding);
    else if (known.state === "fixed" || known.state === "outdated") back.push(finding);
    else if (known.state === "dismissed") released.push(known);
    open.push(one);
  };
  for (const finding of found) {
    const known = byFingerprint.get(finding.fingerprint);
    sort(known ? { finding, known } : { finding });
  }
  const present = new Set(found.map((finding) => finding.fingerprint));
  const fixed: LedgerEntry[] = [];
  const outdated: LedgerEntry[] = [];
  for (const entry of ledger.filter(isOpen)) {
    if (present.has(entry.finding.fingerprint)) continue;
    const { file, secret } = entry.finding;
    if (wasLookedAt(entry, coverage)) (left.includes(file) && !secret ? outdated : fixed).push(entry);
    else sort({ finding: entry.finding, known: entry });
  }
  open.sort((a, b) => byImportance(a.finding, b.finding));
  return { fresh, back, fixed, outdated, dismissed, released, open };
}

function wasLookedAt({ finding }: LedgerEntry, coverage: ReviewCoverage): boolean {
  const layer = coverage.layers.find((report) => report.layer === finding.source);
  if (layer?.state !== "ran" && layer?.state !== "partly") return false;
  // A layer that ran partly may have lost the very analyser that reported this; the project's own type check runs where it can.
  const [analyser] = finding.rule.split("/");
  const mayHaveLost = layer.state === "partly" || analyser === TYPE_CHECK;
  if (mayHaveLost && !layer.tools.some(({ name }) => name === analyser)) return false;
  return !coverage.uncovered.some((file) => file.gap && file.path === finding.file);
}

/**
 * The findings without those whose suggestion would take back one of Forge's own that was taken (GH-3b): two rules that disagree must not
 * send people back and forth. What blocks is told all the same, for then the advice was wrong.
 */
export function withoutTakenBack(findings: readonly Finding[], ledger: readonly LedgerEntry[]): Finding[] {
  const open = new Set(findings.map(({ fingerprint }) => fingerprint));
  const taken = ledger
    .filter(({ finding }) => !open.has(finding.fingerprint))
    .flatMap(({ finding, state }) => (finding.fix && state !== "dismissed" ? editsOf(finding.fix).map(changeOf) : []));
  if (taken.length === 0) return [...findings];
  return findings.filter((finding) => {
    if (!finding.fix || isBlocking(finding)) return true;
    return !editsOf(finding.fix)
      .map(changeOf)
      .some(({ file, before, after }) =>
        taken.some((earlier) => earlier.file === file && earlier.before === after && earlier.after === before),
      );
  });
}

/** The lines that a suggestion changes, without those that it only repeats. */
function changeOf({ file, before, after }: SuggestedEdit): { file: string; before: string; after: string } {
  const old = linesOf(before);
  const next = linesOf(after);
  while (old.length > 0 && next.length > 0 && old[0] === next[0]) {
    old.shift();
    next.shift();
  }
  while (old.length > 0 && next.length > 0 && old.at(-1) === next.at(-1)) {
    old.pop();
    next.pop();
  }
  return { file, before: old.join("\n"), after: next.join("\n") };
}

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.trimEnd());
}

/**
 * The dismissal that covers a finding, if one does (HUM-1): its own, one of the same place wherever in the repository it shows, or one of
 * its rule. Secrets and critical security findings are dismissed one by one: no rule or path ever covers them.
 */
export function coveringDismissal(
  finding: Finding,
  standing: readonly StandingDismissal[],
): StandingDismissal | undefined {
  const own = standing.find(({ findingId }) => findingId === finding.id);
  return own ?? standing.find((dismissal) => covers(dismissal, finding));
}

function covers({ scope, fingerprint, rule }: StandingDismissal, finding: Finding): boolean {
  if (fingerprint === finding.fingerprint) return true;
  if (guardOf(finding) || rule !== finding.rule) return false;
  switch (scope.kind) {
    case "here":
      return false;
    case "path":
      return isWanted(finding.file, { include: [scope.glob], exclude: [] });
    case "rule":
      return true;
  }
}

/** How many automatic reviews in a row posted comments, newest first; a review that a person asked for begins anew. */
export function countRounds(reviews: readonly Pick<EarlierReview, "started" | "completed">[]): number {
  const asked = reviews.findIndex(({ started }) => !started.request.automatic);
  const inRow = asked === -1 ? reviews : reviews.slice(0, asked);
  return inRow.filter(({ completed }) => (completed.commented ?? 0) > 0).length;
}

/**
 * The findings that become comments: above info, as the configuration wants them (GH-10a), none twice. A later review comments on what is
 * new on lines that changed since, and on secrets; all else that is new is left to the check, and after `max_rounds` everything is
 * (GH-3b). A review that a person asked for has no such limits.
 */
export function findingsToComment(run: RunningRun, input: ReviewFinished, comparison: Comparison): Finding[] {
  const { comments, max_rounds } = run.configuration.review;
  const { automatic } = run.request;
  // Who looks at a merge group looks at the pull requests in it.
  if (run.subject.kind === "merge_group") return [];
  // Forge would talk to itself: what it finds in its own work goes back into the work, and stands on the check.
  if (run.implements) return [];
  if (comments === "none" || (automatic && (input.rounds ?? 0) >= max_rounds)) return [];
  const back = new Set(comparison.back.map(({ fingerprint }) => fingerprint));
  return comparison.open
    .filter(({ finding, known }) => isUnseen(known, !automatic || back.has(finding.fingerprint)))
    .map(({ finding }) => finding)
    .filter((finding) => finding.severity !== "info" && (comments === "all" || isBlocking(finding)))
    .filter((finding) => !automatic || finding.secret || isShown(finding) || isOnChangedLine(finding, input));
}

/** A fault shown by an executed test is reported wherever it stands. */
function isShown(finding: Finding): boolean {
  return finding.verified !== undefined && isBlocking(finding);
}

/**
 * The findings without those that an automatic review makes anew on lines that were reviewed before (GH-3b): they had their chance, and
 * count neither in comments nor in the verdict. What blocks counts wherever it stands, and so do secrets and what was there once.
 */
export function withoutLate(
  findings: readonly Finding[],
  ledger: readonly LedgerEntry[],
  { automatic }: Pick<RunningRun["request"], "automatic">,
  input: Pick<ReviewFinished, "changedSince" | "lookedBefore">,
): readonly Finding[] {
  if (!automatic || input.changedSince === undefined) return findings;
  const known = new Set(ledger.map(({ finding }) => finding.fingerprint));
  return findings.filter(
    (finding) => known.has(finding.fingerprint) || isBlocking(finding) || isOnChangedLine(finding, input),
  );
}

/** A finding of the check alone becomes a comment where a person asks, and where it was fixed and is back. */
function isUnseen(known: LedgerEntry | undefined, again: boolean): boolean {
  if (known === undefined || known.placement === "none") return true;
  return again && (known.placement === "annotation" || known.placement === "summary");
}

function isOnChangedLine(
  { source, file, line, endLine }: Finding,
  { changedSince, lookedBefore }: Pick<ReviewFinished, "changedSince" | "lookedBefore">,
): boolean {
  if (changedSince === undefined || lookedBefore?.includes(source) === false) return true;
  const ranges = changedSince.find(({ path }) => path === file)?.ranges ?? [];
  return ranges.some(([first, last]) => line <= last && first <= endLine);
}
