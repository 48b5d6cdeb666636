import type { CommandName } from "../../domain/commands.ts";
import { defined } from "../../domain/defined.ts";
import type { LedgerEntry } from "../../domain/findings.ts";
import { nearest } from "../../domain/nearest.ts";
import type { Refusal } from "../../domain/refusals.ts";

/** Ids that are offered when a prefix fits several. */
const MATCHES_NAMED = 5;
/** How far a mistyped id may be from the one that is offered. */
const NEAR = 2;

/**
 * The finding that a person means: by its id or any unambiguous beginning of it, or, where none is written, the one whose thread the
 * comment stands in. `thread` is the number of the thread's first comment.
 */
export function findTarget(
  ledger: readonly LedgerEntry[],
  { name, finding }: { readonly name: CommandName; readonly finding?: string | undefined },
  thread: number | undefined,
): LedgerEntry | Refusal {
  if (finding === undefined) {
    const here = thread === undefined ? undefined : ledger.find(({ commentId }) => commentId === thread);
    return here ?? { reason: "which_finding", name };
  }
  const written = typed(finding);
  const exact = ledger.find((entry) => entry.finding.id === written);
  if (exact) return exact;
  const matches = written.length > 2 ? ledger.filter((entry) => entry.finding.id.startsWith(written)) : [];
  if (matches.length === 1) return matches[0]!;
  const ids = (entries: readonly LedgerEntry[]) => entries.map((entry) => entry.finding.id);
  if (matches.length > 1) {
    return { reason: "ambiguous_finding", written: finding, matches: ids(matches).slice(0, MATCHES_NAMED) };
  }
  const near = nearest(written, ids(ledger), NEAR);
  return { reason: "unknown_finding", written: finding, ...defined({ nearest: near }) };
}

/** As an id is written: the alphabet has no O, I and L, so that who reads one for a digit is understood. */
function typed(written: string): string {
  const id = written.toUpperCase().replace(/^F-/, "");
  return `F-${id.replaceAll("O", "0").replace(/[IL]/g, "1")}`;
}
