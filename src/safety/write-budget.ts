/**
 * GitHub's secondary limits of what one installation may write
 * (https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits): 80 requests a minute and 500
 * an hour that create content, which check-runs and pushes do not, and 900 points a minute, of which a write is 5.
 */
export const CONTENT_PER_MINUTE = 80;
export const CONTENT_PER_HOUR = 500;
export const POINTS_PER_MINUTE = 900;
export const POINTS_PER_WRITE = 5;

/** Courtesies (reactions, progress) may use this share of each limit, so that what people wait for finds the rest free. */
const COURTESY_SHARE = 0.75;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export interface Write {
  /** A comment, review, issue, pull request or reaction. */
  readonly content: boolean;
  /** Nothing waits for it. */
  readonly courtesy: boolean;
}

/** At most `most` writes in every `withinMs` milliseconds, of content or of any kind. */
export interface WriteLimit {
  readonly of: "content" | "any";
  readonly withinMs: number;
  readonly most: number;
}

const LIMITS: readonly WriteLimit[] = [
  { of: "content", withinMs: MINUTE_MS, most: CONTENT_PER_MINUTE },
  { of: "content", withinMs: HOUR_MS, most: CONTENT_PER_HOUR },
  { of: "any", withinMs: MINUTE_MS, most: POINTS_PER_MINUTE / POINTS_PER_WRITE },
];

/** The limits that one write has to keep. */
export function limitsOf({ content, courtesy }: Write): readonly WriteLimit[] {
  const share = courtesy ? COURTESY_SHARE : 1;
  return LIMITS.filter((limit) => content || limit.of === "any").map((limit) => ({
    ...limit,
    most: Math.floor(limit.most * share),
  }));
}
