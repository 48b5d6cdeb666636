/** Time as the queue uses it; an argument, so that tests do not sleep. */
export interface Clock {
  readonly now: () => Date;
  /** Calls back once after `ms` milliseconds, unless cancelled by what it returns. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
