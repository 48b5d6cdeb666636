// A process that accepts deliveries into the database named by its first argument, 20 at a time, and says the GUID of each that is
// accepted; with a second argument it accepts so many and then has nothing more to do.
import { randomBytes, randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { openStore } from "../../src/store/open-store.ts";

const store = await openStore({ url: process.argv[2]! });
let left = Number(process.argv[3] ?? Number.POSITIVE_INFINITY);

async function acceptAll(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const guid = randomUUID();
    await acceptDelivery(store, {
      guid,
      event: "push",
      receivedAt: new Date().toISOString(),
      body: randomBytes(9_000),
    });
    writeSync(1, `${guid}\n`);
  }
}
await Promise.all(Array.from({ length: 20 }, acceptAll));
