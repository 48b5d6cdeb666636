import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setInterval } from "node:timers/promises";
import { failure, gitFailure, type WorkspaceFailure } from "./failure.ts";
import { type GitResult, runGit } from "./git.ts";
import { FETCH_MEMORY_BYTES, FETCH_WATCH_INTERVAL_MS, type FetchLimits } from "./limits.ts";
import type { Mirror } from "./mirror.ts";
import { removeUnfinishedPacks } from "./mirror-directory.ts";

export interface Fetched {
  readonly ok: true;
  /** Bytes that the mirror grew by; 0 when everything was there. */
  readonly bytes: number;
}

export interface FetchRequest {
  /** Options and refspecs after the name of the remote. */
  readonly args: readonly string[];
  /** Refspecs or object ids, one a line, for `--stdin`. */
  readonly input?: string;
  readonly limits: FetchLimits;
  readonly signal?: AbortSignal | undefined;
}

/** One `git fetch` into the mirror, whose lock the caller holds. Stops when a limit is reached; nothing unfinished stays behind. */
export async function fetchObjects(mirror: Mirror, request: FetchRequest): Promise<Fetched | WorkspaceFailure> {
  const { gitDirectory } = mirror.places;
  const args = ["--filter=blob:none", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--quiet"];
  return watchedTransfer(mirror, request, (signal, fileBytes) =>
    runGit({
      gitDirectory,
      args: ["fetch", ...args, "origin", ...request.args],
      ...(request.input === undefined ? {} : { input: request.input, settings: NO_NEGOTIATION }),
      remote: mirror.remote,
      timeoutMs: request.limits.timeMs,
      memoryBytes: FETCH_MEMORY_BYTES,
      fileBytes,
      signal,
    }),
  );
}

/** Listed objects are wanted as they are: telling the server what is already here would only cost time. */
const NO_NEGOTIATION = [["fetch.negotiationAlgorithm", "noop"]] as const;

/** Runs a git command that may fetch, and ends it when the mirror grows by more than the limit. */
export async function watchedTransfer(
  mirror: Mirror,
  { limits, signal }: Pick<FetchRequest, "limits" | "signal">,
  run: (signal: AbortSignal, fileBytes: number) => Promise<GitResult>,
): Promise<Fetched | WorkspaceFailure> {
  const { gitDirectory, fetching } = mirror.places;
  const before = await packBytes(gitDirectory);
  const tooLarge = new AbortController();
  const finished = new AbortController();
  await writeFile(fetching, "");
  const watching = watch(gitDirectory, before + limits.bytes, tooLarge, finished.signal);
  const combined = AbortSignal.any(signal === undefined ? [tooLarge.signal] : [signal, tooLarge.signal]);
  const result = await run(combined, limits.bytes).finally(() => finished.abort());
  await watching;
  const grownBy = (await packBytes(gitDirectory)) - before;
  await removeUnfinishedPacks(gitDirectory);
  await rm(fetching, { force: true });
  // The kernel ends the writer of a file at the limit without a word, and git then says only that something was invalid.
  if (tooLarge.signal.aborted || (!result.ok && grownBy >= limits.bytes))
    return failure("too large", `The transfer was stopped at ${limits.bytes} bytes.`);
  if (!result.ok) return gitFailure("Fetching", result);
  return { ok: true, bytes: grownBy };
}

async function watch(
  gitDirectory: string,
  limit: number,
  tooLarge: AbortController,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const _ of setInterval(FETCH_WATCH_INTERVAL_MS, undefined, { signal })) {
      if ((await packBytes(gitDirectory)) > limit) tooLarge.abort();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Bytes of all packs, finished or growing. */
async function packBytes(gitDirectory: string): Promise<number> {
  const folder = join(gitDirectory, "objects", "pack");
  // Between listing and asking a growing pack may have got its final name.
  const sizes = (await readdir(folder)).map((name) =>
    stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
