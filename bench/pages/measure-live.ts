import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { createIdMaker } from "../../src/domain/ids.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { median } from "../report.ts";
import type { Pages } from "./open-pages.ts";

const READERS = 50;
/** As many as take some seconds, so that readers hear of it several times meanwhile. */
const DELIVERIES = 1_000;
/** Subjects that they are about. */
const SUBJECTS = 100;
/** Longer than Forge gathers events before it sends them to readers, in milliseconds. */
const TOLD_MS = 1_500;

/** How many times the processor's time deliveries take while pages are live, measured in turns with and without: the median of the pairs. */
export async function measureLive(pages: Pages, pairs: number): Promise<number> {
  const ratios: number[] = [];
  // Twice, so that the code is compiled.
  await takeDeliveries(pages);
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

/**
 * One after the other, each with the first event of a run, as fast as they are stored. @returns milliseconds of processor time of this process,
 * which other work of the machine does not change. What readers get after the last delivery counts too.
 */
async function takeDeliveries({ store }: Pages): Promise<number> {
  const began = process.cpuUsage();
  for (let index = 0; index < DELIVERIES; index += 1) {
    const guid = randomUUID();
    const at = new Date().toISOString();
    await acceptDelivery(store, { guid, event: "push", receivedAt: at, body: Buffer.from("{}") });
    const payload = { deliveryId: guid, event: "push" };
    const append = {
      traceId: `pull_request:100:${(index % SUBJECTS) + 1_000_000}`,
      expectedVersion: versionOf(index % SUBJECTS),
    };
    await commitDecision(store, {
      appends: [{ ...append, events: [{ type: "webhook.received", payload }] }],
      ...{ at, makeId, source: "bench" },
    });
  }
  await setTimeout(TOLD_MS);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

const versions = new Map<number, number>();
function versionOf(index: number): number {
  const version = versions.get(index) ?? 0;
  versions.set(index, version + 1);
  return version;
}
