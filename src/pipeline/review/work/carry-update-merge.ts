import { isDeepStrictEqual } from "node:util";
import { defined } from "../../../domain/defined.ts";
import { readEvents } from "../../../store/read-events.ts";
import { readReviews } from "../../../store/read-reviews.ts";
import { isUpdateMergeOnly } from "../../../workspace/update-merge.ts";
import { fetchEnds } from "../../change/fetch-ends.ts";
import type { PullRequestFacts } from "../../runs/ports.ts";
import { replay } from "../evolve.ts";
import { type ReviewDependencies, type ReviewJob, submit } from "./review-job.ts";

/**
 * A push that only merged the base branch in is not reviewed anew (GH-3): the verdict of the last review is carried over to its head. Not
 * where a person asked, where another base or another configuration stands behind that review, and where it did not see everything.
 * @returns whether it was carried over
 */
export async function carryUpdateMerge(
  dependencies: ReviewDependencies,
  job: ReviewJob,
  { ends }: PullRequestFacts,
): Promise<boolean> {
  const { subject, runId, signal } = job;
  const { store, mirrorRoot, host } = dependencies;
  const [run, [last]] = await Promise.all([readEvents(store, runId).then(replay), readReviews(store, subject)]);
  if (run?.status !== "running" || !run.request.automatic || !last) return false;
  const { entered, completed } = last;
  const isSound = completed.conclusion !== "action_required" && completed.beyondLimit === 0;
  const isComparable = entered.ends.baseRef === ends.baseRef && entered.ends.headSha !== ends.headSha;
  if (!isSound || !isComparable || !isDeepStrictEqual(entered.configuration, run.configuration)) return false;
  const remote = host.remote(subject.repository);
  const mirror = await fetchEnds({ subject, ends, mirrorRoot, remote, signal });
  const push = { oldHead: entered.ends.headSha, newHead: ends.headSha, base: ends.baseSha, signal };
  const kind = await isUpdateMergeOnly(mirror, push);
  // What cannot be told for sure is reviewed.
  if (!kind.ok || !kind.isUpdateMergeOnly) return false;
  const earlier = replay(await readEvents(store, last.runId));
  const risk = earlier?.status === "completed" ? earlier.review?.risk : undefined;
  await submit(dependencies, job, {
    ...{ type: "review.carried", runId, review: completed, durationMs: 0 },
    carried: { headSha: completed.carried?.headSha ?? entered.ends.headSha },
    ...defined({ risk }),
  });
  return true;
}
