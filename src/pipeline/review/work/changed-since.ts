import { isDeepStrictEqual } from "node:util";
import { fileMetadata, parseDiff } from "../../../analysis/parse-diff.ts";
import { type ChangedLines, lineRanges } from "../../../domain/hunks.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { PullRequestEnds } from "../../../domain/subjects.ts";
import type { EarlierReview } from "../../../store/runs/read-runs.ts";
import { diffRaw, findMergeBase } from "../../../workspace/diff.ts";
import { type Mirror, withMirror } from "../../../workspace/mirror.ts";
import { readFileAt } from "../../../workspace/read-file-at.ts";
import type { Change } from "../../change/read-change.ts";

/** A push after a review: what it did, and where the branch stood before. */
export interface FurtherPush {
  readonly headSha: string;
  /** The base of the change then; another commit than now if the base was merged since. */
  readonly mergeBaseSha: string;
  readonly changed: readonly ChangedLines[];
}

/** A review as it is about to begin. */
interface Beginning {
  readonly ends: PullRequestEnds;
  readonly change: Pick<Change, "mergeBaseSha">;
  readonly configuration: RepoConfig;
  readonly signal: AbortSignal;
}

/**
 * Changes since the last review (GH-3, GH-3b). Undefined where they are unknown, so that all of the change counts as new: the
 * branch was rewritten, so that the earlier head is none of its commits any more; the base is another one or was rewritten; either is
 * gone; the configuration is another one, and other files and rules count now; or the comparison was cut off.
 */
export async function pushSince(
  mirror: Mirror,
  last: Pick<EarlierReview, "entered"> | undefined,
  { ends, change, configuration, signal }: Beginning,
): Promise<FurtherPush | undefined> {
  if (last?.entered.ends.baseRef !== ends.baseRef) return undefined;
  const { headSha, baseSha } = last.entered.ends;
  // What was stored knows no members without a value.
  if (!isDeepStrictEqual(last.entered.configuration, JSON.parse(JSON.stringify(configuration)))) return undefined;
  const common = async (one: string, other: string) => {
    const found = await withMirror(mirror, signal, () => findMergeBase(mirror, one, other, signal));
    return found.ok ? found.sha : undefined;
  };
  const mergeBaseSha = await common(headSha, baseSha);
  if (mergeBaseSha === undefined || (await common(mergeBaseSha, change.mergeBaseSha)) !== mergeBaseSha)
    return undefined;
  if ((await common(headSha, ends.headSha)) !== headSha) return undefined;
  const diff = await diffRaw(mirror, { base: headSha, head: ends.headSha, signal });
  if (!diff.ok || diff.truncated) return undefined;
  const { files } = await parseDiff(diff.patch, fileMetadata(diff.files));
  const changed = files.map(({ path, hunks }) => ({ path, ranges: lineRanges(hunks.flatMap(({ added }) => added)) }));
  return { headSha, mergeBaseSha, changed };
}

/** Files as they were read last, by their path now; `other` are those that cannot be compared. A path that is missing is unchanged. */
export type FilesThen = ReadonlyMap<string, Buffer | "other">;

/**
 * The changed files that the push touched, as they were before it. What the base did to a file since, a new mode, and what was no text
 * then stand in no difference that a reader could judge: such files are read whole.
 */
export async function filesThen(
  mirror: Mirror,
  { headSha, mergeBaseSha, changed }: FurtherPush,
  { files, ...change }: Pick<Change, "files" | "mergeBaseSha">,
  signal: AbortSignal,
): Promise<FilesThen> {
  const read = async (commit: string, path: string) => {
    const file = await readFileAt(mirror, commit, path, { signal });
    return file?.ok ? file : undefined;
  };
  const touched = new Set(changed.map(({ path }) => path));
  const then = new Map<string, Buffer | "other">();
  for (const { path, oldPath = path, oldMode } of files.filter((file) => touched.has(file.path))) {
    const merged =
      mergeBaseSha !== change.mergeBaseSha &&
      (await read(mergeBaseSha, oldPath))?.sha !== (await read(change.mergeBaseSha, oldPath))?.sha;
    const before = merged || oldMode !== undefined ? undefined : await read(headSha, path);
    then.set(path, before?.content ?? "other");
  }
  return then;
}
