/** What the main thread tells the watchdog's thread of jobs. */
export type Tidings = { readonly began: number; readonly job: object } | { readonly ended: number };

export interface WatchThreadData {
  readonly shared: Int32Array<SharedArrayBuffer>;
  /** Ticks without a beat that make a hang. */
  readonly limit: number;
  /** The exit code of the process. */
  readonly code: number;
  /** Whether nothing is written. */
  readonly isSilent: boolean;
}

/** Places in `shared`: the beats of the main loop, and 1 while a debugger is attached. */
export const BEATS = 0;
export const DEBUGGED = 1;
