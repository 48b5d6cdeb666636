import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { runGit } from "./git.ts";
import { FETCH_COMMITS_LIMITS, FETCH_MEMORY_BYTES } from "./limits.ts";
import type { Mirror } from "./mirror.ts";
import { rebuildMirror } from "./mirror-directory.ts";

/**
 * Keeps a much used mirror quick: above the permitted number of packs they are joined into one and the oldest references forgotten.
 * When that fails the mirror starts anew, because a fetch repairs it and nothing else would. The caller holds the lock.
 */
export async function joinPacks(mirror: Mirror, limits: { packs: number; references: number }): Promise<void> {
  const { gitDirectory } = mirror.places;
  const packs = (await readdir(join(gitDirectory, "objects", "pack"))).filter((name) => name.endsWith(".pack"));
  if (packs.length <= limits.packs) return;
  const forgotten = await forgetReferences(gitDirectory, limits.references);
  const joined = await runGit({
    gitDirectory,
    args: ["repack", "-a", "-d", "-q"],
    // Without the mark of a partial clone git would miss the blobs that were never fetched; the network stays closed.
    settings: [["remote.origin.promisor", "true"]],
    timeoutMs: FETCH_COMMITS_LIMITS.timeMs,
    memoryBytes: FETCH_MEMORY_BYTES,
  });
  if (!forgotten || !joined.ok) await rebuildMirror(mirror.places);
}

async function forgetReferences(gitDirectory: string, keep: number): Promise<boolean> {
  const args = ["for-each-ref", "--sort=-committerdate", "--format=delete %(refname)", "refs/forge/"];
  const listed = await runGit({ gitDirectory, args });
  const surplus = listed.stdout.toString().trim().split("\n").slice(keep);
  if (!listed.ok || surplus.length === 0) return listed.ok;
  return (await runGit({ gitDirectory, args: ["update-ref", "--stdin"], input: `${surplus.join("\n")}\n` })).ok;
}
