import { existsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { CODE_ENDING } from "../../domain/code-ending.ts";
import { defined } from "../../domain/defined.ts";
import { type ProgramResult, runProgram } from "../../workspace/run-program.ts";
import { BOX_FOLDER, type Sandbox } from "../../workspace/sandbox/sandbox.ts";

const MEBI = 1024 * 1024;

const INSIDE_LIMITS = {
  /** Biome has a thread for each processor, and Node some more. */
  maxProcesses: 512,
  /** What is formatted, and what Node keeps of its compiled code. */
  maxFileBytes: 64 * MEBI,
  /** For logs that are not read. */
  temporaryBytes: 16 * MEBI,
} as const;

/** One run of a program of ours over hostile text. Its limits hold inside of the sandbox and beside it. */
export interface ReaderSpec {
  /** Absolute path: Forge's own Node, a program of the system below `/usr`, or one that is shown. */
  readonly program: string;
  readonly args: readonly string[];
  /** What it has to see of the machine besides, unchangeable, under its own path: code, never data. */
  readonly shown: readonly string[];
  /** A folder made by us for this run, with all files that it is to read. Named to it by relative paths only. */
  readonly folder?: string;
  /** Where below the folder it starts. */
  readonly startIn?: string;
  /** It may change the folder: later reads there must follow no links. */
  readonly writes?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeoutMs: number;
  /** Standard output that stands still for so long ends it as a time-out does. */
  readonly silenceMs?: number;
  readonly memoryBytes: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  readonly okCodes?: readonly number[];
}

/** In the sandbox: it sees what is named in its specification, programs of the system, and no network. */
export function runInside(sandbox: Sandbox, spec: ReaderSpec): Promise<ProgramResult> {
  const { program, args, shown, folder, startIn = ".", writes = false, timeoutMs } = spec;
  const seen = folder !== undefined && !writes ? [...shown, folder] : shown;
  return sandbox.run({
    ...INSIDE_LIMITS,
    ...given(spec),
    command: program === process.execPath ? "node" : program,
    args,
    readOnly: seen,
    ...(folder === undefined ? {} : { workingDirectory: join(writes ? BOX_FOLDER : folder, startIn) }),
    ...(folder === undefined || !writes ? {} : { writable: folder }),
    ...defined({ env: spec.env }),
    cpuSeconds: Math.ceil(timeoutMs / 1000) * availableParallelism(),
  });
}

/** As a limited child process, where there is no sandbox: without Forge's environment, but with the eyes of Forge's user. */
export function runBeside(spec: ReaderSpec): Promise<ProgramResult> {
  const { program, args, folder, startIn = "." } = spec;
  // Some programs look for a home folder to log into.
  const home = folder === undefined ? {} : { HOME: folder, XDG_CACHE_HOME: folder };
  return runProgram({
    ...given(spec),
    command: program,
    args,
    cwd: folder === undefined ? tmpdir() : join(folder, startIn),
    env: { ...home, ...spec.env },
  });
}

function given({ input, timeoutMs, silenceMs, memoryBytes, maxOutputBytes, signal, okCodes }: ReaderSpec) {
  return {
    ...{ timeoutMs, memoryBytes, maxOutputBytes, signal },
    ...defined({ input, silenceMs, okCodes }),
  };
}

/** Forge's own folder. Only its code is shown to readers: settings and data may stand beside it. */
export const FORGE_FOLDER = resolve(import.meta.dirname, "..", "..", "..");

/** An installed Forge is a package beside those that it uses: they lie in the folder of packages around it. */
const AROUND = dirname(FORGE_FOLDER);

const OWN_CODE = [
  ...["package.json", basename(resolve(import.meta.dirname, "..", "..")), "node_modules"].map((name) =>
    join(FORGE_FOLDER, name),
  ),
  ...(basename(AROUND) === "node_modules" ? [AROUND] : []),
].filter((path) => existsSync(path));

/** For a child that only loads what it needs: ESLint with its plugins takes a second. */
export const FILL_LIMITS = { timeoutMs: 30_000, memoryBytes: 1024 * MEBI, maxOutputBytes: 1024 };

export const CHILD_FOLDER = resolve(import.meta.dirname, "..", "child");

/**
 * How a reading child is started.
 * @param compiledCode folder with the compiled form of what it loads. Named by the environment and not by the child itself, so that its first
 * file comes from there too: to strip the types of one costs as much as to start Node.
 * @param flags of Node, besides
 */
export function readingChild(
  compiledCode?: string,
  flags: readonly string[] = [],
): Pick<ReaderSpec, "program" | "args" | "shown" | "env"> {
  return {
    program: process.execPath,
    // Trees of whole files die young: with the usual nursery a third of the time goes into moving them out of it.
    args: [
      "--max-old-space-size=512",
      "--max-semi-space-size=16",
      "--no-warnings",
      ...flags,
      join(CHILD_FOLDER, `main${CODE_ENDING}`),
    ],
    shown: compiledCode === undefined ? OWN_CODE : [...OWN_CODE, compiledCode],
    env: compiledCode === undefined ? {} : { NODE_COMPILE_CACHE: compiledCode },
  };
}
