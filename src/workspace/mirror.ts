import { mkdir, writeFile } from "node:fs/promises";
import { defined } from "../domain/defined.ts";
import { ForgeError } from "../domain/errors.ts";
import { failure, type WorkspaceFailure } from "./failure.ts";
import { acquireFileLock } from "./file-lock.ts";
import { forgetFacts } from "./known-facts.ts";
import { MIRROR_LIMITS } from "./limits.ts";
import { type MirrorPlaces, mirrorPlaces, prepareMirror } from "./mirror-directory.ts";
import { parseRemoteUrl, type RemoteAccess } from "./remote-access.ts";

/** A bare, blob-less copy of one repository, kept as a cache: whatever is wrong with it, it may be thrown away. */
export interface Mirror {
  readonly repositoryId: string;
  readonly places: MirrorPlaces;
  readonly remote: RemoteAccess;
}

export interface MirrorSpec {
  /** Folder of all mirrors, absolute. */
  readonly root: string;
  /** GitHub's id, which survives renames: letters, digits, `_` and `-`. */
  readonly repositoryId: string;
  readonly remoteUrl: string;
  /** A token that may read this one repository. Asked for before each connection. */
  readonly token?: () => Promise<string>;
  /** Only for a server on this machine. */
  readonly allowHttp: boolean;
  readonly certificateFile?: string;
  readonly proxyUrl?: string;
  /** Folder of objects of a repository of this machine that lends what it has; absolute, without a line break. */
  readonly lender?: string;
}

/**
 * Names a mirror; nothing is created or fetched before its first use.
 * @throws ForgeError `remote_refused` or `invalid_repository_id`
 */
export function openMirror(spec: MirrorSpec): Mirror {
  const { root, repositoryId, remoteUrl, allowHttp, lender, ...access } = spec;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(repositoryId)) {
    throw new ForgeError("invalid_repository_id", "The id of a repository has 1 to 64 letters, digits, _ or -.", {
      source: "validation",
      recoverability: "none",
    });
  }
  const url = parseRemoteUrl(remoteUrl, allowHttp);
  const { token, certificateFile, proxyUrl } = access;
  return {
    repositoryId,
    places: mirrorPlaces(root, repositoryId, lender),
    remote: {
      url,
      allowHttp,
      ...defined({ token, certificateFile, proxyUrl }),
    },
  };
}

/** Runs `work` with the mirror to itself, over all processes, and on a mirror that git may be started on. */
export async function withMirror<T extends { ok: boolean }>(
  mirror: Mirror,
  signal: AbortSignal | undefined,
  work: () => Promise<T | WorkspaceFailure>,
): Promise<T | WorkspaceFailure> {
  const { places } = mirror;
  await mkdir(places.directory, { recursive: true, mode: 0o700 });
  const release = await acquireFileLock(places.lock, { waitMs: MIRROR_LIMITS.lockWaitMs, signal });
  if (release === undefined) {
    if (signal?.aborted) return failure("aborted", "The wait for the mirror was stopped.");
    return failure("busy", "Another process has been using the mirror of this repository for too long.");
  }
  try {
    await writeFile(places.used, "");
    await prepareMirror(places);
    const outcome = await work();
    if (isUnreadable(outcome)) {
      forgetFacts(places.gitDirectory);
      await writeFile(places.suspect, outcome.detail);
    }
    return outcome;
  } finally {
    await release();
  }
}

function isUnreadable(outcome: { ok: boolean } | WorkspaceFailure): outcome is WorkspaceFailure {
  return !outcome.ok && "reason" in outcome && outcome.reason === "unreadable";
}
