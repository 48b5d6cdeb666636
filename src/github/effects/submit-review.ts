import type { Finding } from "../../domain/findings.ts";
import { numberOf } from "../../domain/subjects.ts";
import type { LineComment } from "../github-repository.ts";
import { findMarker, markerFor } from "../marker.ts";
import { reviewBody } from "../words/review/review-comments.ts";
import type { EffectOf, Look, Send } from "./effect-ports.ts";
import { findRefused } from "./find-refused.ts";
import { orRefused } from "./metered-writes.ts";

export interface PlannedComment {
  readonly finding: Finding;
  readonly marker: string;
  readonly comment: LineComment;
}

export interface SubmittedReview {
  /** Undefined when no comment could be posted. */
  readonly reviewId: number | undefined;
  /** Comment by finding id; one that GitHub does not list yet is missing. */
  readonly commentIds: ReadonlyMap<string, number>;
  readonly refused: readonly RefusedComment[];
}

export interface RefusedComment extends PlannedComment {
  readonly reason: string;
  /** False when GitHub takes no comment on this head at all. */
  readonly onFile: boolean;
}

type Effect = EffectOf<"review.post">;

/**
 * One review with all comments that GitHub takes; those it refuses are found by trying parts as pending reviews, which people do not see.
 * `earlier` is the review that an earlier attempt posted.
 */
export async function submitReview(
  effect: Effect,
  planned: readonly PlannedComment[],
  earlier: number | undefined,
  ports: Send,
): Promise<SubmittedReview> {
  if (earlier !== undefined) {
    const commentIds = await listComments(effect, earlier, planned, ports);
    const refused = planned.filter(({ finding }) => !commentIds.has(finding.id));
    const reason = "GitHub refused its lines";
    return { reviewId: earlier, commentIds, refused: refused.map((one) => ({ ...one, reason, onFile: true })) };
  }
  const first = await orRefused(create(effect, planned, "COMMENT", ports));
  if (first.ok) return submitted(effect, first.value.id, planned, [], ports);
  // A pending review that a crash left behind makes GitHub refuse every other.
  if ((await removePending(effect, ports)) > 0) {
    const second = await orRefused(create(effect, planned, "COMMENT", ports));
    if (second.ok) return submitted(effect, second.value.id, planned, [], ports);
  }
  return submitWithoutRefused(effect, planned, first.message, ports);
}

async function submitWithoutRefused(
  effect: Effect,
  planned: readonly PlannedComment[],
  reason: string,
  ports: Send,
): Promise<SubmittedReview> {
  const accepts = async (part: readonly PlannedComment[]) => {
    const trial = await orRefused(create(effect, part, "PENDING", ports));
    if (!trial.ok) return false;
    await ports.write.deletePendingReview(numberOf(effect.subject), trial.value.id);
    return true;
  };
  const all = (onFile: boolean): SubmittedReview => ({
    reviewId: undefined,
    commentIds: new Map(),
    refused: planned.map((one) => ({ ...one, reason, onFile })),
  });
  // When not even a review without comments is taken, the head or the pull request is at fault, and no comment can help.
  if (!(await accepts([]))) return all(false);
  const bad = new Set(await findRefused(planned, accepts));
  const good = planned.filter((one) => !bad.has(one));
  if (good.length === 0) return all(true);
  const final = await orRefused(create(effect, good, "COMMENT", ports));
  if (!final.ok) return all(true);
  const refused = [...bad].map((one) => ({ ...one, reason, onFile: true }));
  return submitted(effect, final.value.id, good, refused, ports);
}

async function create(
  effect: Effect,
  comments: readonly PlannedComment[],
  event: "COMMENT" | "PENDING",
  { write, results, markerSecret }: Send,
): Promise<{ readonly id: number }> {
  const { blocking, again, openKey } = effect.payload;
  const checkUrl = openKey === undefined ? undefined : (await results(openKey))?.checkUrl;
  return write.createReview(numberOf(effect.subject), {
    commitId: effect.payload.headSha,
    body: reviewBody(
      comments.map(({ finding }) => finding),
      { blocking, again, checkUrl },
      markerFor(effect, markerSecret),
    ),
    comments: comments.map(({ comment }) => comment),
    event,
  });
}

/** The review that an earlier attempt posted, if it did. */
export async function findPosted(effect: Effect, ports: Look): Promise<number | undefined> {
  const reviews = await ports.repository.listReviews(numberOf(effect.subject));
  const isOurs = (body: string) => findMarker(body, effect, ports.markerSecret);
  return reviews.find(({ byBot, pending, body }) => byBot && !pending && isOurs(body))?.id;
}

/** GitHub shows pending reviews to their author alone, so every one that is seen is ours. Returns how many there were. */
async function removePending({ subject }: Effect, ports: Send): Promise<number> {
  const pending = (await ports.repository.listReviews(numberOf(subject))).filter((review) => review.pending);
  for (const { id } of pending) {
    await ports.write.deletePendingReview(numberOf(subject), id);
  }
  return pending.length;
}

async function submitted(
  effect: Effect,
  reviewId: number,
  comments: readonly PlannedComment[],
  refused: readonly RefusedComment[],
  ports: Send,
): Promise<SubmittedReview> {
  return { reviewId, commentIds: await listComments(effect, reviewId, comments, ports), refused };
}

async function listComments(
  { subject }: Effect,
  reviewId: number,
  planned: readonly PlannedComment[],
  { repository }: Look,
): Promise<ReadonlyMap<string, number>> {
  const listed = await repository.listCommentsOfReview(numberOf(subject), reviewId);
  return new Map(
    planned.flatMap(({ finding, marker }) => {
      const comment = listed.find(({ body }) => body.includes(marker));
      return comment ? [[finding.id, comment.id] as const] : [];
    }),
  );
}
