export interface Progress {
  show(step: string): void;
  /** Leaves nothing behind. */
  end(): void;
}

/** One line on a terminal that is written over; nothing at all in a pipe. */
export function createProgress(stream: { write(text: string): unknown; readonly isTTY?: boolean }): Progress {
  if (!stream.isTTY) return { show: () => {}, end: () => {} };
  const clear = "\r\x1b[2K";
  return {
    show: (step) => stream.write(`${clear}${step}`),
    end: () => stream.write(clear),
  };
}
