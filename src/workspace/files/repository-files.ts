export type FileRefusalReason =
  | "invalid path"
  | "git's own"
  | "not found"
  | "not a file"
  | "link"
  | "too large"
  | "changed"
  | "exists"
  | "not written"
  | "unavailable";

/** Why a file was not read or written: an expected outcome, with a sentence that a model can act on. */
export interface FileRefusal {
  readonly ok: false;
  readonly reason: FileRefusalReason;
  readonly detail: string;
}

export function refuseFile(reason: FileRefusalReason, detail: string): FileRefusal {
  return { ok: false, reason, detail };
}

export interface FileContent {
  readonly ok: true;
  readonly content: Buffer;
}

export interface FileList {
  readonly ok: true;
  /** Regular files, `/` between names, sorted. */
  readonly paths: readonly string[];
  /** There are more than could be listed. */
  readonly truncated: boolean;
  /** Git's ids of the contents, as far as they are known without reading them. */
  readonly ids?: ReadonlyMap<string, string>;
}

export interface SearchQuery {
  /** A regular expression as ripgrep takes it: linear in time, without look-around and back references. */
  readonly pattern: string;
  /** The pattern is plain text. */
  readonly literal: boolean;
  readonly wholeWord: boolean;
  readonly ignoreCase: boolean;
  /** A folder or file below the root, already clean; empty for everything. */
  readonly within: string;
  /** Globs that a path must match, as ripgrep takes them. */
  readonly globs: readonly string[];
  /** Lines shown around each match. */
  readonly contextLines: number;
  readonly maxMatches: number;
  /** Whether lines of this path are shown and counted; without it, all are. */
  readonly isShown?: (path: string) => boolean;
}

export interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** False for a line of context. */
  readonly match: boolean;
}

export interface SearchOutcome {
  readonly ok: true;
  /** By path and line. */
  readonly lines: readonly FoundLine[];
  readonly matches: number;
  /** Why these are not all. */
  readonly cut: "matches" | "time" | "output" | undefined;
}

/** The files of one repository at one state, and nothing else of the machine: the only way in which tools read files (SEC-4). */
export interface RepositoryFiles {
  read(path: string, signal: AbortSignal): Promise<FileContent | FileRefusal>;
  /** Several at once; what cannot be read, has more than `largest` bytes, or goes beyond the limit for all, is left out. */
  readMany(paths: readonly string[], signal: AbortSignal, largest?: number): Promise<ReadonlyMap<string, Buffer>>;
  list(signal: AbortSignal): Promise<FileList | FileRefusal>;
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchOutcome | FileRefusal>;
}

/** One file as it is to be. */
export interface FileChange {
  readonly path: string;
  /** Undefined deletes it. */
  readonly content: Buffer | undefined;
  /** Its present contents; undefined when it must not exist yet. */
  readonly before: Buffer | undefined;
}

/** Files that can also be changed. */
export interface WorkFiles extends RepositoryFiles {
  /** All of them or none. Refuses when one of them is not as `before` says. */
  change(changes: readonly FileChange[], signal: AbortSignal): Promise<{ readonly ok: true } | FileRefusal>;
}

const KIB = 1024;
const MIB = 1024 * KIB;

export const FILE_LIMITS = {
  /** A larger one is not read line by line, and a model cannot. */
  readBytes: 2 * MIB,
  /** Contents held in memory at once, for the map of a repository. */
  readManyBytes: 64 * MIB,
  writeBytes: MIB,
  changes: 100,
  /** The system takes 4,096 for a path and 255 for a name. */
  pathBytes: 1_024,
} as const;
