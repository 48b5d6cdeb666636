import { posix } from "node:path";
import { type AuthorIdentity, authorPatterns, isBy, personOf } from "./author-identity.ts";
import { type GitResult, runGit } from "./git.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import { pathToBytes } from "./path-text.ts";
import { gitRefusal, type Refusal } from "./refusal.ts";
import { requireObjectId } from "./revision.ts";

/** What counting may cost. Above the numbers the risk score does not change any more (300 commits, 60 people, 500 of the author). */
export const HISTORY_LIMITS = {
  /** For all git commands of one reading together: 100,000 commits take two to four seconds. */
  timeMs: 20_000,
  fileCommits: 5_000,
  /** A commit elsewhere counts a quarter: 2,000 of them are worth 500, whatever directories they touched. */
  authorCommits: 2_000,
  /** Git compares every commit with every path: 1,000 paths take five times as long as 250. */
  paths: 250,
  outputBytes: 16 * 1024 * 1024,
} as const;

export interface HistoryRequest {
  /** The merge base: what the change itself brings is not history. */
  readonly commit: string;
  /** Touched files, by their old names where they were renamed. */
  readonly paths: readonly string[];
  readonly author: AuthorIdentity;
  /** Start of the time for which commits on the files are counted, usually 12 months ago. */
  readonly since: Date;
  readonly limits?: { readonly [name in keyof typeof HISTORY_LIMITS]?: number };
  readonly signal?: AbortSignal | undefined;
}

export interface History {
  readonly ok: true;
  /** Commits on the touched files since then, merges not counted. */
  readonly commits: number;
  /** Distinct authors of those, by address. */
  readonly authors: number;
  /** Commits of the author of all time; undefined when the identity is empty. */
  readonly author?: { readonly inTheseDirectories: number; readonly elsewhere: number };
  /** A limit was reached: the counts are lower bounds. */
  readonly truncated: boolean;
}

/**
 * Counts commits on the touched files and those of the author in the directories of these files and elsewhere. Compares trees only:
 * no file content is needed, and none is fetched. For files in the root the files themselves stand for their directory, since
 * everything lies below the root.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function readHistory(mirror: Mirror, request: HistoryRequest): Promise<History | Refusal> {
  const commit = requireObjectId(request.commit);
  return withMirror(mirror, request.signal, async () => {
    const run = boundedGit(mirror, request);
    const onFiles = await countOnFiles(run, commit, request);
    if (!onFiles.ok) return onFiles;
    const byAuthor = await countByAuthor(run, commit, request);
    if (!byAuthor.ok) return byAuthor;
    const { commits, authors } = onFiles;
    const { author } = byAuthor;
    const truncated = onFiles.truncated || byAuthor.truncated;
    return { ok: true, commits, authors, ...(author === undefined ? {} : { author }), truncated };
  });
}

interface Lines {
  readonly ok: true;
  readonly lines: string[];
  readonly truncated: boolean;
}

type BoundedGit = (args: readonly string[], input: Buffer) => Promise<Lines | Refusal>;

/** What a command said until it ended or reached a limit: a part of the history is better than none. */
function boundedGit(mirror: Mirror, { limits, signal }: HistoryRequest): BoundedGit {
  const deadline = performance.now() + (limits?.timeMs ?? HISTORY_LIMITS.timeMs);
  return async (args, input) => {
    const result = await runGit({
      gitDirectory: mirror.places.gitDirectory,
      args,
      input,
      timeoutMs: Math.max(1, deadline - performance.now()),
      maxOutputBytes: limits?.outputBytes ?? HISTORY_LIMITS.outputBytes,
      signal,
    });
    if (!result.ok && !isPart(result)) return gitRefusal("Reading the history", result);
    const lines = result.stdout.toString("utf8").split("\n");
    // Ends with a line feed, or with half a line that was cut off.
    lines.pop();
    return { ok: true, lines, truncated: !result.ok };
  };
}

function isPart(result: GitResult): boolean {
  return (result.timedOut || result.truncated) && !result.aborted;
}

async function countOnFiles(
  run: BoundedGit,
  commit: string,
  { paths, since, limits }: HistoryRequest,
): Promise<{ ok: true; commits: number; authors: number; truncated: boolean } | Refusal> {
  const asked = pathLines(paths, limits?.paths ?? HISTORY_LIMITS.paths);
  // Without any path git would count the commits on all files.
  if (asked.lines.length === 0) return { ok: true, commits: 0, authors: 0, truncated: asked.truncated };
  const most = limits?.fileCommits ?? HISTORY_LIMITS.fileCommits;
  const options = ["--stdin", "--no-merges", "--no-mailmap", "--format=%ae"];
  const input = joinLines([Buffer.from(commit), Buffer.from("--"), ...asked.lines]);
  const log = await run(["log", ...options, `--since=${since.toISOString()}`, `--max-count=${most + 1}`], input);
  if (!log.ok) return log;
  const addresses = log.lines.slice(0, most);
  return {
    ok: true,
    commits: addresses.length,
    authors: new Set(addresses.map(personOf)).size,
    truncated: asked.truncated || log.truncated || log.lines.length > most,
  };
}

async function countByAuthor(
  run: BoundedGit,
  commit: string,
  { author, paths, limits }: HistoryRequest,
): Promise<Pick<History, "ok" | "author" | "truncated"> | Refusal> {
  const patterns = authorPatterns(author);
  if (patterns.length === 0) return { ok: true, truncated: false };
  const most = limits?.authorCommits ?? HISTORY_LIMITS.authorCommits;
  const search = ["--fixed-strings", "--regexp-ignore-case", ...patterns.map((pattern) => `--author=${pattern}`)];
  const options = ["--stdin", "--no-merges", "--no-mailmap", "--format=%H%x09%ae%x09%an"];
  const log = await run(["log", ...search, ...options, `--max-count=${most + 1}`], joinLines([Buffer.from(commit)]));
  if (!log.ok) return log;
  const commits = log.lines.slice(0, most).flatMap((line) => {
    const [sha = "", email = "", name = ""] = line.split("\t");
    return isBy(author, email, name) ? [sha] : [];
  });
  const directories = pathLines(directoriesOf(paths), limits?.paths ?? HISTORY_LIMITS.paths);
  const touching = await touchingCommits(run, commits, directories.lines);
  if (!touching.ok) return touching;
  const inTheseDirectories = touching.shas.size;
  return {
    ok: true,
    author: { inTheseDirectories, elsewhere: commits.length - inTheseDirectories },
    truncated: log.truncated || log.lines.length > most || directories.truncated || touching.truncated,
  };
}

/** Those of the commits that changed something below the paths. */
async function touchingCommits(
  run: BoundedGit,
  commits: readonly string[],
  paths: readonly Buffer[],
): Promise<{ ok: true; shas: Set<string>; truncated: boolean } | Refusal> {
  // Here paths can only be arguments, and those are text: the few that are not UTF-8 are left out.
  const named = paths.map((path) => path.toString("utf8")).filter((path) => !path.includes("\ufffd"));
  // Without any path git would name all commits.
  if (commits.length === 0 || named.length === 0) return { ok: true, shas: new Set(), truncated: false };
  const args = ["diff-tree", "--stdin", "--root", "-r", "--no-renames", "--name-only", "--", ...named];
  const found = await run(args, joinLines(commits.map((sha) => Buffer.from(sha))));
  if (!found.ok) return found;
  // A commit is printed with the paths it changed, and only when there are any.
  const asked = new Set(commits);
  return { ok: true, shas: new Set(found.lines.filter((line) => asked.has(line))), truncated: found.truncated };
}

/** Each path as a line of git's input; a path with a line feed in it cannot be one. */
function pathLines(paths: readonly string[], most: number): { lines: Buffer[]; truncated: boolean } {
  const lines = paths.map(pathToBytes).filter((path) => path.length > 0 && !path.includes("\n"));
  return { lines: lines.slice(0, most), truncated: lines.length > most || lines.length < paths.length };
}

function directoriesOf(paths: readonly string[]): string[] {
  // A path in quotes stands for bytes: its directory is asked for by the file itself.
  const directory = (path: string) => (path.startsWith('"') ? path : posix.dirname(path));
  return [...new Set(paths.map((path) => (directory(path) === "." ? path : directory(path))))];
}

function joinLines(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
}
