import { ForgeError } from "../../domain/errors.ts";
import type { ProgramResult } from "../run-program.ts";

/** Where the writable folder stands inside the sandbox, whatever its path is outside. */
export const BOX_FOLDER = "/box";

/** What the repository's own dependencies bring stands last, so that nothing in it takes the name of a program of the system. */
export const PROGRAM_PATH = `/opt/forge/bin:/usr/local/bin:/usr/bin:/bin:${BOX_FOLDER}/node_modules/.bin`;

/** The user of a program inside: nobody, whatever user started it. */
export const NOBODY = 65_534;

/** The limits of a run. Each is a ceiling for all its processes together unless it says otherwise. */
export interface SandboxLimits {
  readonly timeoutMs: number;
  /** Processor seconds of each process. */
  readonly cpuSeconds: number;
  /**
   * Besides what the temporary folders hold. Watched twenty times a second; what outruns the watch is held by the kernel: all of the run,
   * temporary folders included, where there are control groups, and otherwise each process at about twice this.
   */
  readonly memoryBytes: number;
  /** Processes and threads at once: Node alone needs about 15, a test runner 20 for each of its workers. */
  readonly maxProcesses: number;
  readonly maxOutputBytes: number;
  /** Size of any one file that is written. */
  readonly maxFileBytes: number;
  /** How much the disk of the writable folder may fill up meanwhile, by any program. */
  readonly maxDiskBytes?: number;
  /** Size of the temporary folder inside, which is held in memory. */
  readonly temporaryBytes?: number;
}

export interface SandboxSpec extends SandboxLimits {
  /** Looked up inside the sandbox: programs of the system in `/usr`, and `node`, which is Forge's own. */
  readonly command: string;
  readonly args: readonly string[];
  /**
   * A folder of ours, such as the clone: the only place whose changes outlive the run, seen inside as `BOX_FOLDER`. It has no `.git`, and
   * one that the program makes does not outlive the run.
   */
  readonly writable?: string;
  /**
   * Files and folders that are seen inside under their own path and cannot be changed. Anything in them can be read, and a socket in
   * them be used. When Forge is root, the user inside is somebody else: they must be readable by everybody.
   */
  readonly readOnly?: readonly string[];
  /** Where the program starts, as seen inside; the writable folder, or else the temporary one, when not given. */
  readonly workingDirectory?: string;
  /** Added to a fixed minimum. Visible on the host in the list of processes: never a secret. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Buffer | string;
  /** Standard output that stands still for so long ends the run as its time does. */
  readonly silenceMs?: number;
  readonly signal?: AbortSignal;
  /** Both outputs as they come, up to their limits. */
  readonly onOutput?: (chunk: Buffer, stream: "stdout" | "stderr") => void;
  /** Exit codes that count as success for `ok`; 0 when not given. */
  readonly okCodes?: readonly number[];
}

/** Package managers that can be told to run no scripts. */
export const INSTALLERS = ["npm", "pnpm", "yarn", "yarn-berry", "bun", "pip"] as const;

export interface InstallSpec extends Omit<SandboxSpec, "command" | "okCodes"> {
  readonly command: (typeof INSTALLERS)[number];
  /** The file to start, in a folder of ours that is shown with it; the machine's own when not given. */
  readonly program?: { readonly file: string; readonly folder: string };
  /** The folder that is installed into. */
  readonly writable: string;
  /** Registry hosts by name, with a port unless it is 443. Nothing else is reached; from the operator's configuration only. */
  readonly allowedHosts: readonly string[];
}

export const LIMIT_HITS = ["time", "memory", "output", "processes", "disk"] as const;
export type LimitHit = (typeof LIMIT_HITS)[number];

/** A program that was ended by a signal inside has the exit code 128 and the number of the signal. */
export interface SandboxResult extends ProgramResult {
  readonly limitHit?: LimitHit;
}

export interface InstallResult extends SandboxResult {
  /** Requested hosts outside the list, as `host:port`: the reason for a failed installation, or targets of a lock file. */
  readonly refusedHosts: readonly string[];
}

/** Runs hostile programs (SEC-1). When a run returns, nothing that it started is alive. */
export interface Sandbox {
  /**
   * No network at all.
   * @throws ForgeError `sandbox_failed` when the sandbox itself could not be set up: the program was never started
   */
  run(spec: SandboxSpec): Promise<SandboxResult>;
  /**
   * Installs dependencies: the network reaches the allowed registry hosts and nothing else, and no package's scripts are run.
   * @throws ForgeError `sandbox_failed`, `program_missing`, `install_refused`
   */
  runInstall(spec: InstallSpec): Promise<InstallResult>;
  /**
   * Gives a folder of ours to the user inside, where that is another one. Every run does so first; done before anybody remembers what the
   * files look like, it does not change that later.
   * @throws ForgeError `sandbox_failed`
   */
  adopt(folder: string): Promise<void>;
  /** The keeper of a run's memory limit: the kernel by control groups of this version, or else a count from outside. */
  readonly controlGroups?: 1 | 2;
}

/** Why no project code may be run on this machine, in a sentence for the operator and the summary. */
export interface SandboxUnavailable {
  readonly unavailable: string;
}

/** The sandbox itself could not be set up or ended; nothing is said about the program. */
export function sandboxFailed(reason: string, cause?: unknown): ForgeError {
  return new ForgeError("sandbox_failed", `The sandbox could not be used: ${reason}`, {
    source: "resource",
    severity: "high",
    recoverability: "manual",
    cause,
  });
}

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** Limits of every run, and defaults for the caller's. */
export const SANDBOX_LIMITS = {
  temporaryBytes: 256 * MIB,
  /** Shared memory: browsers and databases in tests want some. */
  sharedMemoryBytes: 64 * MIB,
  /** Memory of the programs that start a run, until they are gone, and of the kernel for any process. */
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
  /** After the end of a run the kernel needs milliseconds to end what is left of it; many seconds under heavy load, for a million files in memory. */
  endWaitMs: 60_000,
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
