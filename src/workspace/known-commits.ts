import { stat } from "node:fs/promises";
import { join } from "node:path";

/** Commits that were seen in a repository, for as long as its packs are the same files. */
const seen = new Map<string, { readonly stamp: string; readonly shas: Set<string> }>();

/** Of more repositories than this at a time the oldest are forgotten. */
const MOST_REPOSITORIES = 1_000;

/**
 * Whether all of the commits were seen in the repository since its packs last changed: asking git costs a process each time, and a run on an
 * issue asks dozens of times. A fetch, joined packs and a repository that was built anew change the folder of the packs. What is damaged
 * without that is found by whoever reads it, and the mirror is built anew then. The caller holds the lock.
 */
export async function areKnown(gitDirectory: string, shas: readonly string[]): Promise<boolean> {
  const known = seen.get(gitDirectory);
  if (known === undefined || !shas.every((sha) => known.shas.has(sha))) return false;
  return known.stamp === (await stampOf(gitDirectory));
}

/** Notes that git has just found the commits there. */
export async function noteKnown(gitDirectory: string, shas: readonly string[]): Promise<void> {
  const stamp = await stampOf(gitDirectory);
  const known = seen.get(gitDirectory);
  const shared = known !== undefined && known.stamp === stamp ? known.shas : [];
  seen.delete(gitDirectory);
  seen.set(gitDirectory, { stamp, shas: new Set([...shared, ...shas]) });
  const [oldest] = seen.keys();
  if (seen.size > MOST_REPOSITORIES && oldest !== undefined) seen.delete(oldest);
}

async function stampOf(gitDirectory: string): Promise<string> {
  const { ino, mtimeNs, ctimeNs } = await stat(join(gitDirectory, "objects", "pack"), { bigint: true });
  return [ino, mtimeNs, ctimeNs].join(".");
}
