import { on } from "node:events";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { CODE_ENDING } from "../domain/code-ending.ts";

/** What a thread may take: the author of the texts that it reads chooses how long they are. */
export interface ThreadLimits {
  /** Until it has given its last answer. */
  readonly timeMs: number;
  /** Of its heap. */
  readonly memoryMib: number;
}

/**
 * Starts a thread that has no environment and no more memory than this. Code that waits for its messages learns of its failures.
 * @param code the address of its module, without the ending
 */
export function startThread(
  code: URL,
  { memoryMib }: Pick<ThreadLimits, "memoryMib">,
  options: Pick<WorkerOptions, "workerData" | "transferList"> = {},
): Worker {
  const thread = new Worker(new URL(`${code.href}${CODE_ENDING}`), {
    ...options,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
  });
  // It may fail while nobody listens: between two questions, or while it is ended.
  thread.on("error", () => undefined);
  return thread;
}

export interface Heard<Answer> {
  /** In the order in which the thread gave them. */
  readonly answers: readonly Answer[];
  /** Why there are fewer than were asked for; undefined where there are as many. */
  readonly lacking?: "late" | "failed";
}

/**
 * The next messages of a thread, as many as `count` says; fewer where it ends, fails or is late.
 * @throws the signal's reason
 */
export async function hearThread<Answer>(
  thread: Worker,
  count: number,
  { timeMs }: Pick<ThreadLimits, "timeMs">,
  signal?: AbortSignal,
): Promise<Heard<Answer>> {
  const late = AbortSignal.timeout(timeMs);
  const answers: Answer[] = [];
  try {
    const messages = on(thread, "message", {
      signal: signal ? AbortSignal.any([signal, late]) : late,
      close: ["exit"],
    });
    for await (const [answer] of messages) {
      answers.push(answer as Answer);
      if (answers.length === count) return { answers };
    }
  } catch {
    signal?.throwIfAborted();
  }
  return { answers, lacking: late.aborted ? "late" : "failed" };
}

export interface ThreadWork extends ThreadLimits, Pick<WorkerOptions, "workerData" | "transferList"> {
  /** So many messages answer it. */
  readonly answers: number;
}

/**
 * Has a thread of its own do one work, and ends it.
 * @param code the address of its module, without the ending
 * @throws the signal's reason
 */
export async function askThread<Answer>(
  code: URL,
  { answers, timeMs, memoryMib, ...options }: ThreadWork,
  signal?: AbortSignal,
): Promise<Heard<Answer>> {
  signal?.throwIfAborted();
  const thread = startThread(code, { memoryMib }, options);
  try {
    return await hearThread<Answer>(thread, answers, { timeMs }, signal);
  } finally {
    await thread.terminate();
  }
}
