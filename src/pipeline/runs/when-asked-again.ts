import type { ForgeError } from "../../domain/errors.ts";

/** Without a time of its own, whoever did not answer is asked again after this; it does not count against the job. */
const RETRY_MS = 30_000;

/** When to ask somebody again who did not answer, ISO 8601: at the time that they named, where they did. */
export function whenAskedAgain({ context }: ForgeError, now: string): string {
  return new Date(Date.parse(now) + Number(context.retryAfterMs ?? RETRY_MS)).toISOString();
}
