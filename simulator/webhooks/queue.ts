// Webhooks leave one after the other, in the order in which things happened, and never hold up an API answer.

export interface WebhookQueue {
  tail: Promise<void>;
  /** What goes on outside the order: delayed deliveries, and workflows. */
  readonly loose: Set<Promise<void>>;
  /** Held back until the next one has left. */
  held: (() => Promise<void>)[];
}

export function createWebhookQueue(): WebhookQueue {
  return { tail: Promise.resolve(), loose: new Set(), held: [] };
}

export function enqueue(queue: WebhookQueue, send: () => Promise<void>): void {
  const late = queue.held;
  queue.held = [];
  queue.tail = queue.tail.then(send);
  for (const each of late) queue.tail = queue.tail.then(each);
}

export function holdBack(queue: WebhookQueue, send: () => Promise<void>): void {
  queue.held.push(send);
}

export function sendLater(queue: WebhookQueue, milliseconds: number, send: () => Promise<void>): void {
  const sent = new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref()).then(send);
  queue.loose.add(sent);
  void sent.finally(() => queue.loose.delete(sent));
}

/** Work of this side that nobody waits for but who wants quiet. */
export function inBackground(queue: WebhookQueue, work: () => Promise<unknown>): void {
  const done = work().then(
    () => undefined,
    (error: unknown) => console.error("simulator bug in the background", error),
  );
  queue.loose.add(done);
  void done.finally(() => queue.loose.delete(done));
}

/** Resolves when nothing is left to send, what was held back included. */
export async function untilIdle(queue: WebhookQueue): Promise<void> {
  for (;;) {
    const { tail } = queue;
    await tail;
    await Promise.all(queue.loose);
    if (queue.tail !== tail || queue.loose.size > 0) continue;
    const late = queue.held.shift();
    if (!late) return;
    queue.tail = queue.tail.then(late);
  }
}
