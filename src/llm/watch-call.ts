/** A call that can be ended by whoever asked for it, or by silence. */
export interface Watch {
  readonly signal: AbortSignal;
  /** Something arrived: the silence begins anew. */
  readonly heard: () => void;
  /** Whether silence ended the call. */
  readonly timedOut: () => boolean;
  readonly end: () => void;
}

/** Watches one call: `signal` aborts with the given one, or after `silenceMs` in which `heard` was not called. */
export function watchCall(given: AbortSignal, silenceMs: number): Watch {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  return {
    signal: AbortSignal.any([given, silence.signal]),
    heard: () => timer.refresh(),
    timedOut: () => silence.signal.aborted && !given.aborted,
    end: () => clearTimeout(timer),
  };
}
