import { asc, gt } from "drizzle-orm";
import { readDelivery } from "./read-delivery.ts";
import { reading } from "./reading.ts";
import { deliveries } from "./schema.ts";
import type { Store } from "./store.ts";

const GUIDS_PER_READ = 1_000;

/** The GUIDs of all deliveries of an installation. Reads every body, 0.1 ms each: for rare occasions. */
export async function findDeliveriesOf(store: Store, installationId: number): Promise<string[]> {
  const found: string[] = [];
  for (let after = ""; ; ) {
    const page = await reading(
      store.read
        .select({ guid: deliveries.guid })
        .from(deliveries)
        .where(gt(deliveries.guid, after))
        .orderBy(asc(deliveries.guid))
        .limit(GUIDS_PER_READ),
    );
    for (const { guid } of page) {
      const delivery = await readDelivery(store, guid);
      if (delivery && installationOf(delivery.body) === installationId) found.push(guid);
    }
    if (page.length < GUIDS_PER_READ) return found;
    after = page.at(-1)!.guid;
  }
}

/** The body is what was signed, which need not be JSON. */
function installationOf(body: Buffer): unknown {
  try {
    const payload = JSON.parse(body.toString()) as { installation?: { id?: unknown } } | null;
    return payload?.installation?.id;
  } catch {
    return undefined;
  }
}
