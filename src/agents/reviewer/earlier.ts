import { editsOf, type Observation } from "../../domain/findings.ts";
import type { ChangedFile } from "../../domain/hunks.ts";
import { CLAIM_KINDS, type Claim, type ClaimKind, type Judgement } from "./claims.ts";
import { type LineRange, locateQuote } from "./locate-quote.ts";
import type { StillFails } from "./ports.ts";
import type { PlacedClaim } from "./vote.ts";

/** An open finding of the AI layer on an earlier head, and the code that it was about. */
export interface EarlierFinding {
  readonly id: string;
  readonly finding: Observation;
  readonly quote: string;
  /** Somebody dismissed it: it is not said again, in whatever words. */
  readonly dismissed?: boolean;
}

/** An earlier finding at the place where its code stands now, which may be another file after a rename. */
export interface Spot {
  readonly id: string;
  readonly file: string;
  readonly place: LineRange;
}

export interface Recheck {
  /** Its code stands as it stood: the fault is there, and no model has to be asked again. */
  readonly unchanged: readonly Spot[];
  /** Its code changed, or what its fix would change: whether the fault is gone has to be looked at. */
  readonly changed: readonly (PlacedClaim & { readonly id: string; readonly finding: Observation })[];
  /** Somebody dismissed it, and its code stands. */
  readonly dismissed: readonly Spot[];
}

/** A changed file as it stands now. */
interface HeadFile {
  readonly changed: Pick<ChangedFile, "path">;
  readonly lines: readonly string[];
}

/** The fate of earlier findings (GH-3a): a finding is not fixed because another reading did not mention it. */
export function recheckEarlier(earlier: readonly EarlierFinding[], files: readonly HeadFile[]): Recheck {
  const unchanged: Spot[] = [];
  const changed: (PlacedClaim & { id: string; finding: Observation })[] = [];
  const dismissed: Spot[] = [];
  for (const { id, finding, quote, dismissed: isDismissed } of earlier) {
    const own = files.find(({ changed: { path } }) => path === finding.file);
    const spot = spotIn(own ? [own] : files, { id, finding, quote });
    if (spot && isDismissed) dismissed.push(spot);
    // What mends it may stand elsewhere.
    else if (spot && own && wasTouched(finding, files))
      changed.push({ id, finding, ...asClaim(finding, quote, own.lines.length), place: spot.place });
    else if (spot) unchanged.push(spot);
    // A file that left the change took its faults along.
    else if (own && !isDismissed) changed.push({ id, finding, ...asClaim(finding, quote, own.lines.length) });
  }
  return { unchanged, changed, dismissed };
}

/** Whether lines that its fix replaces do not stand any more as they stood. */
function wasTouched({ fix }: Observation, files: readonly HeadFile[]): boolean {
  return (fix ? editsOf(fix) : []).some(({ file, before }) => {
    const lines = files.find(({ changed }) => changed.path === file)?.lines;
    const old = before.split("\n");
    return lines !== undefined && !lines.some((_, at) => old.every((line, offset) => lines[at + offset] === line));
  });
}

function spotIn(files: readonly HeadFile[], { id, finding, quote }: EarlierFinding): Spot | undefined {
  for (const { changed, lines } of files) {
    const place = locateQuote(lines, { line: finding.line, quote });
    if (place) return { id, file: changed.path, place };
  }
  return undefined;
}

/**
 * The changed ones that were not refuted still stand: silence closes nothing. What a test showed is closed by that test alone, as long as
 * it can be executed: a model that is talked into something does not make it pass.
 */
export async function stillStanding(
  { unchanged, changed }: Recheck,
  judgementOf: (index: number) => Judgement | undefined,
  stillFails: StillFails | undefined,
): Promise<readonly Spot[]> {
  const left: Spot[] = [];
  for (const [index, { id, finding, claim, place }] of changed.entries()) {
    const { demonstration } = finding;
    const fails = demonstration && stillFails ? await stillFails(demonstration) : undefined;
    if (fails ?? judgementOf(index)?.verdict !== "refuted") left.push({ id, file: claim.file, place });
  }
  return [...unchanged, ...left];
}

function asClaim(finding: Observation, quote: string, lines: number): PlacedClaim {
  const kind = finding.rule.replace(/^ai\//, "");
  const line = Math.min(finding.line, Math.max(1, lines));
  const claim: Claim = {
    file: finding.file,
    line,
    quote: `${quote}\n(as it stood when this was reported; what would mend it or these lines have changed since)`,
    kind: kind in CLAIM_KINDS ? (kind as ClaimKind) : "logic",
    severity: finding.severity,
    claim: finding.message,
    scenario: finding.why ?? finding.message,
    confidence: finding.confidence,
  };
  return { claim, place: { line, endLine: Math.min(finding.endLine, Math.max(line, lines)) } };
}
