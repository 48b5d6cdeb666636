// The process that starts programs for Forge. To start one, the kernel copies what a process holds: 65 ms on the main thread of one with
// 200 MB, 1 ms of this one, which holds nothing.
import { type ChildProcess, spawn } from "node:child_process";
import { flushCompileCache } from "node:module";
import type { Readable } from "node:stream";
import { PROGRAM_LIMITS } from "./limits.ts";

/** A program to start, with limits as `ProgramSpec` has them. */
export interface Order {
  readonly id: number;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly input: Buffer | string | undefined;
  readonly timeoutMs: number;
  readonly silenceMs: number | undefined;
  readonly maxOutputBytes: number;
  /** Output is handed on as it comes, not in large pieces. */
  readonly streams: boolean;
}

/** Requests to the launcher: to start a program, or to end one early. */
export type Asked = { readonly start: Order } | { readonly abort: number };

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it was ended before it ended by itself. */
  readonly stopped: "truncated" | "timed out" | "aborted" | undefined;
}

/** Messages of the launcher about a program; `ended` or `failed` comes last. */
export type Told = { readonly id: number } & (
  | { readonly stream: "stdout" | "stderr"; readonly chunk: Buffer }
  | { readonly ended: Ended }
  /** Not started: the program or its folder is gone, or (`refused`) it cannot be called like this, with a zero byte or too long a list. */
  | { readonly failed: { readonly message: string; readonly code: string | undefined; readonly refused: boolean } }
);

/** Of output that is not awaited piece by piece, so much is handed on at once: the main thread reads it in turns. */
const PIECE_BYTES = 256 * 1024;

/** Programs that run, each with the way to end it early. */
const running = new Map<number, { readonly child: ChildProcess; readonly abort: () => void }>();

process.on("message", (asked: Asked) => {
  if ("start" in asked) start(asked.start);
  else running.get(asked.abort)?.abort();
});
// Forge is gone: its programs go with it. (Where the kernel can, it has killed all of us already.)
process.on("disconnect", () => {
  for (const { child } of running.values()) killGroup(child, "SIGKILL");
  process.exit();
});

// It is killed with Forge, and would never get to keep what it was compiled to.
setImmediate(flushCompileCache);

function tell(told: Told): void {
  // With the channel closed there is no one to tell.
  if (process.connected) process.send?.(told);
}

function start(order: Order): void {
  try {
    watch(spawnFor(order), order);
  } catch (error) {
    // An impossible request must not cost other callers their programs.
    tell({ id: order.id, failed: { ...described(error as NodeJS.ErrnoException), refused: true } });
  }
}

function spawnFor({ file, args, cwd, env }: Order) {
  // A process group of its own: descendants are reached by the negative process id.
  return spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
}

function described({ message, code }: NodeJS.ErrnoException) {
  return { message, code };
}

function watch(child: ReturnType<typeof spawnFor>, order: Order): void {
  const { id } = order;
  let stopped: Ended["stopped"];
  let killTimer: NodeJS.Timeout | undefined;
  const stop = (reason: NonNullable<Ended["stopped"]>) => {
    if (stopped !== undefined) return;
    stopped = reason;
    killGroup(child, "SIGTERM");
    killTimer = setTimeout(() => killGroup(child, "SIGKILL"), PROGRAM_LIMITS.terminationGraceMs);
  };
  running.set(id, { child, abort: () => stop("aborted") });
  const timeout = setTimeout(() => stop("timed out"), order.timeoutMs);
  const silence = order.silenceMs === undefined ? undefined : setTimeout(() => stop("timed out"), order.silenceMs);
  if (silence !== undefined) child.stdout.on("data", () => silence.refresh());

  const outputs = [
    handOn(child.stdout, order, "stdout", () => stop("truncated")),
    handOn(child.stderr, { ...order, maxOutputBytes: PROGRAM_LIMITS.errorOutputBytes }, "stderr"),
  ];
  // A program may end without reading its input: the broken pipe is not a failure of ours.
  child.stdin.on("error", () => undefined);
  child.stdin.end(order.input);

  let drain: NodeJS.Timeout | undefined;
  const end = (told: Told) => {
    for (const timer of [timeout, silence, killTimer, drain]) clearTimeout(timer);
    if (!running.delete(id)) return;
    for (const flush of outputs) flush();
    tell(told);
  };
  child.once("error", (error: NodeJS.ErrnoException) => end({ id, failed: { ...described(error), refused: false } }));
  child.once("exit", () => {
    // Whatever the program left behind in its group goes with it; one that left the group may still hold the pipes.
    killGroup(child, "SIGKILL");
    drain = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, PROGRAM_LIMITS.outputDrainMs);
  });
  child.once("close", (code, signal) => end({ id, ended: { code, signal, stopped } }));
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

/**
 * Hands on the first `maxOutputBytes` and reads on, so that the writer never blocks.
 * @returns hands on what is still held
 */
function handOn(
  output: Readable,
  { id, maxOutputBytes, streams }: Pick<Order, "id" | "maxOutputBytes" | "streams">,
  stream: "stdout" | "stderr",
  onOverflow?: () => void,
): () => void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let room = maxOutputBytes;
  const flush = () => {
    if (heldBytes > 0) tell({ id, stream, chunk: Buffer.concat(held, heldBytes) });
    held = [];
    heldBytes = 0;
  };
  output.on("data", (chunk: Buffer) => {
    const kept = chunk.subarray(0, room);
    room -= kept.length;
    if (kept.length > 0) held.push(kept);
    heldBytes += kept.length;
    if (streams || heldBytes >= PIECE_BYTES) flush();
    if (kept.length < chunk.length) onOverflow?.();
  });
  output.on("error", () => undefined);
  return flush;
}
