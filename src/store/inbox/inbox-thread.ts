import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { connectToFile, retryBusy } from "../connection.ts";
import type { Acceptance } from "../store.ts";
import { acceptanceOf, answersFor, type PackedDelivery } from "./acceptance.ts";
import { packBody } from "./delivery-body.ts";
import { type InboxThreadData, type Order, type Reply, toFailure } from "./inbox-protocol.ts";

/*
 * The thread that puts deliveries into the inbox of a database file, on a connection of its own. The client's calls on a file are
 * synchronous: here packing bodies and waiting for the disk do not hold up the server. The sender of orders lets no one else write
 * meanwhile. It imports no Drizzle, which would take a second and 100 MB to load once more.
 */

/**
 * The client lets go of a statement, and of the part bound to it, only when it is collected, and V8 does not know how large it is: after a
 * large delivery it has to be told.
 */
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const { url, slots } = workerData as InboxThreadData;
const opening = connectToFile(url, "writer");
const parcels = new Map<number, Buffer[]>();

async function obey(order: Exclude<Order, { kind: "close" }>): Promise<readonly Acceptance[]> {
  if (order.kind === "pack") {
    const parts = parcels.get(order.parcel) ?? [];
    parcels.set(order.parcel, parts);
    parts.push(...packBody(slots[order.slot]!.subarray(0, order.bytes)));
    return [];
  }
  if (order.kind === "accept packed") {
    const parts = parcels.get(order.parcel) ?? [];
    parcels.delete(order.parcel);
    return commit([{ ...order.head, parts }]).finally(collectGarbage);
  }
  const bodies = slots[order.slot]!;
  let at = 0;
  return commit(
    order.heads.map((head) => {
      const parts = packBody(bodies.subarray(at, at + head.bytes));
      at += head.bytes;
      return { ...head, parts };
    }),
  );
}

async function commit(group: readonly PackedDelivery[]): Promise<readonly Acceptance[]> {
  const connection = await opening;
  const statements = acceptanceOf(group);
  return answersFor(group, await retryBusy(connection, () => connection.client.batch(statements, "write")));
}

async function close(): Promise<void> {
  await opening.then(
    ({ client }) => client.close(),
    () => {},
  );
  parentPort?.close();
}

async function answer(order: Order): Promise<void> {
  if (order.kind === "close") return close();
  const reply: Reply = await obey(order).then(
    (acceptances) => ({ acceptances }),
    (error: unknown) => ({ failure: toFailure(error) }),
  );
  parentPort?.postMessage(reply);
}

let previous = Promise.resolve();
parentPort?.on("message", (order: Order) => {
  previous = previous.then(() => answer(order));
});
