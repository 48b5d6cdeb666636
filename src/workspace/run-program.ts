import { type ChildProcess, spawn } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { fileURLToPath } from "node:url";
import { CODE_ENDING } from "../domain/code-ending.ts";
import { defined } from "../domain/defined.ts";
import { ForgeError } from "../domain/errors.ts";
import { findProgram, MINIMAL_PATH, programMissing, requireProgram } from "./find-program.ts";
import type { Asked, Ended, Order, Told } from "./launcher.ts";

export interface ProgramSpec extends ResourceLimits {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment of the program, besides a minimal PATH. Nothing of Forge's own is added. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Buffer | string;
  readonly timeoutMs: number;
  /** Standard output that stands still for so long ends the program as a time-out does. */
  readonly silenceMs?: number;
  /** Standard output above this ends the program; error output above its own limit is dropped. */
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal;
  /** Both outputs as they come, up to their limits. */
  readonly onOutput?: (chunk: Buffer, stream: "stdout" | "stderr") => void;
  /** Exit codes that count as success for `ok`; 0 when not given. */
  readonly okCodes?: readonly number[];
}

export interface ProgramResult {
  /** Ended by itself, with an expected exit code, and nothing was cut off. */
  readonly ok: boolean;
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Standard output was longer than permitted; `stdout` holds the first `maxOutputBytes`. */
  readonly truncated: boolean;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly durationMs: number;
}

/**
 * Runs a program to its end: no shell, an environment of its own, a process group that is killed whole, limits on time, output and
 * (on Linux) memory, processor and file size. Failing programs are values. It is started by a small process of Forge's own (`launcher.ts`),
 * so that the main thread is not held up.
 * @throws ForgeError `program_missing` when it cannot be started at all
 */
export async function runProgram(spec: ProgramSpec): Promise<ProgramResult> {
  const began = performance.now();
  const path = await requireProgram(spec.command);
  const [file, ...args] = [...(await resourceLimitCommand(spec)), path, ...spec.args];
  const { timeoutMs, maxOutputBytes, input, cwd, silenceMs, onOutput } = spec;
  const launch = await openLauncher();
  if (file === undefined || spec.signal?.aborted) return neverStarted();

  const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const order = {
    ...{ file, args, cwd, input, timeoutMs, silenceMs, maxOutputBytes },
    env: { PATH: MINIMAL_PATH, ...spec.env },
    streams: onOutput !== undefined,
  };
  const program = launch(order, (chunk, stream) => {
    output[stream].push(chunk);
    onOutput?.(chunk, stream);
  });
  spec.signal?.addEventListener("abort", program.abort, { once: true });
  try {
    const { code, signal, stopped } = await program.ended;
    return {
      ok: stopped === undefined && code !== null && (spec.okCodes ?? [0]).includes(code),
      code,
      signal,
      stdout: Buffer.concat(output.stdout),
      stderr: Buffer.concat(output.stderr),
      truncated: stopped === "truncated",
      timedOut: stopped === "timed out",
      aborted: stopped === "aborted",
      durationMs: performance.now() - began,
    };
  } catch (error) {
    throw error instanceof NotStarted ? programMissing(spec.command, error) : error;
  } finally {
    spec.signal?.removeEventListener("abort", program.abort);
  }
}

function neverStarted(): ProgramResult {
  const nothing = Buffer.alloc(0);
  return {
    ok: false,
    code: null,
    signal: null,
    stdout: nothing,
    stderr: nothing,
    truncated: false,
    timedOut: false,
    aborted: true,
    durationMs: 0,
  };
}

const LAUNCHER = fileURLToPath(new URL(`./launcher${CODE_ENDING}`, import.meta.url));

/** The program is gone, or its folder is. */
class NotStarted extends Error {}

type OnOutput = (chunk: Buffer, stream: "stdout" | "stderr") => void;

/** A program that the launcher was asked to start. */
interface Launched {
  /** @throws NotStarted, Error where it cannot be called like this, and ForgeError `launcher_ended` when the launcher died meanwhile, with all that it had started */
  readonly ended: Promise<Ended>;
  readonly abort: () => void;
}

/** Has a program started. */
type Launch = (order: Omit<Order, "id">, onOutput: OnOutput) => Launched;

/** One for the whole process, started on first use and again after it died. */
let standing: { readonly child: ChildProcess; readonly launch: Launch } | undefined;

/** The process that starts programs. It never keeps Forge alive, and dies with it. */
async function openLauncher(): Promise<Launch> {
  if (standing?.child.connected) return standing.launch;
  const command = [...(await resourceLimitCommand({})), process.execPath, LAUNCHER];
  // Somebody else may have begun it meanwhile.
  if (!standing?.child.connected) standing = begin(command);
  return standing.launch;
}

function begin([file, ...args]: readonly string[]) {
  const child = spawn(file!, args, {
    // Its own session: what a terminal sends to Forge is for Forge to decide.
    detached: true,
    // Compiled already it holds a third less: Node then loads nothing that strips types.
    env: { PATH: MINIMAL_PATH, ...defined({ NODE_COMPILE_CACHE: compiledCode() }) },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
  });
  return { child, launch: launchBy(child) };
}

/** Where Node keeps what Forge itself was compiled to, when it does. */
function compiledCode(): string | undefined {
  return process.env.NODE_COMPILE_CACHE ?? getCompileCacheDir();
}

function launchBy(child: ChildProcess): Launch {
  const waiting = new Map<number, { told(told: Told): void; lost(): void }>();
  const rest = () => {
    if (waiting.size === 0) child.channel?.unref();
  };
  child.unref();
  rest();
  child.on("message", (told: Told) => waiting.get(told.id)?.told(told));
  for (const event of ["error", "disconnect"]) {
    child.on(event, () => {
      for (const { lost } of waiting.values()) lost();
      waiting.clear();
    });
  }
  const ask = (asked: Asked) => child.send(asked, () => undefined);
  let last = 0;
  return (order, onOutput) => {
    const id = ++last;
    const ended = new Promise<Ended>((resolve, reject) => {
      waiting.set(id, {
        told: (told) => {
          if ("chunk" in told) return onOutput(told.chunk, told.stream);
          waiting.delete(id);
          rest();
          if ("ended" in told) resolve(told.ended);
          else reject(notStarted(told.failed));
        },
        lost: () => reject(launcherEnded()),
      });
    });
    child.channel?.ref();
    ask({ start: { id, ...order } });
    return { ended, abort: () => ask({ abort: id }) };
  };
}

function notStarted({ message, code, refused }: Extract<Told, { failed: unknown }>["failed"]): Error {
  return refused ? Object.assign(new Error(message), { code }) : new NotStarted(message);
}

function launcherEnded(): ForgeError {
  return new ForgeError(
    "launcher_ended",
    "The process that starts programs for Forge ended: what it ran is begun anew.",
    {
      source: "resource",
      severity: "high",
      recoverability: "auto",
    },
  );
}

interface ResourceLimits {
  /** Private memory of each process. Not address space: Node and git map far more than they use. */
  readonly memoryBytes?: number;
  /** Processor seconds of each process. */
  readonly cpuSeconds?: number;
  /** Size of any one file that is written. */
  readonly fileBytes?: number;
}

/**
 * The command to put before a program so that the kernel holds the limits and kills the program when Forge dies. Linux only: elsewhere,
 * or where util-linux is missing, it is empty and only the limits on time and output hold.
 */
export async function resourceLimitCommand(limits: ResourceLimits): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const [prlimit, setpriv] = await Promise.all([findProgram("prlimit"), findProgram("setpriv")]);
  const command: string[] = [];
  if (prlimit !== undefined) {
    command.push(prlimit, "--core=0");
    if (limits.memoryBytes !== undefined) command.push(`--data=${limits.memoryBytes}`);
    if (limits.cpuSeconds !== undefined) command.push(`--cpu=${limits.cpuSeconds}`);
    if (limits.fileBytes !== undefined) command.push(`--fsize=${limits.fileBytes}`);
    command.push("--");
  }
  if (setpriv !== undefined) command.push(setpriv, "--pdeathsig", "KILL", "--");
  return command;
}
