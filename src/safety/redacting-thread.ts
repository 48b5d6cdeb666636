import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { CODE_ENDING } from "../domain/code-ending.ts";

/** 64 MB of text take half of it. */
const THREAD = { timeMs: 30_000, memoryMib: 1024 } as const;

/** Replaces a text that was not searched: nothing of it may be shown. */
export const NOT_SEARCHED = "[left out: this text could not be searched for secrets]";

/** One text as the thread gets it, with the values that the process knows now. */
export interface TextToRedact {
  readonly known: readonly string[];
  readonly text: string;
}

let thread: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Redacts in the one thread of this process. Texts wait for each other; the thread stays for the next one. Where it fails or is late,
 * `NOT_SEARCHED` replaces the text.
 */
export function redactInThread(asked: TextToRedact): Promise<string> {
  const redacted = last.then(() => redactNext(asked));
  last = redacted;
  return redacted;
}

async function redactNext(asked: TextToRedact): Promise<string> {
  thread ??= startThread();
  const worker = thread;
  worker.ref();
  try {
    const answer = once(worker, "message", { signal: AbortSignal.timeout(THREAD.timeMs) });
    worker.postMessage(asked);
    const [text] = (await answer) as [string];
    worker.unref();
    return text;
  } catch {
    thread = undefined;
    // The thread may still fail while it ends, and no other listener is left.
    worker.on("error", () => undefined);
    await worker.terminate();
    return NOT_SEARCHED;
  }
}

function startThread(): Worker {
  const worker = new Worker(new URL(`./redact-thread${CODE_ENDING}`, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: THREAD.memoryMib },
    env: {},
  });
  // What ended between two texts is started again by the next one.
  worker.on("exit", () => {
    if (thread === worker) thread = undefined;
  });
  return worker;
}
