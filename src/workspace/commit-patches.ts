import { randomUUID } from "node:crypto";
import { defined } from "../domain/defined.ts";
import { gitFailure, type WorkspaceFailure } from "./failure.ts";
import { fetchBlobs } from "./fetch-blobs.ts";
import { runGit } from "./git.ts";
import { LISTING_BYTES_PER_FILE } from "./limits.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import { type CommitPatch, parseCommitLog } from "./parse-commit-log.ts";
import { requireObjectId } from "./revision.ts";

/** Limits for reading the commits one by one. */
export const COMMIT_PATCH_LIMITS = {
  /** As many as GitHub lists of a pull request. */
  commits: 250,
  /** Half of what the comparison itself may have: most pull requests add a line once. */
  patchBytes: 16 * 1024 * 1024,
  /** A larger file is taken for binary. */
  fileBytes: 2 * 1024 * 1024,
  /** Changed files of all commits together. */
  files: 20_000,
  timeMs: 60_000,
} as const;

export interface CommitPatches {
  readonly ok: true;
  /** Newest first. */
  readonly commits: readonly CommitPatch[];
  /** Why these are not all added lines, in a sentence. */
  readonly truncated?: string;
}

interface PatchesRequest {
  readonly base: string;
  readonly head: string;
  readonly limits?: { readonly [name in keyof typeof COMMIT_PATCH_LIMITS]?: number };
  readonly signal?: AbortSignal | undefined;
}

/**
 * The lines that each commit of `base..head` adds, of a merge only those that none of its parents has. None at all when there is a
 * single ordinary commit: the comparison of base and head shows the same. Fetches the contents that are missing in one request.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function readCommitPatches(
  mirror: Mirror,
  request: PatchesRequest,
): Promise<CommitPatches | WorkspaceFailure> {
  const range = [requireObjectId(request.head), `^${requireObjectId(request.base)}`, "--"];
  const limits = { ...COMMIT_PATCH_LIMITS, ...request.limits };
  const { signal } = request;
  const gitDirectory = mirror.places.gitDirectory;
  return withMirror(mirror, signal, async () => {
    const listed = await runGit({
      gitDirectory,
      args: [
        "log",
        "--raw",
        "--cc",
        "--no-renames",
        "--no-abbrev",
        FORMAT,
        `--max-count=${limits.commits + 1}`,
        ...range,
      ],
      maxOutputBytes: limits.files * LISTING_BYTES_PER_FILE,
      timeoutMs: limits.timeMs,
      signal,
    });
    if (!listed.ok) return gitFailure("Listing what the commits change", listed);
    const { commits, blobs, files } = parseListing(listed.stdout.toString("latin1"));
    if (commits.length <= 1 && !commits.some(({ merge }) => merge)) return { ok: true, commits: [] };
    if (files > limits.files) {
      return { ok: true, commits: [], truncated: `The commits change more than ${limits.files} files.` };
    }
    const fetched = await fetchBlobs(mirror, blobs, signal);
    if (!fetched.ok) return fetched;

    // Unguessable, so that no name of a file reads as the beginning of a commit.
    const mark = randomUUID();
    const patch = ["--patch", "--cc", "-M", "-U0", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv"];
    const prefixes = ["--src-prefix=a/", "--dst-prefix=b/", "--submodule=short"];
    const printed = await runGit({
      gitDirectory,
      args: ["log", `--format=${mark}%H`, ...patch, ...prefixes, `--max-count=${limits.commits}`, ...range],
      settings: [["core.bigFileThreshold", String(limits.fileBytes + 1)]],
      maxOutputBytes: limits.patchBytes,
      timeoutMs: limits.timeMs,
      signal,
    });
    const cut = (printed.truncated || printed.timedOut) && !printed.aborted;
    if (!printed.ok && !cut) return gitFailure("Reading what the commits add", printed);
    const truncated = cutReason(printed, commits.length, limits);
    return {
      ok: true,
      commits: parseCommitLog(printed.stdout, mark, cut),
      ...defined({ truncated }),
    };
  });
}

/** One line for each commit, its parents in it. */
const FORMAT = "--format=%H %P";

/** The commits, and the objects on both sides of what they change; paths are not read, so none can be mistaken. */
function parseListing(output: string): { commits: { merge: boolean }[]; blobs: Set<string>; files: number } {
  const commits: { merge: boolean }[] = [];
  const blobs = new Set<string>();
  let files = 0;
  for (const line of output.split("\n")) {
    if (!line.startsWith(":")) {
      if (line !== "") commits.push({ merge: line.split(" ").length > 2 });
      continue;
    }
    files += 1;
    const fields = line.slice(0, line.indexOf("\t")).replace(/^:+/, "").split(" ");
    const modes = fields.filter((field) => /^[0-7]{6}$/.test(field));
    const shas = fields.filter((field) => /^[0-9a-f]{40,64}$/.test(field));
    shas.forEach((sha, at) => {
      if (modes[at] !== "160000" && !/^0+$/.test(sha)) blobs.add(sha);
    });
  }
  return { commits, blobs, files };
}

function cutReason(
  printed: { truncated: boolean; timedOut: boolean },
  commits: number,
  limits: { commits: number; patchBytes: number; timeMs: number },
): string | undefined {
  if (printed.truncated) return `The commits add more than ${limits.patchBytes} bytes.`;
  if (printed.timedOut) return `Reading the commits took longer than ${limits.timeMs / 1000} s.`;
  if (commits > limits.commits) return `Of the commits only the newest ${limits.commits} were read one by one.`;
  return undefined;
}
