import { parentPort, workerData } from "node:worker_threads";
import { acceptanceOf, answersFor } from "./acceptance.ts";
import { connectToFile } from "./connection.ts";
import { type Order, type Parcel, type Reply, toFailure, unpackParcel } from "./inbox-protocol.ts";
import { toClient } from "./statement.ts";
import { retryBusy } from "./write-queue.ts";

/*
 * The thread that puts deliveries into the inbox of a database file, on a connection of its own. The client's calls on a file are
 * synchronous: here packing bodies and waiting for the disk keep nobody from answering. Who sends parcels sees to it that nobody else
 * writes meanwhile.
 */

const opening = connectToFile(workerData as string, "writer");

async function accept(parcel: Parcel): Promise<Reply> {
  try {
    const connection = await opening;
    const group = unpackParcel(parcel);
    const statements = acceptanceOf(group).map(toClient);
    const results = await retryBusy(connection, () => connection.client.batch(statements, "write"));
    return { acceptances: answersFor(group, results) };
  } catch (error) {
    return { failure: toFailure(error) };
  }
}

async function obey(order: Order): Promise<void> {
  if (order !== "close") {
    parentPort?.postMessage(await accept(order));
    return;
  }
  await opening.then(
    ({ client }) => client.close(),
    () => {},
  );
  parentPort?.close();
}

let previous = Promise.resolve();
parentPort?.on("message", (order: Order) => {
  previous = previous.then(() => obey(order));
});
