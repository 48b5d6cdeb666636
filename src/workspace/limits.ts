const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** Default limits for a single run of any program. */
export const PROGRAM_LIMITS = {
  /** Between SIGTERM and SIGKILL: git needs some milliseconds to remove its lock files, nothing needs more than this. */
  terminationGraceMs: 2_000,
  /** After the program itself is gone: how long a descendant that left the process group may keep its output pipe open. */
  outputDrainMs: 500,
  /** Error output is read by people and by our classification of failures; more than this helps neither. */
  errorOutputBytes: 64 * KIB,
} as const;

/** Ordinary git commands, which read objects and write at most a few of them. */
export const GIT_LIMITS = {
  /** A merge base in a history of a million commits takes seconds; a minute means that something is wrong. */
  timeMs: 60_000,
  /** Enough for git's delta cache and the rename matrix; keeps two reviews at once inside a 4 GB machine. */
  memoryBytes: GIB,
  /** Lists of objects and trees; anything larger is asked for with its own limit. */
  outputBytes: 64 * MIB,
} as const;

export interface FetchLimits {
  readonly timeMs: number;
  readonly bytes: number;
}

/** Commits and trees of the whole history, once per repository: the largest public histories need about 1.5 GB of them. */
export const FETCH_COMMITS_LIMITS: FetchLimits = { timeMs: 10 * 60_000, bytes: 2 * GIB };

/** File contents of one pull request: five times the largest file GitHub takes (100 MB). */
export const FETCH_BLOBS_LIMITS: FetchLimits = { timeMs: 5 * 60_000, bytes: 512 * MIB };

/** Packs of a large history are indexed in memory, which needs more than reading does. */
export const FETCH_MEMORY_BYTES = 2 * GIB;

/** How often the growing mirror is measured while git fetches: at 100 MB/s a limit is overrun by 25 MB at most. */
export const FETCH_WATCH_INTERVAL_MS = 250;

export interface DiffLimits {
  /** More than GitHub's own list of files (3,000); 300,000 files are a vendored tree, not reviewed line by line. */
  readonly files: number;
  /** Bytes of patch text: 50,000 changed lines are about 3 MB. */
  readonly patchBytes: number;
  /** A larger file gets no text diff: it is not read by line, and comparing it costs memory by the square of its size. */
  readonly fileBytes: number;
  readonly timeMs: number;
}

export const DIFF_LIMITS: DiffLimits = { files: 10_000, patchBytes: 32 * MIB, fileBytes: 4 * MIB, timeMs: 60_000 };

/** A listing line holds two object ids and a path; paths may have 4,096 bytes, few have more than 200. */
export const LISTING_BYTES_PER_FILE = 2 * KIB;

/** Above this product git finds renamed files by equal content only; the comparison grows with the square. */
export const RENAME_CANDIDATES = 1_000;

export interface BlobLimits {
  /** Analysers take no larger file: parsers need ten to fifty times its size. */
  readonly maxBlobBytes: number;
  /** All contents are held in memory at once. */
  readonly maxTotalBytes: number;
}

export const BLOB_LIMITS: BlobLimits = { maxBlobBytes: 2 * MIB, maxTotalBytes: 128 * MIB };

/** One file that Forge itself reads, such as its configuration: people write these by hand. */
export const SINGLE_FILE_BYTES = MIB;

/** Paths given to one git command: the system takes 2 MB of arguments, and a path has at most 4 KB. */
export const PATHS_PER_LISTING = 250;

/** Entries of one listing of a tree. */
export const TREE_ENTRIES = 100_000;

/** GitHub lists at most 250 commits of a pull request; four times that is still read in well under a second. */
export const COMMIT_LOG_COMMITS = 1_000;

/** Update merges in one push that are followed one by one before the push counts as an ordinary one. */
export const UPDATE_MERGES = 10;

/** How the mirrors are shared and kept small. */
export const MIRROR_LIMITS = {
  /** Longer than the longest permitted fetch, so that waiting for one never fails before it does. */
  lockWaitMs: 12 * 60_000,
  lockRetryMs: 50,
  /** A living owner refreshes its lock this often ... */
  lockRefreshMs: 5_000,
  /** ... and is taken for dead after six missed refreshes, when its process cannot be asked (another machine). */
  lockStaleMs: 30_000,
  /** Every fetch leaves a pack, and git looks into each for every object: they are joined above this. */
  packs: 100,
  /** Fetched heads that are remembered as known to both sides; older ones only make the talk with the server longer. */
  references: 500,
  /** Disk for all mirrors together (DATA-2). */
  totalBytes: 20 * GIB,
} as const;
