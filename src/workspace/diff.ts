import { gitFailure, type WorkspaceFailure } from "./failure.ts";
import { bringBlobs } from "./fetch-blobs.ts";
import { type GitResult, runGit } from "./git.ts";
import { factsOf, type ObjectInfo } from "./known-facts.ts";
import { DIFF_LIMITS, type DiffLimits, type FetchLimits, LISTING_BYTES_PER_FILE, RENAME_CANDIDATES } from "./limits.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import {
  type ChangedFile,
  kindOfMode,
  parseRawDiff,
  type RawDiff,
  type RawEntry,
  splitPatch,
} from "./parse-raw-diff.ts";
import { requireObjectId } from "./revision.ts";

export interface DiffRequest {
  readonly base: string;
  readonly head: string;
  readonly limits?: Partial<DiffLimits>;
  readonly fetchLimits?: FetchLimits;
  readonly signal?: AbortSignal | undefined;
}

type DiffCut = "files" | "patch bytes" | "time" | "memory" | "contents";

export interface RawPullRequestDiff {
  readonly ok: true;
  /** The base of the comparison; undefined for unrelated histories, where the tree of the base itself is compared. */
  readonly mergeBase: string | undefined;
  readonly files: readonly ChangedFile[];
  /** Unified diff as git prints it, whole files only. */
  readonly patch: Buffer;
  /** Why `files` or `patch` is not everything. */
  readonly truncated: { readonly reason: DiffCut; readonly detail: string } | undefined;
}

/**
 * The changes of a pull request: `git diff base...head`, as metadata of each file and as text, by git alone. Fetches the contents that are
 * missing in one request. Where a limit is reached the answer holds what is known until then and says so.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function diffRaw(mirror: Mirror, request: DiffRequest): Promise<RawPullRequestDiff | WorkspaceFailure> {
  const base = requireObjectId(request.base);
  const head = requireObjectId(request.head);
  const limits = { ...DIFF_LIMITS, ...request.limits };
  return withMirror(mirror, request.signal, async () => {
    const common = await findMergeBase(mirror, base, head, request.signal);
    if (!common.ok) return common;
    const compared: Comparison = { mirror, from: common.sha ?? base, to: head, limits, signal: request.signal };
    return compareTrees(compared, common.sha, request.fetchLimits);
  });
}

/** The comparison itself, of two commits or trees by their ids, for callers that hold the lock. */
export async function compareTrees(
  compared: Comparison,
  mergeBase: string | undefined,
  fetchLimits?: FetchLimits,
): Promise<RawPullRequestDiff | WorkspaceFailure> {
  const { mirror, limits, signal } = compared;
  const listed = await listFiles(compared);
  if (!listed.ok) return listed;
  const { entries } = listed;
  const found: Findings = { mergeBase, limits, diff: { entries, counts: [], patchStart: undefined } };
  if (listed.cut !== undefined) return describe({ ...found, truncated: listed.cut });

  const blobs = entries.flatMap(blobsOf);
  const brought = await bringBlobs(mirror, blobs, signal, fetchLimits);
  if (!brought.ok && !keepsMetadata(brought)) return brought;
  if (!brought.ok) return describe({ ...found, truncated: { reason: "contents", detail: brought.detail } });
  if (brought.lacking) return brought.lacking;
  const sizes = brought.objects;

  const printed = await printDiff(compared, entries.length);
  const diff = parseRawDiff(printed.stdout, entries.length);
  const patch = printed.stdout.subarray(diff.patchStart ?? printed.stdout.length);
  const truncated = cutOf(printed, patch, limits);
  if (!printed.ok && truncated === undefined) return gitFailure("Comparing", printed);
  // Cut off within the metadata: the list without renames and counts is the better answer.
  if (diff.counts.length < diff.entries.length) return describe({ ...found, sizes, truncated });
  return describe({ ...found, diff, patch: patch.subarray(0, limits.patchBytes), sizes, truncated });
}

interface Findings {
  readonly mergeBase: string | undefined;
  readonly limits: DiffLimits;
  readonly diff: RawDiff;
  readonly patch?: Buffer;
  readonly sizes?: ReadonlyMap<string, ObjectInfo>;
  readonly truncated?: RawPullRequestDiff["truncated"];
}

function describe({ mergeBase, limits, diff, patch = NOTHING, sizes, truncated }: Findings): RawPullRequestDiff {
  const ranges = splitPatch(patch, diff.entries, truncated !== undefined);
  const files = diff.entries.map((entry, at) => changedFile(entry, diff.counts[at], ranges[at], sizes, limits));
  return { ok: true, mergeBase, files, patch: patch.subarray(0, ranges.at(-1)?.end ?? 0), truncated };
}

export interface Comparison {
  readonly mirror: Mirror;
  readonly from: string;
  readonly to: string;
  readonly limits: DiffLimits;
  readonly signal: AbortSignal | undefined;
}

const NOTHING = Buffer.alloc(0);

/** The changed files by trees alone, which needs no content and so always works. */
async function listFiles({ mirror, from, to, limits, signal }: Comparison) {
  const result = await runGit({
    gitDirectory: mirror.places.gitDirectory,
    args: ["diff", "--raw", "--no-renames", "--no-abbrev", "-z", from, to, "--"],
    maxOutputBytes: limits.files * LISTING_BYTES_PER_FILE,
    timeoutMs: limits.timeMs,
    signal,
  });
  const refused = result.ok || result.truncated ? undefined : gitFailure("Listing the changed files", result);
  if (refused !== undefined && !keepsMetadata(refused)) return refused;
  const { entries } = parseRawDiff(result.stdout, limits.files + 1);
  const many = `More than ${limits.files.toLocaleString("en-US")} files are changed, so none was looked at.`;
  // Ten billion files fit into a dozen objects; git lists none before it has them all.
  const isMany = !result.ok || entries.length > limits.files;
  const detail = isMany ? many : namesTwice(entries) ? TWICE : undefined;
  const cut = detail === undefined ? undefined : ({ reason: "files", detail } as const);
  return { ok: true, entries: entries.slice(0, limits.files), cut } as const;
}

const TWICE =
  "A folder of the change holds a name twice, or out of order, so none was looked at: `git fsck` says which.";

/** Whether a path stands for two contents: programs differ in which of the two they take, so it is unknown what was looked at. */
function namesTwice(entries: readonly RawEntry[]): boolean {
  return new Set(entries.map(({ newPath, oldPath }) => newPath ?? oldPath)).size < entries.length;
}

/** Metadata first and the text after them, from one comparison, so that both speak of the same files in the same order. */
function printDiff({ mirror, from, to, limits, signal }: Comparison, files: number): Promise<GitResult> {
  const format = ["--raw", "--numstat", "-z", "--patch", "--no-abbrev", "--full-index", "--no-color"];
  const safety = ["--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", "--submodule=short"];
  return runGit({
    gitDirectory: mirror.places.gitDirectory,
    args: ["diff", ...format, ...safety, "-M", `-l${RENAME_CANDIDATES}`, from, to, "--"],
    settings: [["core.bigFileThreshold", String(limits.fileBytes + 1)]],
    maxOutputBytes: files * LISTING_BYTES_PER_FILE + limits.patchBytes,
    timeoutMs: limits.timeMs,
    signal,
  });
}

function cutOf(result: GitResult, patch: Buffer, limits: DiffLimits): RawPullRequestDiff["truncated"] {
  if (result.ok && patch.length <= limits.patchBytes) return undefined;
  if (result.ok || result.truncated) {
    return { reason: "patch bytes", detail: `The diff is longer than ${limits.patchBytes} bytes.` };
  }
  if (result.timedOut) return { reason: "time", detail: `Comparing took longer than ${limits.timeMs / 1000} s.` };
  const refused = gitFailure("Comparing", result);
  return refused.reason === "out of memory" ? { reason: "memory", detail: refused.detail } : undefined;
}

/** A server that answers, but not within our limits, spoils the text only. */
function keepsMetadata({ reason }: WorkspaceFailure): boolean {
  return reason === "too large" || reason === "timeout" || reason === "out of memory";
}

function blobsOf(entry: RawEntry): string[] {
  const blob = (mode: string | undefined, sha: string | undefined) =>
    mode !== undefined && sha !== undefined && kindOfMode(mode) !== "submodule" ? [sha] : [];
  return [...blob(entry.oldMode, entry.oldSha), ...blob(entry.newMode, entry.newSha)];
}

function changedFile(
  entry: RawEntry,
  count: RawDiff["counts"][number] | undefined,
  patchRange: ChangedFile["patchRange"],
  sizes: ReadonlyMap<string, ObjectInfo> | undefined,
  limits: DiffLimits,
): ChangedFile {
  const oldBytes = entry.oldSha === undefined ? undefined : sizes?.get(entry.oldSha)?.bytes;
  const newBytes = entry.newSha === undefined ? undefined : sizes?.get(entry.newSha)?.bytes;
  return {
    ...entry,
    oldKind: entry.oldMode === undefined ? undefined : kindOfMode(entry.oldMode),
    newKind: entry.newMode === undefined ? undefined : kindOfMode(entry.newMode),
    addedLines: count?.added,
    deletedLines: count?.deleted,
    binary: count !== undefined && count.added === undefined,
    tooLarge: Math.max(oldBytes ?? 0, newBytes ?? 0) > limits.fileBytes,
    oldBytes,
    newBytes,
    patchRange,
  };
}

/** The newest common ancestor; `sha` is undefined for unrelated histories. The caller holds the lock. */
export async function findMergeBase(
  mirror: Mirror,
  one: string,
  other: string,
  signal?: AbortSignal,
): Promise<{ ok: true; sha: string | undefined } | WorkspaceFailure> {
  const { gitDirectory } = mirror.places;
  const { mergeBases } = await factsOf(gitDirectory);
  const key = `${one} ${other}`;
  if (mergeBases.has(key)) return { ok: true, sha: mergeBases.get(key) };
  const result = await runGit({ gitDirectory, args: ["merge-base", one, other], okCodes: [0, 1], signal });
  if (!result.ok) return gitFailure("Finding the merge base", result);
  const sha = result.stdout.toString().trim() || undefined;
  mergeBases.set(key, sha);
  return { ok: true, sha };
}
