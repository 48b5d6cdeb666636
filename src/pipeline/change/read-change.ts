import type { ChangeCommits } from "../../analysis/analyser.ts";
import type { Content } from "../../analysis/classify-file.ts";
import { fileMetadata, type ParsedDiff, parseDiff } from "../../analysis/parse-diff.ts";
import { defined } from "../../domain/defined.ts";
import type { PullRequestEnds } from "../../domain/subjects.ts";
import { readCommitPatches } from "../../workspace/commit-patches.ts";
import { diffRaw, type RawPullRequestDiff } from "../../workspace/diff.ts";
import { DIFF_LIMITS } from "../../workspace/limits.ts";
import type { Mirror } from "../../workspace/mirror.ts";
import { type Blob, readBlobs } from "../../workspace/read-blobs.ts";
import { listTree } from "../../workspace/read-tree.ts";
import { writeHead } from "../../workspace/write-head.ts";
import { needed } from "./fetch-ends.ts";

export type ChangeEnds = Pick<PullRequestEnds, "baseSha" | "headSha">;

/** A pull request's change as bytes and hunks, read from git objects only. */
export interface Change {
  readonly mergeBaseSha: string;
  readonly files: ParsedDiff["files"];
  readonly contents: ReadonlyMap<string, Content>;
  readonly oldContents: ReadonlyMap<string, Content>;
  readonly commits: ChangeCommits;
  /** Writes the files of the head into an empty folder; gives the reason where that cannot be done. */
  readonly writeHead: (folder: string, signal: AbortSignal) => Promise<string | undefined>;
  /** The same of what it is against. */
  readonly writeBase: Change["writeHead"];
  /** Every file of the head. */
  readonly listHead: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Every file of the head, where new ones are to be compared with them. */
  readonly paths: readonly string[];
  /** Why the change is not all there, in words. */
  readonly cut?: string;
}

/**
 * Reads what changed between two commits that the mirror has.
 * @throws ForgeError `change_unreadable`, as `needed` says it
 */
export async function readChange(mirror: Mirror, ends: ChangeEnds, signal: AbortSignal): Promise<Change> {
  const diff = needed(await diffRaw(mirror, { base: ends.baseSha, head: ends.headSha, signal }));
  const mergeBaseSha = diff.mergeBase ?? ends.baseSha;
  const writing =
    (commit: string): Change["writeHead"] =>
    async (folder, whenStopped) => {
      const written = await writeHead(mirror, commit, folder, whenStopped);
      return written.ok ? undefined : written.detail;
    };
  const write = {
    writeHead: writing(ends.headSha),
    writeBase: writing(mergeBaseSha),
    listHead: (whenStopped: AbortSignal) => listHead(mirror, ends, whenStopped),
  };
  // A list that is cut off says nothing of the rest, and there is no text at all.
  if (diff.truncated?.reason === "files") {
    const cut = diff.truncated.detail;
    const nothing = { files: [], contents: new Map(), oldContents: new Map(), commits: { commits: [] }, paths: [] };
    return { mergeBaseSha, ...nothing, ...write, cut };
  }
  const { files } = await parseDiff(diff.patch, fileMetadata(diff.files));
  const contents = await readSide(mirror, diff, "new", signal);
  const oldContents = await readSide(mirror, diff, "old", signal);
  const commits = await readCommits(mirror, ends, signal);
  const cut = diff.truncated?.detail;
  const paths = files.some(({ status }) => status !== "modified" && status !== "deleted")
    ? await listHead(mirror, ends, signal)
    : [];
  return {
    mergeBaseSha,
    files,
    contents,
    oldContents,
    commits,
    paths,
    ...write,
    ...defined({ cut: cut || undefined }),
  };
}

async function listHead(mirror: Mirror, { headSha }: ChangeEnds, signal: AbortSignal): Promise<string[]> {
  return needed(await listTree(mirror, headSha, { signal })).entries.map(({ path }) => path);
}

/** Lines that one commit added and a later one removed are in no comparison of base and head. Without it the review is less, not nothing. */
async function readCommits(mirror: Mirror, ends: ChangeEnds, signal: AbortSignal): Promise<ChangeCommits> {
  const read = await readCommitPatches(mirror, { base: ends.baseSha, head: ends.headSha, signal });
  if (!read.ok) return { commits: [], cut: read.detail };
  return { commits: read.commits, ...defined({ cut: read.truncated || undefined }) };
}

async function readSide(mirror: Mirror, diff: RawPullRequestDiff, side: "new" | "old", signal: AbortSignal) {
  const readable = diff.files.flatMap((file) => {
    const [path, sha, kind] =
      side === "new" ? [file.newPath, file.newSha, file.newKind] : [file.oldPath, file.oldSha, file.oldKind];
    const name = file.newPath ?? path;
    // The text of a link is where it leads.
    const read = kind === "file" ? file.newKind === "file" : kind === "symlink" && side === "new";
    return name !== undefined && sha !== undefined && read ? [{ name, sha }] : [];
  });
  const { blobs } = needed(
    await readBlobs(
      mirror,
      readable.map(({ sha }) => ({ sha })),
      // Whatever has a text diff is read: lock files of large projects are larger than what a parser of code should get.
      { limits: { maxBlobBytes: DIFF_LIMITS.fileBytes }, signal },
    ),
  );
  return new Map<string, Content>(readable.map(({ name }, at) => [name, toContent(blobs[at]!)]));
}

function toContent(blob: Blob): Content {
  if ("content" in blob) return blob.content;
  if (blob.skipped === "too large") return { skipped: `larger than the limit (${blob.bytes} bytes)` };
  if (blob.skipped === "total reached") return { skipped: "the change is larger than what one review reads" };
  return { skipped: "its content could not be fetched" };
}

/** More deleted files than these are a move or a clean-up. */
const MOST_DELETED = 500;

/** A review reads no deleted files; the comparison of tests has to know which ones were there. */
export async function withDeleted(mirror: Mirror, change: Change, signal: AbortSignal): Promise<Change> {
  const gone = change.files.flatMap(({ path, status }) => (status === "deleted" ? [path] : [])).slice(0, MOST_DELETED);
  if (gone.length === 0) return change;
  const requests = gone.map((path) => ({ commit: change.mergeBaseSha, path }));
  const { blobs } = needed(await readBlobs(mirror, requests, { signal }));
  const old = gone.flatMap((path, at) => {
    const blob = blobs[at];
    return blob && "content" in blob ? [[path, blob.content] as const] : [];
  });
  return { ...change, oldContents: new Map([...change.oldContents, ...old]) };
}
