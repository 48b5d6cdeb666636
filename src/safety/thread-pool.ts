import type { Worker } from "node:worker_threads";
import { hearThread, startThread, type ThreadLimits } from "./limited-thread.ts";

export interface PoolOptions extends ThreadLimits {
  /** So many questions are worked on at a time; the others wait, the oldest first. */
  readonly most: number;
}

/**
 * Threads that answer each question by one message, and stay for the next one. `undefined` where a thread fails or is late: only that thread
 * ends, and what waits goes to a new one.
 * @param code the address of their module, without the ending
 */
export function openThreadPool<Question, Answer>(code: URL, { most, ...limits }: PoolOptions) {
  const idle = new Set<Worker>();
  const waiting: { readonly question: Question; readonly done: (answer: Promise<Answer | undefined>) => void }[] = [];
  let working = 0;

  function start(): Worker {
    const thread = startThread(code, limits);
    thread.on("exit", () => idle.delete(thread));
    return thread;
  }
  async function answer(question: Question): Promise<Answer | undefined> {
    const thread = idle.values().next().value ?? start();
    idle.delete(thread);
    thread.ref();
    const heard = hearThread<Answer>(thread, 1, limits);
    thread.postMessage(question);
    const { answers, lacking } = await heard;
    if (lacking) await thread.terminate();
    else {
      // What waits for a question keeps no process alive.
      thread.unref();
      idle.add(thread);
    }
    return answers[0];
  }
  async function work(): Promise<void> {
    working += 1;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const answered = answer(next.question);
      next.done(answered);
      await answered.catch(() => undefined);
    }
    working -= 1;
  }
  return (question: Question): Promise<Answer | undefined> => {
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    waiting.push({ question, done: resolve });
    if (working < most) void work();
    return promise;
  };
}
