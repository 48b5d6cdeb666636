import { type Finding, isBlocking, type LedgerEntry } from "../../domain/findings.ts";
import type { ReviewFinished } from "../../domain/inputs.ts";
import type { EarlierReview } from "../../store/read-reviews.ts";
import type { Comparison } from "./compare-with-ledger.ts";
import type { RunningRun } from "./run-state.ts";

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
    .filter((finding) => !automatic || finding.secret || isOnChangedLine(finding, input));
}

/** What stood in the check alone is brought into a comment where a person asks, and where it was fixed and is back. */
function isUnseen(known: LedgerEntry | undefined, again: boolean): boolean {
  if (known === undefined || known.placement === "none") return true;
  return again && (known.placement === "annotation" || known.placement === "summary");
}

function isOnChangedLine({ file, line, endLine }: Finding, { changedSince }: ReviewFinished): boolean {
  if (changedSince === undefined) return true;
  const ranges = changedSince.find(({ path }) => path === file)?.ranges ?? [];
  return ranges.some(([first, last]) => line <= last && first <= endLine);
}
