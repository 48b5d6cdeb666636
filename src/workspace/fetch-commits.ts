import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { failure, type WorkspaceFailure } from "./failure.ts";
import { knownObjects } from "./fetch-blobs.ts";
import { type Fetched, fetchObjects } from "./fetch-objects.ts";
import { runGit } from "./git.ts";
import { FETCH_COMMITS_LIMITS, FETCH_MEMORY_BYTES, type FetchLimits, MIRROR_LIMITS } from "./limits.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import { isReadable, rebuildMirror } from "./mirror-directory.ts";
import { requireObjectId, requireReference } from "./revision.ts";

export interface WantedCommits {
  /** Full ids. */
  readonly shas: readonly string[];
  /** Where the server may have them when it does not give them by id, such as `refs/pull/7/head` for a fork. */
  readonly refs?: readonly string[];
  readonly limits?: Partial<FetchLimits>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the commits, with their history and trees, present in the mirror. Asks the server only for what is missing.
 * A mirror that turns out to be broken is built anew, once.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function fetchCommits(mirror: Mirror, wanted: WantedCommits): Promise<Fetched | WorkspaceFailure> {
  const shas = [...new Set(wanted.shas.map(requireObjectId))];
  const refs = (wanted.refs ?? []).map(requireReference);
  const limits = { ...FETCH_COMMITS_LIMITS, ...wanted.limits };
  const plan: Plan = { shas, refs, limits, signal: wanted.signal };
  return withMirror(mirror, wanted.signal, async () => {
    const first = await fetchMissing(mirror, plan);
    if (first.ok || !["unreadable", "missing commit"].includes(first.reason) || (await isReadable(mirror.places))) {
      return first;
    }
    await rebuildMirror(mirror.places);
    return fetchMissing(mirror, plan);
  });
}

interface Plan {
  readonly shas: readonly string[];
  readonly refs: readonly string[];
  readonly limits: FetchLimits;
  readonly signal: AbortSignal | undefined;
}

async function fetchMissing(mirror: Mirror, plan: Plan): Promise<Fetched | WorkspaceFailure> {
  const { limits, signal } = plan;
  const missing = await missingCommits(mirror, plan.shas);
  if (!missing.ok) return missing;
  if (missing.shas.length === 0) return { ok: true, bytes: 0 };
  await joinPacks(mirror, MIRROR_LIMITS);
  const byId = await fetchObjects(mirror, { args: missing.shas.map(keepById), limits, signal });
  if (byId.ok || byId.reason !== "missing commit") return byId;
  return fetchByReference(mirror, plan);
}

/** One id that the server does not give spoils a whole request, so what the references do not bring is asked for one by one. */
async function fetchByReference(
  mirror: Mirror,
  { shas, refs, limits, signal }: Plan,
): Promise<Fetched | WorkspaceFailure> {
  let bytes = 0;
  for (const ref of refs) {
    const fetched = await fetchObjects(mirror, { args: [keepByName(ref)], limits, signal });
    if (!fetched.ok && fetched.reason !== "missing commit") return fetched;
    if (fetched.ok) bytes += fetched.bytes;
  }
  const rest = await missingCommits(mirror, shas);
  if (!rest.ok) return rest;
  for (const sha of rest.shas) {
    const fetched = await fetchObjects(mirror, { args: [keepById(sha)], limits, signal });
    if (fetched.ok) bytes += fetched.bytes;
    else if (fetched.reason !== "missing commit") return fetched;
    else return failure("missing commit", `The server does not give commit ${sha}: it may be gone after a force-push.`);
  }
  return { ok: true, bytes };
}

/** References of our own keep what was fetched known, so that the next fetch brings only what is new. */
function keepById(sha: string): string {
  return `+${sha}:refs/forge/commit/${sha}`;
}

function keepByName(ref: string): string {
  return `+${ref}:refs/forge/from/${ref.slice("refs/".length)}`;
}

async function missingCommits(
  mirror: Mirror,
  shas: readonly string[],
): Promise<{ ok: true; shas: string[] } | WorkspaceFailure> {
  const found = await knownObjects(mirror, shas);
  return found.ok ? { ok: true, shas: shas.filter((sha) => found.objects.get(sha)?.type !== "commit") } : found;
}

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
