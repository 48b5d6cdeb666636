import { failure, type WorkspaceFailure } from "./failure.ts";
import { SINGLE_FILE_BYTES } from "./limits.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import { readBlobsLocked } from "./read-blobs.ts";
import { requireObjectId, requireRepositoryPath } from "./revision.ts";

export interface FileAtCommit {
  readonly ok: true;
  readonly sha: string;
  readonly content: Buffer;
}

/**
 * One regular file of a commit, such as the configuration on the default branch. Undefined means that the commit has no such path, and
 * nothing else: a link, a submodule, a folder, too large a file and a failed fetch are refusals.
 * @throws ForgeError `invalid_revision`, `invalid_path`, `program_missing`
 */
export async function readFileAt(
  mirror: Mirror,
  commit: string,
  path: string,
  options: { maxBytes?: number; signal?: AbortSignal | undefined } = {},
): Promise<FileAtCommit | WorkspaceFailure | undefined> {
  const requests = [{ commit: requireObjectId(commit), path: requireRepositoryPath(path) }];
  const { maxBytes = SINGLE_FILE_BYTES, signal } = options;
  const limits = { maxBlobBytes: maxBytes, maxTotalBytes: maxBytes };
  const read = await withMirror(mirror, signal, () => readBlobsLocked(mirror, requests, { limits, signal }));
  if (!read.ok) return read;
  const [blob] = read.blobs;
  if (blob === undefined) return undefined;
  if (!("skipped" in blob)) return { ok: true, sha: blob.sha, content: blob.content };
  const shown = JSON.stringify(path);
  switch (blob.skipped) {
    case "missing":
      return undefined;
    case "not a file":
      return failure("not a file", `${shown} is not a regular file.`);
    case "unavailable":
      return failure("not found", `The server does not give the content of ${shown}.`);
    case "too large":
    case "total reached":
      return failure("too large", `${shown} has ${blob.bytes} bytes; at most ${maxBytes} are read.`);
  }
}
