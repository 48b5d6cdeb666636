const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** What holds for every run, and what holds where the caller does not say. */
export const SANDBOX_LIMITS = {
  temporaryBytes: 256 * MIB,
  /** Shared memory: browsers and databases in tests want some. */
  sharedMemoryBytes: 64 * MIB,
  /** What the programs that start a run use until they are gone, and what the kernel has to keep of any process. */
  startBytes: 32 * MIB,
  /** The shell and bubblewrap's processes around a run, outside of its own count. */
  startProcesses: 16,
  /** Node reserves 512 MiB for code without using them, and does not start where the kernel's limit is below. */
  reservedMemoryBytes: 512 * MIB,
  /** Open files of each process: a large test suite holds some thousands. */
  openFiles: 8_192,
  diskBytes: 4 * GIB,
  /** New files and folders of one run: the packages of a large project are some 200,000. */
  files: 500_000,
  /** A memory bomb fills about 1.5 GB a second, so 50 ms let it run some 75 MB over. */
  watchIntervalMs: 50,
  /** The machine itself comes first: below these, whatever runs in a sandbox is stopped. */
  machineMemoryBytes: 128 * MIB,
  machineDiskBytes: 256 * MIB,
  machineFiles: 10_000,
  /** After the end of a run the kernel needs milliseconds to end what is left of it; some seconds under heavy load. */
  endWaitMs: 10_000,
  endPollMs: 2,
} as const;

/** Fetching dependencies: the package manager keeps its downloads in the temporary folder. */
export const INSTALL_LIMITS = {
  temporaryBytes: GIB,
  /** Everything that comes through the registry proxy in one run. */
  downloadBytes: 2 * GIB,
  /** npm opens 15 connections at once unless told otherwise. */
  connections: 64,
  /** How many refused hosts are remembered for the report. */
  refusedHosts: 100,
  /** A registry that is silent for so long will not answer any more. */
  idleMs: 60_000,
} as const;
