import { createInterface } from "node:readline";

/** What a person types, line by line. */
export interface Lines {
  /** The next line; undefined at the end of the input, or when the signal aborts. */
  next(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** Nothing is read before somebody is asked. */
export function readLines(input: NodeJS.ReadableStream): Lines {
  let opened: ReturnType<typeof open> | undefined;
  return {
    next: (signal) => {
      opened ??= open(input);
      return opened.next(signal);
    },
    close: () => opened?.close(),
  };
}

function open(input: NodeJS.ReadableStream) {
  const interface_ = createInterface({ input, terminal: false });
  const waiting: string[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  interface_.on("line", (line) => {
    waiting.push(line);
    wake?.();
  });
  interface_.on("close", () => {
    ended = true;
    wake?.();
  });
  return {
    next: async (signal: AbortSignal): Promise<string | undefined> => {
      while (waiting.length === 0 && !ended && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      }
      return signal.aborted ? undefined : waiting.shift();
    },
    close: () => interface_.close(),
  };
}
