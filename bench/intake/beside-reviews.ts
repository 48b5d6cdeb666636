import { startChild } from "./child.ts";
import { drive } from "./load.ts";
import { WEBHOOK_PATH } from "./rates.ts";

export interface BesideReviews {
  /** Of the worst second. */
  readonly p99Ms: number;
  /** Of the seconds while reviews were running. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly refused: number;
}

/** Longer than four reviews take on the slowest machine; then something hangs. */
const LONGEST_SECONDS = 300;

/**
 * Sends deliveries at 50 connections to a Forge with its worker, from the opening of four pull requests to the end of the last of their
 * reviews. They are of an event that asks for nothing, so that exactly four reviews run; the worker handles them like any other.
 */
export async function deliverBesideReviews(body: Buffer, secret: string): Promise<BesideReviews> {
  const stage = await startChild("review-stage.ts", secret);
  const options = { port: stage.port, path: WEBHOOK_PATH, connections: 50, seconds: 1, event: "star", body, secret };
  await drive(options);
  const { opened } = await stage.ask<{ opened: number }>("review");
  const p99s: number[] = [];
  const rates: number[] = [];
  let refused = 0;
  for (let completed = 0; completed < opened; ) {
    if (p99s.length >= LONGEST_SECONDS) throw new Error(`only ${completed} of ${opened} reviews were completed`);
    const { p99Ms, perSecond, statuses } = await drive(options);
    p99s.push(p99Ms);
    rates.push(perSecond);
    for (const [status, count] of statuses) if (status !== 202) refused += count;
    ({ completed } = await stage.ask<{ completed: number }>("completed"));
  }
  await stage.end();
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return { p99Ms: Math.max(...p99s), perSecond: mean, seconds: p99s.length, refused };
}
