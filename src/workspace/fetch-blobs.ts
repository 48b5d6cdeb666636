import { gitFailure, type WorkspaceFailure } from "./failure.ts";
import { type Fetched, fetchObjects } from "./fetch-objects.ts";
import { runGit } from "./git.ts";
import { factsOf, type ObjectInfo } from "./known-facts.ts";
import { FETCH_BLOBS_LIMITS, type FetchLimits } from "./limits.ts";
import type { Mirror } from "./mirror.ts";

/**
 * Brings those of the blobs that the mirror does not have, all in one request. The caller holds the lock. A server that does not have
 * all of them refuses a whole request: the others are then asked for in halves, and the failure `missing commit` remains.
 */
export async function fetchBlobs(
  mirror: Mirror,
  shas: Iterable<string>,
  signal?: AbortSignal,
  limits: FetchLimits = FETCH_BLOBS_LIMITS,
): Promise<Fetched | WorkspaceFailure> {
  const wanted = [...new Set(shas)];
  const present = await knownObjects(mirror, wanted);
  return present.ok ? fetchOthers(mirror, wanted, present.objects, signal, limits) : present;
}

export interface Brought {
  readonly ok: true;
  /** Of those that are there now. */
  readonly objects: ReadonlyMap<string, ObjectInfo>;
  /** `missing commit`, where the server does not have all of them. */
  readonly lacking?: WorkspaceFailure;
}

/** The same for callers that ask for types and sizes next: where nothing is missing, looking for it has told them. */
export async function bringBlobs(
  mirror: Mirror,
  shas: Iterable<string>,
  signal?: AbortSignal,
  limits: FetchLimits = FETCH_BLOBS_LIMITS,
): Promise<Brought | WorkspaceFailure> {
  const wanted = [...new Set(shas)];
  const present = await knownObjects(mirror, wanted);
  if (!present.ok || present.objects.size === wanted.length) return present;
  const fetched = await fetchOthers(mirror, wanted, present.objects, signal, limits);
  if (!fetched.ok && fetched.reason !== "missing commit") return fetched;
  const now = await knownObjects(mirror, wanted);
  return now.ok && !fetched.ok ? { ...now, lacking: fetched } : now;
}

async function fetchOthers(
  mirror: Mirror,
  wanted: readonly string[],
  present: ReadonlyMap<string, ObjectInfo>,
  signal: AbortSignal | undefined,
  limits: FetchLimits,
): Promise<Fetched | WorkspaceFailure> {
  const missing = wanted.filter((sha) => !present.has(sha));
  if (missing.length === 0) return { ok: true, bytes: 0 };
  return fetchListed(mirror, missing, { ...limits, deadline: Date.now() + limits.timeMs }, signal);
}

async function fetchListed(
  mirror: Mirror,
  shas: readonly string[],
  limits: { bytes: number; deadline: number },
  signal: AbortSignal | undefined,
): Promise<Fetched | WorkspaceFailure> {
  const left = { bytes: limits.bytes, timeMs: Math.max(0, limits.deadline - Date.now()) };
  const input = `${shas.join("\n")}\n`;
  const fetched = await fetchObjects(mirror, { args: ["--stdin"], input, limits: left, signal });
  if (fetched.ok || fetched.reason !== "missing commit" || shas.length === 1) return fetched;
  const middle = Math.ceil(shas.length / 2);
  const first = await fetchListed(mirror, shas.slice(0, middle), limits, signal);
  if (!first.ok && first.reason !== "missing commit") return first;
  const second = await fetchListed(mirror, shas.slice(middle), limits, signal);
  return second.ok ? first : second;
}

/** The same as `objectInfo`, of which git is asked once for as long as the packs of the mirror are the same. The caller holds the lock. */
export async function knownObjects(
  mirror: Mirror,
  shas: readonly string[],
): Promise<{ ok: true; objects: Map<string, ObjectInfo> } | WorkspaceFailure> {
  const facts = (await factsOf(mirror.places.gitDirectory)).objects;
  const asked = await objectInfo(
    mirror,
    shas.filter((sha) => !facts.has(sha)),
  );
  if (!asked.ok) return asked;
  for (const [sha, info] of asked.objects) facts.set(sha, info);
  const objects = shas.flatMap((sha) => {
    const info = facts.get(sha);
    return info === undefined ? [] : [[sha, info] as const];
  });
  return { ok: true, objects: new Map(objects) };
}

/** Type and size of the objects that are in the mirror; those that are not are left out. Nothing is fetched. */
export async function objectInfo(
  mirror: Mirror,
  shas: readonly string[],
): Promise<{ ok: true; objects: Map<string, ObjectInfo> } | WorkspaceFailure> {
  const objects = new Map<string, ObjectInfo>();
  if (shas.length === 0) return { ok: true, objects };
  const { gitDirectory } = mirror.places;
  const result = await runGit({ gitDirectory, args: ["cat-file", "--batch-check"], input: `${shas.join("\n")}\n` });
  if (!result.ok) return gitFailure("Looking for objects", result);
  for (const line of result.stdout.toString("latin1").split("\n")) {
    const [sha, type, bytes] = line.split(" ");
    if (sha !== undefined && type !== undefined && bytes !== undefined)
      objects.set(sha, { type, bytes: Number(bytes) });
  }
  return { ok: true, objects };
}
