import { randomUUID } from "node:crypto";
import { posix } from "node:path";
import { gitFailure, type WorkspaceFailure } from "./failure.ts";
import { runGit } from "./git.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import { pathToBytes } from "./path-text.ts";
import { requireObjectId } from "./revision.ts";

/** What counting may cost. */
export const HISTORY_LIMITS = {
  /** For both git commands together: 100,000 commits take about four seconds. */
  timeMs: 20_000,
  /** Commits of all people since the given day. */
  commits: 100_000,
  /** The risk does not fall any further above 500, and a commit elsewhere counts a quarter. */
  authorCommits: 2_000,
  /** Each commit gives the paths it changed: about 250,000 of them, read in a fifth of a second. */
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
export async function readHistory(mirror: Mirror, request: HistoryRequest): Promise<History | WorkspaceFailure> {
  return withMirror(mirror, request.signal, () => readHistoryIn(mirror.places.gitDirectory, request));
}

/** The same in a git directory that is ours, such as the view of a checkout. @throws ForgeError as `readHistory` */
export async function readHistoryIn(
  gitDirectory: string,
  request: HistoryRequest,
): Promise<History | WorkspaceFailure> {
  const read = boundedLog(gitDirectory, requireObjectId(request.commit), request);
  const byAuthor = await countByAuthor(read, request);
  if (!byAuthor.ok) return byAuthor;
  const onFiles = await countOnFiles(read, request);
  if (!onFiles.ok) return onFiles;
  return { ...byAuthor, ...onFiles, truncated: onFiles.truncated || byAuthor.truncated };
}

interface PastCommit {
  readonly email: string;
  readonly name: string;
  /** Changed paths, one character for each byte. */
  readonly paths: readonly string[];
}

interface PastCommits {
  readonly ok: true;
  readonly commits: readonly PastCommit[];
  readonly truncated: boolean;
}

type ReadCommits = (args: readonly string[], most: number) => Promise<PastCommits | WorkspaceFailure>;

/**
 * Git is asked for what each commit changed, never for the commits of given paths: comparing every commit with a few hundred paths
 * takes it twenty times as long. What it said until a limit was reached counts: a part of the history is better than none.
 */
function boundedLog(gitDirectory: string, commit: string, { limits, signal }: HistoryRequest): ReadCommits {
  const deadline = performance.now() + (limits?.timeMs ?? HISTORY_LIMITS.timeMs);
  return async (args, most) => {
    // Unguessable, so that no name of a file reads as the beginning of a commit.
    const mark = randomUUID();
    const options = ["-z", "--no-merges", "--no-renames", "--no-mailmap", "--name-only", `--format=${mark}%ae%x01%an`];
    const result = await runGit({
      gitDirectory,
      args: ["log", ...options, ...args, `--max-count=${most + 1}`, commit, "--"],
      timeoutMs: Math.max(1, deadline - performance.now()),
      maxOutputBytes: limits?.outputBytes ?? HISTORY_LIMITS.outputBytes,
      signal,
    });
    const isPart = (result.timedOut || result.truncated) && !result.aborted;
    if (!result.ok && !isPart) return gitFailure("Reading the history", result);
    const commits = parseCommits(result.stdout.toString("latin1"), mark);
    return { ok: true, commits: commits.slice(0, most), truncated: isPart || commits.length > most };
  };
}

function parseCommits(output: string, mark: string): PastCommit[] {
  const [, ...records] = output.split(mark);
  return records.map((record) => {
    const [header = "", ...paths] = record.split("\0");
    const [email = "", name = ""] = Buffer.from(header, "latin1").toString("utf8").split("\u0001");
    // A line feed stands between a commit and the first of its paths.
    return { email, name, paths: paths.map((path, at) => (at === 0 ? path.slice(1) : path)) };
  });
}

async function countOnFiles(read: ReadCommits, { paths, since, limits }: HistoryRequest) {
  const log = await read([`--since=${since.toISOString()}`], limits?.commits ?? HISTORY_LIMITS.commits);
  if (!log.ok) return log;
  const touched = new Set(paths.map(pathBytes));
  const commits = log.commits.filter((commit) => commit.paths.some((path) => touched.has(path)));
  const authors = new Set(commits.map(({ email }) => personOf(email)));
  return { ok: true as const, commits: commits.length, authors: authors.size, truncated: log.truncated };
}

async function countByAuthor(read: ReadCommits, { author, paths, limits }: HistoryRequest) {
  const patterns = authorPatterns(author);
  if (patterns.length === 0) return { ok: true as const, truncated: false };
  const search = ["--fixed-strings", "--regexp-ignore-case", ...patterns.map((pattern) => `--author=${pattern}`)];
  const log = await read(search, limits?.authorCommits ?? HISTORY_LIMITS.authorCommits);
  if (!log.ok) return log;
  const own = log.commits.filter(({ email, name }) => isBy(author, email, name));
  const places = new Set(paths.map((path) => placeOf(pathBytes(path))));
  const inTheseDirectories = own.filter((commit) => commit.paths.some((path) => isBelow(path, places))).length;
  const counts = { inTheseDirectories, elsewhere: own.length - inTheseDirectories };
  return { ok: true as const, author: counts, truncated: log.truncated };
}

/** The directory of a file, and for a file in the root the file itself. */
function placeOf(path: string): string {
  const directory = posix.dirname(path);
  return directory === "." ? path : directory;
}

function isBelow(path: string, places: ReadonlySet<string>): boolean {
  if (places.has(path)) return true;
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
    if (places.has(path.slice(0, slash))) return true;
  }
  return false;
}

function pathBytes(path: string): string {
  return pathToBytes(path).toString("latin1");
}

const NO_REPLY = "@users.noreply.github.com";

/**
 * Who the author of a change is. Take these from the account, never from the commits of the change: anybody can write any name there
 * and would borrow the experience of somebody else.
 */
interface AuthorIdentity {
  /** Stands for GitHub's no-reply addresses of this login. */
  readonly login?: string;
  readonly email?: string;
  /** The author's name as it stands in commits, compared in full; names are not unique. */
  readonly name?: string;
}

/** Fixed strings of which git finds at least one in the author line of each of their commits. */
function authorPatterns({ login, email, name }: AuthorIdentity): string[] {
  const patterns = [
    email && `<${email}>`,
    login && `<${login}${NO_REPLY}>`,
    login && `+${login}${NO_REPLY}>`,
    name && `${name} <`,
  ];
  // Git takes a line feed as the end of a pattern, and what follows as another one.
  return patterns.filter((pattern) => pattern !== undefined && pattern !== "" && !/[\n\0]/.test(pattern)) as string[];
}

/** Whether a commit with this address and name is theirs: git's search also finds longer names. */
function isBy(author: AuthorIdentity, email: string, name: string): boolean {
  const same = (a: string | undefined, b: string) => a !== undefined && a !== "" && a.toLowerCase() === b.toLowerCase();
  return (
    same(author.email, email) ||
    same(author.login && `${author.login}${NO_REPLY}`, personOf(email)) ||
    same(author.name, name)
  );
}

/** An address as one person has it: GitHub's no-reply address of a login stands with and without the account's number. */
function personOf(email: string): string {
  const address = email.toLowerCase();
  return address.endsWith(NO_REPLY) ? address.replace(/^\d+\+/, "") : address;
}
