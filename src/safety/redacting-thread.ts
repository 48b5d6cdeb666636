import { openThreadPool } from "./thread-pool.ts";

/** 64 MB of text take half of the memory. While one text takes long, the others go to the second thread. */
const THREADS = { most: 2, timeMs: 60_000, memoryMib: 1024 } as const;

/** Replaces a text that was not searched: nothing of it may be shown. */
export const NOT_SEARCHED = "[left out: this text could not be searched for secrets]";

/** One text as a thread gets it, with the redactor that it is for. */
export interface TextToRedact {
  /** The number of the redactor in this process. */
  readonly redactor: number;
  /** The values that this redactor knows. */
  readonly known: readonly string[];
  readonly text: string;
}

const ask = openThreadPool<TextToRedact, string>(new URL("./redact-thread", import.meta.url), THREADS);

/** Redacts in one of the two threads of this process. Where it fails or is late, `NOT_SEARCHED` replaces the text. */
export async function redactInThread(asked: TextToRedact): Promise<string> {
  return (await ask(asked)) ?? NOT_SEARCHED;
}
