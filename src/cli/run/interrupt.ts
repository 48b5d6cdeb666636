/** What Ctrl-C does to a run: once it stops after the step in flight, twice that step is cut off. */
export interface Interrupt {
  /** Aborted at the first. */
  readonly stopping: AbortSignal;
  /** Aborted at the second. */
  readonly cutting: AbortSignal;
  readonly close: () => void;
}

/** @param listen calls back at each Ctrl-C, until what it returns is called */
export function hearInterrupts(listen: (heard: () => void) => () => void, say: (text: string) => void): Interrupt {
  const stopping = new AbortController();
  const cutting = new AbortController();
  const close = listen(() => {
    if (stopping.signal.aborted) {
      cutting.abort();
      return;
    }
    say("stopping after the step in flight; Ctrl-C again cuts it off");
    stopping.abort();
  });
  return { stopping: stopping.signal, cutting: cutting.signal, close };
}
