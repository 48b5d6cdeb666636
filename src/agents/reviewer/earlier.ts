import type { Observation } from "../../domain/findings.ts";
import type { AiReviewTask } from "./ai-review.ts";
import { CLAIM_KINDS, type Claim, type ClaimKind, type Judgement } from "./claims.ts";
import { locateQuote, type Place } from "./locate-quote.ts";
import type { PlacedClaim } from "./vote.ts";

/** An open finding of the AI layer on an earlier head, and the code that it was about. */
export interface EarlierFinding {
  readonly id: string;
  readonly finding: Observation;
  readonly quote: string;
}

export interface Recheck {
  /** Its code stands as it stood: the fault is there, and nobody has to be asked again. */
  readonly unchanged: readonly { readonly id: string; readonly place: Place }[];
  /** Its code changed: whether the fault is gone has to be looked at. */
  readonly changed: readonly (PlacedClaim & { readonly id: string })[];
}

/** What became of earlier findings (GH-3a): a finding is not fixed because another reading did not mention it. */
export function recheckEarlier(earlier: readonly EarlierFinding[], { files }: Pick<AiReviewTask, "files">): Recheck {
  const unchanged: { id: string; place: Place }[] = [];
  const changed: (PlacedClaim & { id: string })[] = [];
  for (const { id, finding, quote } of earlier) {
    const file = files.find(({ changed: { path } }) => path === finding.file);
    // A file that left the change took its faults along.
    if (!file) continue;
    const place = locateQuote(file.lines, { line: finding.line, quote });
    if (place) unchanged.push({ id, place });
    else changed.push({ id, ...asClaim(finding, quote, file.lines.length) });
  }
  return { unchanged, changed };
}

/** The changed ones that nobody refuted still stand: silence closes nothing. */
export function stillStanding(
  { unchanged, changed }: Recheck,
  judgementOf: (index: number) => Judgement | undefined,
): readonly { readonly id: string; readonly place: Place }[] {
  const left = changed.filter((_, index) => judgementOf(index)?.verdict !== "refuted");
  return [...unchanged, ...left.map(({ id, place }) => ({ id, place }))];
}

function asClaim(finding: Observation, quote: string, lines: number): PlacedClaim {
  const kind = finding.rule.replace(/^ai\//, "");
  const line = Math.min(finding.line, Math.max(1, lines));
  const claim: Claim = {
    file: finding.file,
    line,
    quote: `${quote}\n(as it stood when this was reported; the lines have changed since)`,
    kind: kind in CLAIM_KINDS ? (kind as ClaimKind) : "logic",
    severity: finding.severity,
    claim: finding.message,
    scenario: finding.why ?? finding.message,
    confidence: finding.confidence,
  };
  return { claim, place: { line, endLine: Math.min(finding.endLine, Math.max(line, lines)) } };
}
