import { defined } from "../../domain/defined.ts";
import type { EffectResult } from "../../domain/effects.ts";
import { byImportance, type Finding } from "../../domain/findings.ts";
import type { ReviewComment } from "../github-repository.ts";
import { markerFor } from "../marker.ts";
import { findingComment } from "../words/finding-comment.ts";
import { anchorFor } from "./anchor.ts";
import type { EffectHandler, EffectOf, Look } from "./effect-ports.ts";
import { postFileComments } from "./post-file-comments.ts";
import { findPosted, type PlannedComment, submitReview } from "./submit-review.ts";

type Placed = NonNullable<EffectResult["placed"]>;

/** What an earlier attempt posted. */
interface Posted {
  readonly reviewId: number | undefined;
  readonly comments: readonly ReviewComment[];
}

/**
 * Posts the findings as one review with line comments (GH-10). No finding is lost: one without a line in the diff, or beyond the limit,
 * is left to the annotations; one that GitHub refuses becomes a comment on its file, or else an annotation.
 */
export const postReview: EffectHandler<"review.post", Posted> = {
  find: async (effect, look) => {
    const { number } = effect.subject;
    const comments = await look.repository.listReviewComments(number);
    return { there: { reviewId: await findPosted(effect, look), comments } };
  },
  send: async (effect, there, ports) => {
    const { planned, left } = planComments(effect, ports);
    if (planned.length === 0) return { kind: "done", result: { placed: left } };
    const { reviewId, commentIds, refused } = await submitReview(effect, planned, there?.reviewId, ports);
    const fallen = await postFileComments(effect, refused, there?.comments ?? [], ports);
    const commented = planned
      .map(({ finding }) => finding.id)
      .filter((findingId) => !fallen.some((placed) => placed.findingId === findingId))
      .map((findingId) => {
        const commentId = commentIds.get(findingId);
        return { findingId, placement: "comment" as const, ...defined({ commentId }) };
      });
    const placed: Placed = [...commented, ...fallen, ...left];
    return { kind: "done", result: { placed, ...defined({ reviewId }) } };
  },
};

function planComments(
  effect: EffectOf<"review.post">,
  { wording, markerSecret }: Look,
): { planned: PlannedComment[]; left: Placed } {
  const { anchors, maxComments } = effect.payload;
  const planned: PlannedComment[] = [];
  const left: Placed = [];
  const leave = ({ id: findingId, commit }: Finding, reason: string) =>
    left.push({ findingId, placement: commit === undefined ? "annotation" : "summary", reason });
  for (const finding of effect.payload.findings.toSorted(byImportance)) {
    const anchor = anchorFor(finding, anchors, wording.redact);
    if (finding.severity === "info") leave(finding, "a note is never a comment");
    else if (!anchor) leave(finding, "its lines are not in the diff");
    else if (planned.length >= maxComments) leave(finding, `more than ${maxComments} comments`);
    else {
      const marker = markerFor({ kind: "finding", key: `${effect.key}#${finding.id}` }, markerSecret);
      const body = findingComment(finding, wording, { suggestion: anchor.suggestion, marker });
      const startLine = anchor.startLine < anchor.line ? { startLine: anchor.startLine } : {};
      planned.push({ finding, marker, comment: { path: finding.file, line: anchor.line, ...startLine, body } });
    }
  }
  return { planned, left };
}
