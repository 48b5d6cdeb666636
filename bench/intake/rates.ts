import { median } from "../report.ts";
import type { Child } from "./child.ts";
import { drive } from "./load.ts";

export const WEBHOOK_PATH = "/api/github/webhooks";

/** Medians over the rounds. */
export interface Rates {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Answered 2xx, over all rounds and the warm-up. */
  readonly taken: number;
}

export interface RateOptions {
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly body: Buffer;
  readonly secret: string;
  readonly forged?: boolean;
}

/**
 * Drives the servers in turn, A B A B, after a warm-up of each: whatever else the machine does meanwhile then falls on both. A status
 * that is not the expected one (2xx, or refused when forged) ends the bench.
 */
export async function compareRates(servers: readonly Child[], options: RateOptions): Promise<Rates[]> {
  const { rounds, forged = false } = options;
  const measured = servers.map(() => ({ perSecond: [] as number[], p99Ms: [] as number[], taken: 0 }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { port }] of servers.entries()) {
      const seconds = round === 0 ? Math.min(1, options.seconds) : options.seconds;
      const { perSecond, p99Ms, statuses } = await drive({ ...options, port, path: WEBHOOK_PATH, seconds });
      const row = measured[index]!;
      for (const [status, count] of statuses) {
        const isTaken = status >= 200 && status < 300;
        if (isTaken === forged) throw new Error(`${count} requests were answered ${status}`);
        if (isTaken) row.taken += count;
      }
      if (round === 0) continue;
      row.perSecond.push(perSecond);
      row.p99Ms.push(p99Ms);
    }
  }
  return measured.map(({ perSecond, p99Ms, taken }) => ({ perSecond: median(perSecond), p99Ms: median(p99Ms), taken }));
}
