import { isAnchorable } from "../../domain/hunks.ts";
import type { AiReviewTask, Rejected } from "./ai-review.ts";
import type { Claim } from "./claims.ts";
import { locateQuote } from "./locate-quote.ts";
import { type PlacedClaim, VOTING, type Voted } from "./vote.ts";

/** The claims whose quoted code stands on lines of the change, where it stands; the others with the reason (REV-4). */
export function placeClaims(
  claims: readonly Claim[],
  { files }: AiReviewTask,
): { kept: PlacedClaim[]; rejected: Rejected[] } {
  const kept: PlacedClaim[] = [];
  const rejected: Rejected[] = [];
  for (const claim of claims) {
    const file = files.find(({ changed }) => changed.path === claim.file);
    const place = file && locateQuote(file.lines, claim);
    if (!file) rejected.push({ claim, by: "place", reason: "the change has no such file" });
    else if (!place) rejected.push({ claim, by: "quote", reason: "the quoted code does not stand there" });
    else if (!isAnchorable(file.changed.hunks, place.line, place.endLine)) {
      rejected.push({ claim, by: "place", reason: "the lines are not part of the change" });
    } else kept.push({ claim, place });
  }
  return { kept, rejected };
}

/** The claims that too few readers made. */
export function outvoted(kept: readonly PlacedClaim[], voted: readonly Voted[]): Rejected[] {
  const covered = ({ claim, place }: PlacedClaim) =>
    voted.some(
      (other) =>
        other.claim.file === claim.file &&
        other.claim.kind === claim.kind &&
        other.place.line <= place.endLine &&
        place.line <= other.place.endLine,
    );
  return kept
    .filter((each) => !covered(each))
    .map(({ claim }) => ({
      claim,
      by: "vote",
      reason: `fewer than ${VOTING.needed} of ${VOTING.passes} readers saw it`,
    }));
}
