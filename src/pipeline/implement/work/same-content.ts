import type { Gate } from "../../../domain/gates.ts";
import type { PullRequestEnds } from "../../../domain/subjects.ts";
import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import type { Mirror } from "../../../workspace/mirror.ts";
import { readTreeId } from "../../../workspace/read-tree-id.ts";
import { isUpdateMergeOnly } from "../../../workspace/update-merge.ts";
import type { Implementation } from "../implementation.ts";
import { openRepository } from "./open-mirror.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/**
 * The heads that people said yes to and that the present one does not differ from (GH-14a): it has the same tree, or only the base branch was
 * merged in. What cannot be told for sure is no such head.
 * @throws ForgeError `change_unreadable` when the present head cannot be fetched
 */
export async function headsOfSameContent(
  dependencies: Pick<WorkDependencies, "host" | "mirrorRoot">,
  { signal }: Pick<WorkJob, "signal">,
  { subject, gates, reviewed }: Pick<Implementation, "subject" | "gates" | "reviewed">,
  { headSha, baseSha }: Pick<PullRequestEnds, "headSha" | "baseSha">,
): Promise<string[]> {
  const approved = [...new Set(gates.filter(isJudged).map((gate) => gate.headSha))].filter((sha) => sha !== headSha);
  if (approved.length === 0) return [];
  const mirror = await openRepository(dependencies, subject, [headSha, baseSha], signal);
  const isLike = (earlier: string) => isSame(mirror, { earlier, headSha, baseSha, signal });
  // One step after the other: what is like the head before, which was like the approved one, is like that.
  const inherited = reviewed?.sameAs && (await isLike(reviewed.headSha)) ? reviewed.sameAs : [];
  const same: string[] = [];
  for (const earlier of approved) if (inherited.includes(earlier) || (await isLike(earlier))) same.push(earlier);
  return same;
}

/** Answers about the change itself, not about how it is made. */
function isJudged({ question, standing }: Gate): boolean {
  return standing.is === "approved" && "treeSha" in question;
}

interface Heads {
  readonly earlier: string;
  readonly headSha: string;
  readonly baseSha: string;
  readonly signal: AbortSignal;
}

async function isSame(mirror: Mirror, { earlier, headSha, baseSha, signal }: Heads): Promise<boolean> {
  // A head that was pushed over may be gone for good.
  if (!(await fetchCommits(mirror, { shas: [earlier], signal })).ok) return false;
  const [before, now] = [await readTreeId(mirror, earlier, signal), await readTreeId(mirror, headSha, signal)];
  if (!before.ok || !now.ok) return false;
  if (before.tree === now.tree) return true;
  const kind = await isUpdateMergeOnly(mirror, { oldHead: earlier, newHead: headSha, base: baseSha, signal });
  return kind.ok && kind.isUpdateMergeOnly;
}
