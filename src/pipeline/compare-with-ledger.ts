import { byImportance, type Finding, type LedgerEntry } from "../domain/findings.ts";
import type { ReviewCoverage } from "../domain/review-report.ts";

/** How the findings of a head relate to what the pull request's ledger knew (GH-3a). */
export interface Comparison {
  /** Never seen on this pull request. */
  readonly fresh: readonly Finding[];
  /** Were fixed or outdated once and are there again. */
  readonly back: readonly Finding[];
  /** Were open and are proven gone. */
  readonly fixed: readonly LedgerEntry[];
  /** All that is open on the head now, known ones with their places, most important first. */
  readonly open: readonly { readonly finding: Finding; readonly known?: LedgerEntry }[];
}

/**
 * An open finding counts as fixed only when its layer ran and its file was looked at on this head (or left the change); otherwise it
 * stays open: nothing is closed because nobody looked.
 */
export function compareWithLedger(
  found: readonly Finding[],
  ledger: readonly LedgerEntry[],
  coverage: ReviewCoverage,
): Comparison {
  const known = new Map(ledger.map((entry) => [entry.finding.fingerprint, entry]));
  const present = new Set(found.map((finding) => finding.fingerprint));
  const fresh: Finding[] = [];
  const back: Finding[] = [];
  const open: { finding: Finding; known?: LedgerEntry }[] = [];
  for (const finding of found) {
    const entry = known.get(finding.fingerprint);
    if (entry?.state === "dismissed") continue;
    if (!entry) fresh.push(finding);
    else if (entry.state === "fixed" || entry.state === "outdated") back.push(finding);
    open.push(entry ? { finding, known: entry } : { finding });
  }
  const fixed: LedgerEntry[] = [];
  for (const entry of ledger) {
    if (entry.state !== "open" && entry.state !== "regressed") continue;
    if (present.has(entry.finding.fingerprint)) continue;
    if (wasLookedAt(entry, coverage)) fixed.push(entry);
    else open.push({ finding: entry.finding, known: entry });
  }
  open.sort((a, b) => byImportance(a.finding, b.finding));
  return { fresh, back, fixed, open };
}

function wasLookedAt({ finding }: LedgerEntry, coverage: ReviewCoverage): boolean {
  const layer = coverage.layers.find((report) => report.layer === finding.source);
  if (layer?.state !== "ran" && layer?.state !== "partly") return false;
  // A layer that ran partly may have lost the very analyser that reported this.
  const [analyser] = finding.rule.split("/");
  if (layer.state === "partly" && !layer.tools.some(({ name }) => name === analyser)) return false;
  return !coverage.uncovered.some((file) => file.gap && file.path === finding.file);
}
