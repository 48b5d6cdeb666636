import { type Finding, isBlocking, type LedgerEntry, type SuggestedFix } from "../../domain/findings.ts";

/**
 * The findings without those whose suggestion would take back one of Forge's own that was taken (GH-3b): two rules that disagree must not
 * send people back and forth. What blocks is told all the same, for then the advice was wrong.
 */
export function withoutTakenBack(findings: readonly Finding[], ledger: readonly LedgerEntry[]): Finding[] {
  const open = new Set(findings.map(({ fingerprint }) => fingerprint));
  const taken = ledger
    .filter(({ finding }) => !open.has(finding.fingerprint))
    .flatMap(({ finding, state }) => (finding.fix && state !== "dismissed" ? [changeOf(finding.fix)] : []));
  if (taken.length === 0) return [...findings];
  return findings.filter((finding) => {
    if (!finding.fix || isBlocking(finding)) return true;
    const { file, before, after } = changeOf(finding.fix);
    return !taken.some((earlier) => earlier.file === file && earlier.before === after && earlier.after === before);
  });
}

/** What a suggestion changes, without the lines around it that it only repeats. */
function changeOf({ file, before, after }: SuggestedFix): { file: string; before: string; after: string } {
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
