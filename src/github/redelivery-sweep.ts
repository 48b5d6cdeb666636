import { z } from "zod";
import { createAsk, type Octokit } from "./ask.ts";

/** GitHub keeps deliveries, and takes requests for another attempt, for this long. */
const KEPT_MS = 3 * 24 * 60 * 60 * 1000;

/** An attempt this young may still be on its way to us. */
const SETTLED_MS = 60_000;

const FIRST_PAUSE_MS = 4 * 60_000;
const LONGEST_PAUSE_MS = 6 * 60 * 60 * 1000;

/** One attempt of GitHub to deliver something; the attempts of one happening share a GUID. */
export interface DeliveryAttempt {
  readonly id: number;
  readonly guid: string;
  readonly event: string;
  /** What we answered; 0 or a 5xx of GitHub's own making when it did not reach us. */
  readonly statusCode: number;
  readonly deliveredAt: Date;
}

export interface SweepOptions {
  /** Attempts from newest to oldest, fetched as they are read: the sweep stops reading when it has gone far enough. */
  readonly listDeliveries: () => AsyncIterable<DeliveryAttempt>;
  /** Asks GitHub to try this one again; returns before it has. */
  readonly redeliver: (id: number) => Promise<void>;
  readonly isStored: (guid: string) => Promise<boolean>;
  /** From when on to look; at most three days back, for GitHub keeps no older ones. */
  readonly since: Date;
  readonly now: Date;
  /** At most so many attempts are looked at (default 10,000), and so many asked for (default 200), in one sweep. */
  readonly maxAttempts?: number;
  readonly maxRedeliveries?: number;
}

export interface SweepReport {
  readonly attempts: number;
  /** What was asked for, the oldest first. */
  readonly redelivered: readonly Pick<DeliveryAttempt, "guid" | "event">[];
  /** What could not be asked for, and why: the next sweep tries again. */
  readonly failed: readonly (Pick<DeliveryAttempt, "guid" | "event"> & { readonly error: unknown })[];
  /** False when a limit ended the sweep: the next one finds the rest. */
  readonly complete: boolean;
}

interface Happening {
  readonly newest: DeliveryAttempt;
  readonly attempts: number;
  readonly arrived: boolean;
}

/**
 * GitHub tries each delivery once and never again by itself. This asks for another attempt of everything that never succeeded and is not
 * stored, the oldest first, once a sweep, with growing pauses for what keeps failing. Errors of `listDeliveries` and `isStored` are thrown.
 */
export async function sweepRedeliveries(options: SweepOptions): Promise<SweepReport> {
  const { listDeliveries, redeliver, isStored, now, maxAttempts = 10_000, maxRedeliveries = 200 } = options;
  const since = new Date(Math.max(options.since.getTime(), now.getTime() - KEPT_MS));
  const happenings = new Map<string, Happening>();
  let attempts = 0;
  let complete = true;
  for await (const attempt of listDeliveries()) {
    if (attempt.deliveredAt < since) break;
    if (attempts === maxAttempts) {
      complete = false;
      break;
    }
    attempts += 1;
    happenings.set(attempt.guid, add(happenings.get(attempt.guid), attempt));
  }

  const due = [...happenings.values()].filter((happening) => isDue(happening, now)).sort(byAge);
  const redelivered: SweepReport["redelivered"][number][] = [];
  const failed: SweepReport["failed"][number][] = [];
  for (const { newest } of due) {
    const { id, guid, event } = newest;
    if (redelivered.length + failed.length === maxRedeliveries) {
      complete = false;
      break;
    }
    if (await isStored(guid)) continue;
    try {
      await redeliver(id);
      redelivered.push({ guid, event });
    } catch (error) {
      // One that GitHub refuses must not keep the others from coming.
      failed.push({ guid, event, error });
    }
  }
  return { attempts, redelivered, failed, complete };
}

function add(known: Happening | undefined, attempt: DeliveryAttempt): Happening {
  const arrived = attempt.statusCode >= 200 && attempt.statusCode < 300;
  if (known === undefined) return { newest: attempt, attempts: 1, arrived };
  const newest = attempt.deliveredAt > known.newest.deliveredAt ? attempt : known.newest;
  return { newest, attempts: known.attempts + 1, arrived: known.arrived || arrived };
}

/** Pauses double with each attempt: what we refuse for good must not be asked for every five minutes over three days. */
function isDue({ newest, attempts, arrived }: Happening, now: Date): boolean {
  if (arrived) return false;
  const pause = attempts === 1 ? SETTLED_MS : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 2));
  return now.getTime() - newest.deliveredAt.getTime() >= pause;
}

function byAge(a: Happening, b: Happening): number {
  return a.newest.deliveredAt.getTime() - b.newest.deliveredAt.getTime();
}

const Delivered = z
  .object({ id: z.number(), guid: z.string(), event: z.string(), status_code: z.number(), delivered_at: z.string() })
  .transform(({ id, guid, event, status_code: statusCode, delivered_at: at }) => ({
    ...{ id, guid, event, statusCode },
    deliveredAt: new Date(at),
  }));

/** What GitHub answers when it will try again: 202 without anything to read. */
const Taken = z.unknown();

/** GitHub's list of what it delivered to the App, newest first, for the sweep. `octokit` speaks for the App itself: `await probot.auth()`. */
export function createAppDeliveries(
  octokit: Octokit,
  signal: AbortSignal,
  maxPages = 100,
): Pick<SweepOptions, "listDeliveries" | "redeliver"> {
  const { ask, pagesByCursor } = createAsk(octokit, undefined, { signal });
  return {
    listDeliveries: async function* () {
      let pages = 0;
      for await (const page of pagesByCursor(z.array(Delivered), "GET /app/hook/deliveries")) {
        yield* page;
        pages += 1;
        if (pages === maxPages) return;
      }
    },
    redeliver: async (id) => {
      await ask(Taken, "POST /app/hook/deliveries/{delivery_id}/attempts", { delivery_id: id });
    },
  };
}
