import { z } from "zod";

/** What GitHub said last of the requests that it takes in the hour under way. */
export interface RateLimit {
  /** Undefined: of the App itself, which asks for its installations and deliveries. */
  readonly installationId: number | undefined;
  /** Whose repositories the installation has, where a request named one. */
  readonly account: string | undefined;
  /** As GitHub names it: `core`, `graphql`, `search`. */
  readonly resource: string;
  readonly remaining: number;
  readonly limit: number;
  /** ISO 8601: from when on the whole limit is there again. */
  readonly resetAt: string;
}

/** Installations and resources that are held; the one with the oldest news goes first. */
const MOST_LIMITS = 500;

const Whole = z.coerce.number().int().min(0).max(1e10);
const Headers = z.object({
  "x-ratelimit-limit": Whole,
  "x-ratelimit-remaining": Whole,
  /** Seconds since 1970. */
  "x-ratelimit-reset": Whole,
  "x-ratelimit-resource": z
    .string()
    .regex(/^[a-z_]{1,40}$/)
    .default("core"),
});

export interface RateLimits {
  /** Reads the headers of an answer, or of a refusal; without the four of the limit nothing changes. */
  hear(from: Pick<RateLimit, "installationId" | "account">, headers: unknown): void;
  /** By account and resource. */
  list(): readonly RateLimit[];
}

/** Remembers the limits that come with each answer of GitHub: nothing is asked for them. */
export function createRateLimits(): RateLimits {
  const heard = new Map<string, RateLimit>();
  return {
    hear: ({ installationId, account }, headers) => {
      const { data } = Headers.safeParse(headers);
      if (!data) return;
      const resource = data["x-ratelimit-resource"];
      const key = `${installationId ?? "app"} ${resource}`;
      const before = heard.get(key);
      heard.delete(key);
      heard.set(key, {
        ...{ installationId, account: account ?? before?.account, resource },
        remaining: data["x-ratelimit-remaining"],
        limit: data["x-ratelimit-limit"],
        resetAt: new Date(data["x-ratelimit-reset"] * 1000).toISOString(),
      });
      const [oldest] = heard.keys();
      if (oldest !== undefined && heard.size > MOST_LIMITS) heard.delete(oldest);
    },
    list: () => [...heard.values()].sort((a, b) => compare(nameOf(a), nameOf(b)) || compare(a.resource, b.resource)),
  };
}

/** The App itself first. */
function nameOf({ account, installationId }: RateLimit): string {
  return installationId === undefined ? "" : `${account ?? "~"} ${installationId}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
