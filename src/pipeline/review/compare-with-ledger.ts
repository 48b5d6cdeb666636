import type { StandingDismissal } from "../../domain/dismissals.ts";
import { byImportance, type Finding, type LedgerEntry } from "../../domain/findings.ts";
import type { ReviewCoverage } from "../../domain/review-report.ts";
import { isOpen } from "./reviewed-report.ts";
import { coveringDismissal } from "./standing-dismissals.ts";

/** How the findings of a head relate to what the pull request's ledger knew (GH-3a). */
export interface Comparison {
  /** Never seen on this pull request; what is dismissed from the beginning is not among them. */
  readonly fresh: readonly Finding[];
  /** Were fixed or outdated once and are there again. */
  readonly back: readonly Finding[];
  /** Were open and are proven gone. */
  readonly fixed: readonly LedgerEntry[];
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
 * stays open: nothing is closed because nobody looked.
 */
export function compareWithLedger(
  found: readonly Finding[],
  ledger: readonly LedgerEntry[],
  coverage: ReviewCoverage,
  standing: readonly StandingDismissal[] = [],
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
  for (const entry of ledger.filter(isOpen)) {
    if (present.has(entry.finding.fingerprint)) continue;
    if (wasLookedAt(entry, coverage)) fixed.push(entry);
    else sort({ finding: entry.finding, known: entry });
  }
  open.sort((a, b) => byImportance(a.finding, b.finding));
  return { fresh, back, fixed, dismissed, released, open };
}

function wasLookedAt({ finding }: LedgerEntry, coverage: ReviewCoverage): boolean {
  const layer = coverage.layers.find((report) => report.layer === finding.source);
  if (layer?.state !== "ran" && layer?.state !== "partly") return false;
  // A layer that ran partly may have lost the very analyser that reported this.
  const [analyser] = finding.rule.split("/");
  if (layer.state === "partly" && !layer.tools.some(({ name }) => name === analyser)) return false;
  return !coverage.uncovered.some((file) => file.gap && file.path === finding.file);
}
