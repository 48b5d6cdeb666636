import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { MINIMAL_PATH, programMissing, requireProgram } from "./find-program.ts";
import { PROGRAM_LIMITS } from "./limits.ts";
import { type ResourceLimits, resourceLimitCommand } from "./resource-limits.ts";

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

type StopReason = "truncated" | "timed out" | "aborted";

/**
 * Runs a program to its end: no shell, an environment of its own, a process group that is killed whole, limits on time, output and
 * (on Linux) memory, processor and file size. Failing programs are values.
 * @throws ForgeError `program_missing` when it cannot be started at all
 */
export async function runProgram(spec: ProgramSpec): Promise<ProgramResult> {
  const started = performance.now();
  const program = await requireProgram(spec.command);
  const [file, ...args] = [...(await resourceLimitCommand(spec)), program, ...spec.args];
  if (file === undefined || spec.signal?.aborted) return neverStarted();

  const child = spawn(file, args, {
    cwd: spec.cwd,
    env: { PATH: MINIMAL_PATH, ...spec.env },
    // A process group of its own: descendants are reached by the negative process id.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });

  let stopReason: StopReason | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  const stop = (reason: StopReason) => {
    if (stopReason !== undefined) return;
    stopReason = reason;
    killGroup(child, "SIGTERM");
    killTimer = setTimeout(() => killGroup(child, "SIGKILL"), PROGRAM_LIMITS.terminationGraceMs);
  };
  const timeout = setTimeout(() => stop("timed out"), spec.timeoutMs);
  const onAbort = () => stop("aborted");
  spec.signal?.addEventListener("abort", onAbort, { once: true });

  const silence = spec.silenceMs === undefined ? undefined : setTimeout(() => stop("timed out"), spec.silenceMs);
  if (silence !== undefined) child.stdout.on("data", () => silence.refresh());
  const { onOutput } = spec;
  const stdout = collect(
    child.stdout,
    spec.maxOutputBytes,
    (chunk) => onOutput?.(chunk, "stdout"),
    () => stop("truncated"),
  );
  const stderr = collect(child.stderr, PROGRAM_LIMITS.errorOutputBytes, (chunk) => onOutput?.(chunk, "stderr"));
  // A program may end without reading its input: the broken pipe is not a failure of ours.
  child.stdin.on("error", () => undefined);
  child.stdin.end(spec.input);

  try {
    const { code, signal } = await ended(child, spec.command);
    const ok = stopReason === undefined && code !== null && (spec.okCodes ?? [0]).includes(code);
    return {
      ok,
      code,
      signal,
      stdout: stdout(),
      stderr: stderr(),
      truncated: stopReason === "truncated",
      timedOut: stopReason === "timed out",
      aborted: stopReason === "aborted",
      durationMs: performance.now() - started,
    };
  } finally {
    clearTimeout(timeout);
    clearTimeout(silence);
    clearTimeout(killTimer);
    spec.signal?.removeEventListener("abort", onAbort);
  }
}

function ended(child: ChildProcess, command: string): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    let drain: NodeJS.Timeout | undefined;
    child.once("error", (cause) => reject(programMissing(command, cause)));
    child.once("exit", () => {
      // Whatever the program left behind in its group goes with it; one that left the group may still hold the pipes.
      killGroup(child, "SIGKILL");
      drain = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, PROGRAM_LIMITS.outputDrainMs);
    });
    child.once("close", (code, signal) => {
      clearTimeout(drain);
      resolve({ code, signal });
    });
  });
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // The group is gone already; macOS says EPERM when only its unreaped leader is left.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/** Keeps the first `limit` bytes and reads on, so that the writer never blocks. */
function collect(
  stream: Readable,
  limit: number,
  onChunk: (chunk: Buffer) => void,
  onOverflow?: () => void,
): () => Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on("data", (chunk: Buffer) => {
    const kept = chunk.subarray(0, limit - length);
    if (kept.length > 0) {
      chunks.push(kept);
      onChunk(kept);
    }
    length += kept.length;
    if (kept.length < chunk.length) onOverflow?.();
  });
  stream.on("error", () => undefined);
  return () => Buffer.concat(chunks, length);
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
