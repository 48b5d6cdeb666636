import type { Claim } from "./claims.ts";
import type { LineRange } from "./locate-quote.ts";

/** A claim at the place where its quote was found. */
export interface PlacedClaim {
  readonly claim: Claim;
  readonly place: LineRange;
  /** The sentence of the repository's instructions that it rests on, where it stands there (GH-15a). */
  readonly rule?: Claim["rule"];
}

export interface Voted extends PlacedClaim {
  /** Passes that made it. */
  readonly votes: number;
}

/**
 * One list out of several passes over the same change (REV-4): claims of one cause, which is the same file, kind and overlapping
 * lines, count once per pass. Of each the most confident wording stays.
 * @param passes what each pass claimed, in any order
 * @param needed votes without which a claim is dropped; 1 keeps all
 */
export function vote(passes: readonly (readonly PlacedClaim[])[], needed: number): Voted[] {
  const groups: { claims: PlacedClaim[]; passes: Set<number> }[] = [];
  passes.forEach((claims, pass) => {
    for (const claim of claims) {
      const group = groups.find((each) => each.claims.some((other) => isSameCause(other, claim)));
      if (group === undefined) groups.push({ claims: [claim], passes: new Set([pass]) });
      else {
        group.claims.push(claim);
        group.passes.add(pass);
      }
    }
  });
  return groups
    .filter((group) => group.passes.size >= needed)
    .map((group) => ({ ...best(group.claims), votes: group.passes.size }));
}

/** Passes of a review that votes, and the votes a claim needs: two of three. */
export const VOTING = { passes: 3, needed: 2 } as const;

function isSameCause(a: PlacedClaim, b: PlacedClaim): boolean {
  if (a.claim.file !== b.claim.file || a.claim.kind !== b.claim.kind) return false;
  return a.place.line <= b.place.endLine && b.place.line <= a.place.endLine;
}

function best(claims: readonly PlacedClaim[]): PlacedClaim {
  return claims.reduce((most, each) => (each.claim.confidence > most.claim.confidence ? each : most));
}
