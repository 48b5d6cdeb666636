import { failure, gitFailure, type WorkspaceFailure } from "./failure.ts";
import { bringBlobs } from "./fetch-blobs.ts";
import { runGit } from "./git.ts";
import type { ObjectInfo } from "./known-facts.ts";
import { BLOB_LIMITS, type BlobLimits, type FetchLimits, PATHS_PER_LISTING } from "./limits.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import { readTree } from "./read-tree.ts";
import { requireObjectId, requireRepositoryPath } from "./revision.ts";

export type BlobRequest = { readonly sha: string } | { readonly commit: string; readonly path: string };

export type Blob =
  | { readonly sha: string; readonly bytes: number; readonly content: Buffer }
  /** `too large`: above the limit for one; `total reached`: the contents before it used up the limit for all. */
  | { readonly skipped: "too large" | "total reached"; readonly sha: string; readonly bytes: number }
  /** `unavailable`: the server does not give it; `missing`: the commit has no such path. */
  | { readonly skipped: "missing" | "unavailable" | "not a file" };

export interface ReadOptions {
  readonly limits?: Partial<BlobLimits>;
  readonly fetchLimits?: FetchLimits;
  readonly signal?: AbortSignal | undefined;
}

export interface Blobs {
  readonly ok: true;
  /** In the order of the requests. */
  readonly blobs: readonly Blob[];
}

/**
 * Contents of files from git's objects, never from a checkout. What the mirror lacks is fetched in one request. By path, only regular
 * files are given: links and submodules are `not a file`.
 * @throws ForgeError `invalid_revision`, `invalid_path`, `program_missing`
 */
export async function readBlobs(
  mirror: Mirror,
  requests: readonly BlobRequest[],
  options: ReadOptions = {},
): Promise<Blobs | WorkspaceFailure> {
  for (const request of requests) {
    requireObjectId("sha" in request ? request.sha : request.commit);
    if ("path" in request) requireRepositoryPath(request.path);
  }
  return withMirror(mirror, options.signal, () => readBlobsLocked(mirror, requests, options));
}

/** `readBlobs` for callers that hold the lock and have checked the requests. */
export async function readBlobsLocked(
  mirror: Mirror,
  requests: readonly BlobRequest[],
  { limits, fetchLimits, signal }: ReadOptions,
): Promise<Blobs | WorkspaceFailure> {
  const resolved = await resolvePaths(mirror, requests, signal);
  if (!resolved.ok) return resolved;
  const shas = resolved.shas.flatMap((sha) => (sha === undefined || sha === NOT_A_FILE ? [] : [sha]));
  const brought = await bringBlobs(mirror, shas, signal, fetchLimits);
  // What the server does not have is said for each blob; the others are still read.
  if (!brought.ok) return brought;
  const plan = planReading(resolved.shas, brought.objects, { ...BLOB_LIMITS, ...limits });
  const contents = await readContents(mirror, plan.reads, signal);
  if (!contents.ok) return contents;
  const blobs = resolved.shas.map((sha, at): Blob => {
    const content = sha === undefined ? undefined : contents.contents.get(sha);
    return plan.skips.get(at) ?? { sha: sha ?? "", bytes: content?.length ?? 0, content: content ?? Buffer.alloc(0) };
  });
  return { ok: true, blobs };
}

const NOT_A_FILE = "not a file";

/** Ids for all requests, in order: undefined where nothing has the path. */
async function resolvePaths(mirror: Mirror, requests: readonly BlobRequest[], signal: AbortSignal | undefined) {
  const found = new Map<string, string>();
  const byCommit = Map.groupBy(
    requests.filter((request) => "path" in request),
    ({ commit }) => commit,
  );
  for (const [commit, wanted] of byCommit) {
    for (let at = 0; at < wanted.length; at += PATHS_PER_LISTING) {
      const paths = wanted.slice(at, at + PATHS_PER_LISTING).map(({ path }) => path);
      const listing = await readTree(mirror, { commit, paths, recursive: false, maxEntries: paths.length, signal });
      if (!listing.ok) return listing;
      for (const { path, mode, sha } of listing.entries) {
        found.set(`${commit}:${path}`, REGULAR_MODES.has(mode) ? sha : NOT_A_FILE);
      }
    }
  }
  const shas = requests.map((request) =>
    "sha" in request ? request.sha : found.get(`${request.commit}:${request.path}`),
  );
  return { ok: true, shas } as const;
}

const REGULAR_MODES = new Set(["100644", "100755"]);

function planReading(
  shas: readonly (string | undefined)[],
  objects: ReadonlyMap<string, ObjectInfo>,
  limits: BlobLimits,
): { reads: Map<string, number>; skips: Map<number, Blob> } {
  const reads = new Map<string, number>();
  const skips = new Map<number, Blob>();
  let total = 0;
  for (const [at, sha] of shas.entries()) {
    const info = sha === undefined ? undefined : objects.get(sha);
    if (sha === NOT_A_FILE || (info !== undefined && info.type !== "blob")) skips.set(at, { skipped: "not a file" });
    else if (sha === undefined) skips.set(at, { skipped: "missing" });
    else if (info === undefined) skips.set(at, { skipped: "unavailable" });
    else if (info.bytes > limits.maxBlobBytes) skips.set(at, { skipped: "too large", sha, bytes: info.bytes });
    else if (reads.has(sha)) continue;
    else if (total + info.bytes > limits.maxTotalBytes)
      skips.set(at, { skipped: "total reached", sha, bytes: info.bytes });
    else {
      total += info.bytes;
      reads.set(sha, info.bytes);
    }
  }
  return { reads, skips };
}

/** One `git cat-file --batch`; its answers are a header line, the content and a newline, in the order asked. */
async function readContents(
  mirror: Mirror,
  reads: ReadonlyMap<string, number>,
  signal: AbortSignal | undefined,
): Promise<{ ok: true; contents: Map<string, Buffer> } | WorkspaceFailure> {
  const contents = new Map<string, Buffer>();
  if (reads.size === 0) return { ok: true, contents };
  const total = [...reads.values()].reduce((sum, bytes) => sum + bytes + HEADER_BYTES, 0);
  const result = await runGit({
    gitDirectory: mirror.places.gitDirectory,
    args: ["cat-file", "--batch"],
    input: `${[...reads.keys()].join("\n")}\n`,
    maxOutputBytes: total,
    signal,
  });
  if (!result.ok) return gitFailure("Reading contents", result);
  let at = 0;
  for (const [sha, bytes] of reads) {
    const header = `${sha} blob ${bytes}\n`;
    if (result.stdout.toString("latin1", at, at + header.length) !== header) {
      return failure("unreadable", `The mirror holds a damaged object: ${sha}.`);
    }
    at += header.length;
    contents.set(sha, result.stdout.subarray(at, at + bytes));
    at += bytes + 1;
  }
  return { ok: true, contents };
}

/** An object id, the word for its type, its size and the two newlines. */
const HEADER_BYTES = 128;
