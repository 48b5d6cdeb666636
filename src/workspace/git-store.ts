import type { WorkspaceFailure } from "./failure.ts";
import { fetchBlobs } from "./fetch-blobs.ts";
import type { FetchLimits } from "./limits.ts";
import { type Mirror, withMirror } from "./mirror.ts";

/** Objects of git that questions about history are asked of: a mirror that lacks contents, or a full repository of this machine. */
export interface GitStore {
  readonly gitDirectory: string;
  /** The store is not changed by others meanwhile. */
  hold<T extends { ok: boolean }>(
    signal: AbortSignal,
    work: () => Promise<T | WorkspaceFailure>,
  ): Promise<T | WorkspaceFailure>;
  /** Brings contents that are missing, and says how many bytes came; the caller holds the store. */
  bring(
    blobs: readonly string[],
    signal: AbortSignal,
    limits?: FetchLimits,
  ): Promise<{ readonly ok: true; readonly bytes?: number } | WorkspaceFailure>;
}

export function mirrorStore(mirror: Mirror): GitStore {
  return {
    gitDirectory: mirror.places.gitDirectory,
    hold: (signal, work) => withMirror(mirror, signal, work),
    bring: (blobs, signal, limits) => fetchBlobs(mirror, blobs, signal, limits),
  };
}

/** A repository that holds everything it speaks of. */
export function fullStore(gitDirectory: string): GitStore {
  return { gitDirectory, hold: (_, work) => work(), bring: async () => ({ ok: true }) };
}
