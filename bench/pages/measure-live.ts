import { randomUUID } from "node:crypto";
import { createIdMaker } from "../../src/domain/ids.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { median } from "../report.ts";
import type { Pages } from "./open-pages.ts";

const READERS = 50;
const DELIVERIES = 100;

/** How many times as long deliveries take while pages are live, measured in turns with and without: the median of the pairs. */
export async function measureLive(pages: Pages, pairs: number): Promise<number> {
  const ratios: number[] = [];
  await takeDeliveries(pages);
  for (let pair = 0; pair < pairs; pair += 1) {
    const without = await takeDeliveries(pages);
    const controller = new AbortController();
    const readers = await Promise.all(Array.from({ length: READERS }, () => pages.listen(controller.signal)));
    ratios.push((await takeDeliveries(pages)) / without);
    controller.abort();
    await Promise.all(readers.map(({ ended }) => ended));
  }
  return median(ratios);
}

const makeId = createIdMaker();

/** One after the other, each with the first event of a run, as fast as they are stored. @returns milliseconds */
async function takeDeliveries({ store }: Pages): Promise<number> {
  const began = process.hrtime.bigint();
  for (let index = 0; index < DELIVERIES; index += 1) {
    const guid = randomUUID();
    const at = new Date().toISOString();
    await acceptDelivery(store, { guid, event: "push", receivedAt: at, body: Buffer.from("{}") });
    const payload = { deliveryId: guid, event: "push" };
    const append = { traceId: `pull_request:100:${index + 1_000_000}`, expectedVersion: versionOf(index) };
    await commitDecision(store, {
      appends: [{ ...append, events: [{ type: "webhook.received", payload }] }],
      ...{ at, makeId, source: "bench" },
    });
  }
  return Number(process.hrtime.bigint() - began) / 1e6;
}

const versions = new Map<number, number>();
function versionOf(index: number): number {
  const version = versions.get(index) ?? 0;
  versions.set(index, version + 1);
  return version;
}
