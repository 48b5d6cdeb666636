/**
 * GitHub allows about 80 requests a minute and 500 an hour that create content, per installation
 * (https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api, "secondary rate limits"). Forge stays under both: the
 * same installation is also used by people's other tools, and a refused write costs a minute.
 */
export const WRITES_PER_MINUTE = 60;
export const WRITES_PER_HOUR = 450;

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** What an installation wrote in the last minute and hour. Times are milliseconds since 1970; `oldest...` is absent when the count is 0. */
export interface RecentWrites {
  readonly countLastMinute: number;
  readonly oldestInMinute?: number;
  readonly countLastHour: number;
  readonly oldestInHour?: number;
  readonly now: number;
}

/** The moment (milliseconds since 1970) at which the next write may be sent; `now` when it may be sent at once. */
export function nextWriteAt(recent: RecentWrites): number {
  const { countLastMinute, oldestInMinute, countLastHour, oldestInHour, now } = recent;
  const minuteFrees = countLastMinute < WRITES_PER_MINUTE ? now : (oldestInMinute ?? now) + MINUTE;
  const hourFrees = countLastHour < WRITES_PER_HOUR ? now : (oldestInHour ?? now) + HOUR;
  return Math.max(now, minuteFrees, hourFrees);
}
