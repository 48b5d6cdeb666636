import { numberOf, subjectKey } from "../../domain/subjects.ts";
import { type Marked, markerFor } from "../marker.ts";
import { takenBackText, verdictText } from "../words/review/review-comments.ts";
import { type EffectHandler, nothingToFind } from "./effect-ports.ts";

/** All verdicts of Forge on a pull request carry the same marker: there is one at a time. */
function markOf(subject: Parameters<typeof subjectKey>[0]): Marked {
  return { kind: "verdict", key: subjectKey(subject) };
}

/**
 * Makes Forge's own verdict on a pull request what it should be (GH-10b): the one that stands is dismissed where it is another one, before a
 * new one is given. It looks for itself what stands there, so that a repetition changes nothing.
 */
export const setVerdict: EffectHandler<"review.verdict", undefined> = {
  find: nothingToFind,
  send: async ({ subject, payload }, _, { repository, write, markerSecret }) => {
    const number = numberOf(subject);
    const { is, headSha } = payload;
    const marker = markerFor(markOf(subject), markerSecret);
    const reviews = await repository.listReviews(number);
    const standing = reviews.filter((review) => review.byBot && review.verdict && review.body.includes(marker));
    const right = standing.find((review) => review.verdict === is && review.commitId === headSha);
    for (const { id } of standing.filter((review) => review !== right)) {
      await write.dismissReview(number, id, takenBackText(is));
    }
    if (is === "none" || right) return { kind: "done", result: right ? { reviewId: right.id } : {} };
    const pull = await repository.getPull(number);
    if (!pull.open || pull.headSha !== headSha) return { kind: "obsolete", reason: "the head is another one now" };
    const event = is === "approved" ? ("APPROVE" as const) : ("REQUEST_CHANGES" as const);
    const body = `${verdictText(payload)}\n${marker}`;
    const { id } = await write.createReview(number, { commitId: headSha, body, comments: [], event });
    return { kind: "done", result: { reviewId: id } };
  },
};
