import { type Effect, effectKey } from "../../domain/effects.ts";
import type { LedgerEntry } from "../../domain/findings.ts";
import { subjectKey } from "../../domain/subjects.ts";
import type { Comparison } from "./compare-with-ledger.ts";
import type { RunningRun } from "./run-state.ts";

/** What follows for the threads of findings that are fixed or back (GH-3a). One that never became a comment has no thread. */
export function threadEffects(run: RunningRun, comparison: Comparison): Effect[] {
  const { headSha } = run.ends;
  const key = (kind: Effect["kind"], findingId: string) =>
    effectKey(kind, subjectKey(run.subject), headSha, run.request.id, findingId);
  const fixed = comparison.fixed.filter(hasThread).map(({ finding, commentId }): Effect => {
    const because = { kind: "fixed", headSha, ...(finding.secret ? { secret: true } : {}) } as const;
    const payload = { findingId: finding.id, commentId, because };
    return { kind: "thread.resolve", key: key("thread.resolve", finding.id), payload };
  });
  const returned = new Set(comparison.back.map(({ fingerprint }) => fingerprint));
  const back = comparison.open
    .flatMap(({ finding, known }) => (known && returned.has(finding.fingerprint) ? [known] : []))
    .filter(hasThread)
    .map(({ finding, commentId }): Effect => {
      const payload = { findingId: finding.id, commentId, headSha };
      return { kind: "thread.reopen", key: key("thread.reopen", finding.id), payload };
    });
  const dismissed = comparison.dismissed.flatMap(({ known }) => (known ? [known] : []));
  return [...fixed, ...back, ...closeDismissed(dismissed, key), ...reopenReleased(comparison.released, key)];
}

/** The key of one effect on the thread of a finding. */
export type ThreadKey = (kind: Effect["kind"], findingId: string) => string;

/** Threads of what is dismissed are resolved without a word: who dismissed it knows, and the check says it. */
export function closeDismissed(entries: readonly LedgerEntry[], key: ThreadKey): Effect[] {
  return entries.filter(hasThread).map(({ finding, commentId }): Effect => {
    const payload = { findingId: finding.id, commentId, because: { kind: "dismissed" } } as const;
    return { kind: "thread.resolve", key: key("thread.resolve", finding.id), payload };
  });
}

/** And opened again without a word when the dismissal is taken back. */
export function reopenReleased(entries: readonly LedgerEntry[], key: ThreadKey): Effect[] {
  return entries.filter(hasThread).map(({ finding, commentId }): Effect => {
    const payload = { findingId: finding.id, commentId };
    return { kind: "thread.reopen", key: key("thread.reopen", finding.id), payload };
  });
}

function hasThread(entry: LedgerEntry): entry is LedgerEntry & { readonly commentId: number } {
  return entry.commentId !== undefined && (entry.placement === "comment" || entry.placement === "file_comment");
}
