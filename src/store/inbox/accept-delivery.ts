import { Worker } from "node:worker_threads";
import { CODE_ENDING } from "../../domain/code-ending.ts";
import { storageError } from "../storage-error.ts";
import type { Acceptance, NewDelivery, Store } from "../store.ts";
import type { WriteQueue } from "../write-queue.ts";
import { acceptanceOf, answersFor } from "./acceptance.ts";
import { packBody } from "./delivery-body.ts";
import { fromFailure, type InboxThreadData, type Order, type Reply, SLOT_BYTES, SLOTS } from "./inbox-protocol.ts";

/**
 * Puts a delivery into the inbox with the job that handles it, key `delivery:<guid>`. Resolves when both are on the disk; a GUID that was
 * there before changes nothing (SEC-7). Concurrent calls share one commit.
 * @throws ForgeError `storage_full`, `database_unreachable`: then it was not accepted and GitHub must not hear otherwise.
 */
export async function acceptDelivery(store: Store, delivery: NewDelivery): Promise<Acceptance> {
  const acceptance = await store.deliveries.add(delivery);
  if (acceptance === "accepted") {
    for (const listener of store.jobListeners) listener([`delivery:${delivery.guid}`]);
  }
  return acceptance;
}

export interface Inbox {
  /** The commit of a group of deliveries; answers for each, in order. */
  readonly accept: (group: readonly NewDelivery[]) => Promise<readonly Acceptance[]>;
  readonly close: () => Promise<void>;
}

/**
 * On a file: packed and written by a thread, so that the process goes on answering meanwhile, while the queue lets no one else write. The
 * thread starts with the first delivery, and again after it ended.
 */
export function acceptInThread(url: string, queue: WriteQueue): Inbox {
  let thread: InboxThread | undefined;
  return {
    accept: (group) =>
      queue.elsewhere(async () => {
        try {
          thread ??= startInboxThread(url, () => {
            thread = undefined;
          });
          return await thread.accept(group);
        } catch (error) {
          throw storageError(error);
        }
      }),
    close: async () => {
      await thread?.close();
    },
  };
}

/** On a server, or where writing is refused. */
export function acceptInQueue(queue: WriteQueue): Inbox {
  return {
    accept: async (group) => {
      const packed = group.map(({ body, ...head }) => ({ ...head, parts: packBody(body) }));
      return answersFor(group, await queue.together(acceptanceOf(packed)));
    },
    close: () => Promise.resolve(),
  };
}

interface InboxThread {
  /**
   * Puts a group of deliveries into the inbox in one commit; answers for each, in order. Groups are committed in the order of asking, at
   * most SLOTS may be under way. What is larger than SLOT_BYTES must come alone.
   */
  readonly accept: (group: readonly NewDelivery[]) => Promise<readonly Acceptance[]>;
  /** Resolves when the thread has ended. */
  readonly close: () => Promise<void>;
}

/**
 * Starts the thread; a bug that ends it ends the process, as one on the main thread would. When it ends otherwise, every commit that was
 * asked of it is rejected: none of them may wait for an answer that never comes.
 */
function startInboxThread(url: string, onEnd: () => void): InboxThread {
  const slots = Array.from({ length: SLOTS }, () => new Uint8Array(new SharedArrayBuffer(SLOT_BYTES)));
  const free = slots.map((_, slot) => slot);
  const workerData: InboxThreadData = { url, slots };
  const worker = new Worker(new URL(`./inbox-thread${CODE_ENDING}`, import.meta.url), { workerData });
  const pending: { resolve: (acceptances: readonly Acceptance[]) => void; reject: (error: Error) => void }[] = [];
  let parcels = 0;
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    worker.once("exit", () => {
      hasEnded = true;
      onEnd();
      for (const { reject } of pending.splice(0)) reject(threadEnded());
      resolve();
    });
  });
  // Only a commit that is under way keeps the process alive.
  worker.unref();
  worker.on("message", (reply: Reply) => {
    const { resolve, reject } = pending.shift()!;
    if (pending.length === 0) worker.unref();
    if ("failure" in reply) reject(fromFailure(reply.failure));
    else resolve(reply.acceptances);
  });

  const send = (order: Order) => {
    worker.ref();
    worker.postMessage(order);
  };
  const ask = (order: Order) =>
    new Promise<readonly Acceptance[]>((resolve, reject) => {
      if (hasEnded) return reject(threadEnded());
      pending.push({ resolve, reject });
      send(order);
    });
  /** Asks with bodies in a slot, which is free again when the answer comes. */
  const askWith = async (bodies: readonly Uint8Array[], order: (slot: number) => Order) => {
    const slot = free.pop()!;
    let at = 0;
    for (const body of bodies) {
      slots[slot]!.set(body, at);
      at += body.length;
    }
    try {
      return await ask(order(slot));
    } finally {
      free.push(slot);
    }
  };

  const acceptLarge = async ({ body, ...head }: NewDelivery) => {
    parcels += 1;
    const parcel = parcels;
    for (let start = 0; start < body.length; start += SLOT_BYTES) {
      const piece = body.subarray(start, start + SLOT_BYTES);
      await askWith([piece], (slot) => ({ kind: "pack", parcel, slot, bytes: piece.length }));
    }
    return ask({ kind: "accept packed", head: { ...head, bytes: body.length }, parcel });
  };

  return {
    accept: (group) => {
      if (group[0]!.body.length > SLOT_BYTES) return acceptLarge(group[0]!);
      const heads = group.map(({ body, ...head }) => ({ ...head, bytes: body.length }));
      return askWith(
        group.map(({ body }) => body),
        (slot) => ({ kind: "accept", heads, slot }),
      );
    },
    close: () => {
      if (!hasEnded) send({ kind: "close" });
      return ended;
    },
  };
}

function threadEnded(): Error {
  return new Error("The thread that fills the inbox ended.");
}
