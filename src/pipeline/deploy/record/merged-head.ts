import { findMergeBase } from "../../../workspace/diff.ts";
import { knownObjects } from "../../../workspace/fetch-blobs.ts";
import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import { isAncestor, mergedTree, readTreeOf } from "../../../workspace/merged-tree.ts";
import { type Mirror, withMirror } from "../../../workspace/mirror.ts";
import { needed } from "../../change/fetch-ends.ts";
import type { HeadReview } from "../../runs/ports.ts";
import type { StepGroup } from "./group-steps.ts";
import type { MergedHead } from "./judge-landing.ts";

/** Other reviewed heads that are compared with the merged one. */
const ALIKE = 5;

/**
 * What git shows of a pull request that landed: whether the branch has exactly what merging its head gives, and which reviews looked at all of
 * that. Undefined where the head can no longer be read.
 * @throws ForgeError `change_unreadable` where that may pass
 */
export async function readMergedHead(
  mirror: Mirror,
  { steps, pull }: StepGroup,
  reviews: readonly HeadReview[],
  signal: AbortSignal,
): Promise<MergedHead | undefined> {
  const [newest] = steps;
  const oldest = steps.at(-1) ?? newest;
  const [base, second] = oldest.parents;
  // Of a merge git itself says what was merged; of what has no parent there is nothing to compare.
  const head = second ?? pull?.head;
  if (!pull || head === undefined || base === undefined) return undefined;
  const fetched = await fetchCommits(mirror, { shas: [head], refs: [`refs/pull/${pull.number}/head`], signal });
  if (!fetched.ok && fetched.reason === "missing commit") return undefined;
  needed(fetched);
  const read = await withMirror(mirror, signal, async () => {
    const of = await readTreeOf(mirror, head, signal);
    if (!of.ok) return of;
    const given = await mergedTree(mirror, base, head, { signal });
    if (!given.ok) return given;
    const complete = new Set<string>();
    const begun = new Set(reviews.flatMap(({ mergeBaseSha }) => mergeBaseSha ?? []));
    for (const one of await knownAmong(mirror, [...begun])) {
      const inside = await isAncestor(mirror, one, base, signal);
      if (inside.ok && inside.yes) complete.add(one);
    }
    const left = await findMergeBase(mirror, base, head, signal);
    if (!left.ok) return left;
    // On another base the same files can take back what came between.
    const others = reviews.filter((one) => one.headSha !== head && one.mergeBaseSha === left.sha);
    const alike = new Set<string>();
    for (const one of await knownAmong(
      mirror,
      others.slice(0, ALIKE).map(({ headSha }) => headSha),
    )) {
      const its = await readTreeOf(mirror, one, signal);
      if (its.ok && its.tree === of.tree) alike.add(one);
    }
    return { ok: true as const, sameFiles: given.tree === newest.tree, complete, alike };
  });
  const { sameFiles, complete, alike } = needed(read);
  return { head, sameFiles, alike, looksAtAll: (mergeBaseSha) => complete.has(mergeBaseSha) };
}

/** Of these commits those that the mirror has. */
async function knownAmong(mirror: Mirror, shas: readonly string[]): Promise<string[]> {
  if (shas.length === 0) return [];
  const found = await knownObjects(mirror, shas);
  return found.ok ? shas.filter((sha) => found.objects.get(sha)?.type === "commit") : [];
}
