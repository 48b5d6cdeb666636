import { gitFailure, type WorkspaceFailure } from "./failure.ts";
import { runGit } from "./git.ts";
import type { GitStore } from "./git-store.ts";
import { requireObjectId, requireRepositoryPath } from "./revision.ts";

export interface PastCommit {
  readonly sha: string;
  /** As the author's machine claimed, ISO 8601. */
  readonly authoredAt: string;
  readonly author: string;
  readonly subject: string;
  /** Paths that it changed, where they were asked for. */
  readonly paths: readonly string[];
}

export interface PathHistory {
  readonly ok: true;
  /** Newest first. */
  readonly commits: readonly PastCommit[];
  readonly truncated: boolean;
}

export interface HistoryQuestion {
  readonly commit: string;
  /** A file or folder; the whole repository when empty. */
  readonly path: string;
  readonly skip: number;
  readonly maxCommits: number;
  readonly withPaths: boolean;
  readonly signal: AbortSignal;
}

const TIME_MS = 20_000;
const OUTPUT_BYTES = 8 * 1024 * 1024;
const RECORD = "\u001e";

/**
 * Commits that changed a path, by trees alone: no content is needed. Renames are not followed, as they could only be told by content.
 * @throws ForgeError `invalid_revision`, `invalid_path`, `program_missing`
 */
export async function historyOfPath(
  store: GitStore,
  question: HistoryQuestion,
): Promise<PathHistory | WorkspaceFailure> {
  const { path, skip, maxCommits, withPaths, signal } = question;
  const commit = requireObjectId(question.commit);
  const within = path === "" ? [] : [requireRepositoryPath(path)];
  return store.hold(signal, async () => {
    const result = await runGit({
      gitDirectory: store.gitDirectory,
      args: [
        "log",
        `--skip=${skip}`,
        `--max-count=${maxCommits + 1}`,
        "--no-renames",
        "--no-mailmap",
        `--format=${["%x1e%H", "%aI", "%an", "%s"].join("%x00")}%x00`,
        ...(withPaths ? ["--name-only", "-z"] : []),
        commit,
        "--",
        ...within,
      ],
      timeoutMs: TIME_MS,
      maxOutputBytes: OUTPUT_BYTES,
      signal,
    });
    if (!result.ok && !result.truncated) return gitFailure("Reading the history", result);
    const commits = result.stdout.toString("utf8").split(RECORD).slice(1).map(readCommit);
    return {
      ok: true,
      commits: commits.slice(0, maxCommits),
      truncated: result.truncated || commits.length > maxCommits,
    };
  });
}

function readCommit(record: string): PastCommit {
  const [sha = "", authoredAt = "", author = "", subject = "", ...paths] = record.split("\0");
  return {
    sha,
    authoredAt,
    author,
    subject,
    paths: paths.map((path) => path.replace(/^\n+/, "")).filter((path) => path !== ""),
  };
}

const MESSAGE_BYTES = 256 * 1024;

/**
 * The messages of the commits of a branch, merges left out, oldest first; nothing where they cannot be read.
 * @param head an object id, or `HEAD` of a repository that has one
 * @param without commits that it stands on: neither they nor what is behind them
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function messagesBetween(
  store: GitStore,
  {
    head,
    without,
    most,
    signal,
  }: {
    readonly head: string;
    readonly without: readonly string[];
    readonly most: number;
    readonly signal: AbortSignal;
  },
): Promise<string[]> {
  const range = [
    head === "HEAD" ? head : requireObjectId(head),
    ...without.map((sha) => `^${requireObjectId(sha)}`),
    "--",
  ];
  const read = await store.hold(signal, async () => {
    const result = await runGit({
      gitDirectory: store.gitDirectory,
      args: ["log", "--no-merges", "--no-mailmap", `--max-count=${most}`, "--format=%B%x1e", ...range],
      timeoutMs: TIME_MS,
      maxOutputBytes: MESSAGE_BYTES,
      signal,
    });
    if (!result.ok && !result.truncated) return gitFailure("Reading the messages of commits", result);
    const messages = result.stdout
      .toString("utf8")
      .split(RECORD)
      .map((text) => text.trim());
    return { ok: true as const, messages: messages.filter((text) => text !== "").reverse() };
  });
  return read.ok ? read.messages : [];
}
