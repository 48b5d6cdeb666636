import { gitFailure, type WorkspaceFailure } from "./failure.ts";
import { runGit } from "./git.ts";
import type { GitStore } from "./git-store.ts";
import { COMMIT_LOG_COMMITS } from "./limits.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import { requireObjectId } from "./revision.ts";

interface LoggedCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly author: { readonly name: string; readonly email: string };
  /** ISO 8601 with the author's offset, as the author's machine claimed. */
  readonly authoredAt: string;
  readonly subject: string;
}

export interface CommitLog {
  readonly ok: true;
  /** Newest first. */
  readonly commits: readonly LoggedCommit[];
  /** There are more than `maxCommits`. */
  readonly truncated: boolean;
}

/**
 * The commits that the head has and the base has not.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function listCommits(
  mirror: Mirror,
  range: { base: string; head: string; maxCommits?: number; signal?: AbortSignal | undefined },
): Promise<CommitLog | WorkspaceFailure> {
  const base = requireObjectId(range.base);
  const head = requireObjectId(range.head);
  const maxCommits = range.maxCommits ?? COMMIT_LOG_COMMITS;
  return withMirror(mirror, range.signal, async () => {
    const result = await runGit({
      gitDirectory: mirror.places.gitDirectory,
      args: [
        "log",
        "-z",
        `--max-count=${maxCommits + 1}`,
        `--format=${FORMAT}`,
        "--no-mailmap",
        head,
        `^${base}`,
        "--",
      ],
      signal: range.signal,
    });
    if (!result.ok) return gitFailure("Reading the commits", result);
    const commits = parseLog(result.stdout.toString("utf8"));
    return { ok: true, commits: commits.slice(0, maxCommits), truncated: commits.length > maxCommits };
  });
}

const FORMAT = ["%H", "%P", "%an", "%ae", "%aI", "%s"].join("%x00");

function parseLog(output: string): LoggedCommit[] {
  const commits: LoggedCommit[] = [];
  const fields = output.split("\0");
  for (let at = 0; at + 6 <= fields.length; at += 6) {
    const [sha = "", parents = "", name = "", email = "", authoredAt = "", subject = ""] = fields.slice(at, at + 6);
    commits.push({ sha, parents: parents.split(" ").filter(Boolean), author: { name, email }, authoredAt, subject });
  }
  return commits;
}

/**
 * The day on which a commit was made, as `2026-01-31` in UTC, by its own word; undefined where it cannot be read.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function readCommitDay(store: GitStore, commit: string, signal: AbortSignal): Promise<string | undefined> {
  const sha = requireObjectId(commit);
  const read = await store.hold(signal, async () => {
    const args = ["log", "--max-count=1", "--format=%ct", sha, "--"];
    const result = await runGit({ gitDirectory: store.gitDirectory, args, signal });
    return result.ok
      ? { ok: true as const, text: result.stdout.toString("utf8") }
      : gitFailure("Reading a day", result);
  });
  const seconds = Number(read.ok ? read.text.trim() : undefined);
  // Clocks of people's machines say anything; years of more than four digits are no day for anybody.
  return seconds > 0 && seconds < 2 ** 36 ? new Date(seconds * 1_000).toISOString().slice(0, 10) : undefined;
}
