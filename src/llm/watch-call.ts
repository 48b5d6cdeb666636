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
  const controller = new AbortController();
  let silent = false;
  const timer = setTimeout(() => {
    silent = true;
    controller.abort();
  }, silenceMs);
  const stop = () => controller.abort();
  given.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    heard: () => timer.refresh(),
    timedOut: () => silent && !given.aborted,
    end: () => {
      clearTimeout(timer);
      given.removeEventListener("abort", stop);
    },
  };
}
