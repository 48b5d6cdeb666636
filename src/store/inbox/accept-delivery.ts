import { storageError } from "../storage-error.ts";
import type { Acceptance, NewDelivery, Store } from "../store.ts";
import type { WriteQueue } from "../write-queue.ts";
import { acceptanceOf, answersFor } from "./acceptance.ts";
import { packBody } from "./delivery-body.ts";
import { type InboxThread, startInboxThread } from "./start-inbox-thread.ts";

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
 * On a file: packed and written by a thread, so that the process goes on answering meanwhile, while the queue lets nobody else write. The
 * thread starts with the first delivery.
 */
export function acceptInThread(url: string, queue: WriteQueue): Inbox {
  let thread: InboxThread | undefined;
  return {
    accept: (group) =>
      queue.elsewhere(async () => {
        try {
          thread ??= startInboxThread(url);
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
