import { z } from "zod";

/** Time that was worked, in milliseconds; `since` is there while work goes on (milliseconds since 1970). A value that can be stored. */
export const WorkingTime = z.object({ workedMs: z.number().min(0), since: z.number().optional() });
export type WorkingTime = Readonly<z.infer<typeof WorkingTime>>;

export const NO_WORK: WorkingTime = { workedMs: 0 };

/** Work begins, or goes on after waiting. */
export function beginWork(time: WorkingTime, now: number): WorkingTime {
  return time.since === undefined ? { ...time, since: now } : time;
}

/** Work ends, or waits for a person: what follows does not count (SAFE-1). */
export function pauseWork(time: WorkingTime, now: number): WorkingTime {
  return { workedMs: workedMs(time, now) };
}

/** A clock that was set back does not take worked time away. */
export function workedMs(time: WorkingTime, now: number): number {
  return time.workedMs + (time.since === undefined ? 0 : Math.max(0, now - time.since));
}
