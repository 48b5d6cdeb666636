import { Worker } from "node:worker_threads";
import { fromFailure, type Order, packParcel, type Reply } from "./inbox-protocol.ts";
import type { Acceptance, NewDelivery } from "./store.ts";

export interface InboxThread {
  /** Puts a group of deliveries into the inbox in one commit; answers for each, in order. Groups are taken in the order of asking. */
  readonly accept: (group: readonly NewDelivery[]) => Promise<readonly Acceptance[]>;
  /** Resolves when the thread has ended. */
  readonly close: () => Promise<void>;
}

/** Starts the thread; a bug that ends it ends the process, as one on the main thread would. */
export function startInboxThread(url: string): InboxThread {
  const worker = new Worker(new URL("./inbox-thread.ts", import.meta.url), { workerData: url });
  const pending: { resolve: (acceptances: readonly Acceptance[]) => void; reject: (error: Error) => void }[] = [];
  // Only a commit that is under way keeps the process alive.
  worker.unref();
  worker.on("message", (reply: Reply) => {
    const { resolve, reject } = pending.shift()!;
    if (pending.length === 0) worker.unref();
    if ("failure" in reply) reject(fromFailure(reply.failure));
    else resolve(reply.acceptances);
  });
  const send = (order: Order, transfer: ArrayBuffer[] = []) => {
    worker.ref();
    worker.postMessage(order, transfer);
  };
  return {
    accept: (group) =>
      new Promise((resolve, reject) => {
        const { parcel, transfer } = packParcel(group);
        pending.push({ resolve, reject });
        send(parcel, transfer);
      }),
    close: () =>
      new Promise((resolve) => {
        worker.once("exit", () => resolve());
        send("close");
      }),
  };
}
