import { createHash } from "node:crypto";
import type { AcceptDelivery } from "./delivery.ts";

/** A genuine message: a JSON object, by whose bytes it is known again. */
export interface Message {
  readonly id: string;
  readonly body: Buffer;
}

/** In a storm, so long is gathered before the next delivery is stored; a message that comes alone waits for nobody. */
const PAUSE_MS = 100;
/** The most that one delivery holds, beside a message that is larger. */
const BATCH_BYTES = 512 * 1024;
const BATCH_MESSAGES = 1_000;
/** More than this waits only when the disk does. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Ids of messages that were stored: those that come again change nothing. Older ones are known by the worker. */
const REMEMBERED = 20_000;

interface Answer {
  readonly resolve: (taken: "accepted" | "duplicate") => void;
  readonly reject: (error: unknown) => void;
}

interface Waiting extends Message, Answer {
  /** Who sent the same meanwhile: told when it is safe. */
  readonly again: Answer[];
}

/**
 * Makes what stores messages for one door. Many that come at once are one delivery, so that a storm is a few jobs a second. Resolves when
 * the message would survive a crash; rejects when it cannot be kept.
 */
export function createGathering(
  door: { readonly name: string; readonly event: string },
  accept: AcceptDelivery,
  now: () => Date,
): (message: Message) => Promise<"accepted" | "duplicate"> {
  const waiting = new Map<string, Waiting>();
  const stored = new Set<string>();
  let [bytes, isStoring, lastMs] = [0, false, 0];

  async function store(): Promise<void> {
    const batch: Waiting[] = [];
    let size = 0;
    for (const message of waiting.values()) {
      size += message.body.length;
      if (batch.length > 0 && (size > BATCH_BYTES || batch.length === BATCH_MESSAGES)) break;
      batch.push(message);
    }
    const done = () => {
      for (const { id, body } of batch) {
        waiting.delete(id);
        bytes -= body.length;
      }
    };
    try {
      const taken = await accept({
        guid: `feedback:${hashOf(door.name, ...batch.map(({ id }) => id))}`,
        event: door.event,
        receivedAt: now().toISOString(),
        body: batchBody(door.name, batch),
      });
      done();
      for (const { id, resolve, again } of batch) {
        remember(id);
        resolve(taken);
        for (const same of again) same.resolve("duplicate");
      }
    } catch (error) {
      done();
      for (const { reject, again } of batch) for (const each of [{ reject }, ...again]) each.reject(error);
    }
  }
  function remember(id: string): void {
    stored.add(id);
    if (stored.size > REMEMBERED) stored.delete(stored.values().next().value ?? id);
  }
  async function storeAll(): Promise<void> {
    while (waiting.size > 0) {
      const pauseMs = bytes > BATCH_BYTES ? 0 : lastMs + PAUSE_MS - performance.now();
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      lastMs = performance.now();
      await store();
    }
    isStoring = false;
  }

  return (message) => {
    if (stored.has(message.id)) return Promise.resolve("duplicate");
    const same = waiting.get(message.id);
    if (bytes + message.body.length > MOST_BYTES)
      return Promise.reject(new Error("too many messages wait for the disk"));
    return new Promise((resolve, reject) => {
      if (same) {
        same.again.push({ resolve, reject });
        return;
      }
      waiting.set(message.id, { ...message, resolve, reject, again: [] });
      bytes += message.body.length;
      if (isStoring) return;
      isStoring = true;
      setImmediate(() => void storeAll());
    });
  };
}

/** One JSON object around the very texts that were sent. */
function batchBody(door: string, batch: readonly Message[]): Buffer {
  const parts = batch.flatMap(({ id, body }, index) => [
    Buffer.from(`${index === 0 ? "" : ","}{"id":"${id}","body":`),
    body,
    Buffer.from("}"),
  ]);
  return Buffer.concat([Buffer.from(`{"door":${JSON.stringify(door)},"messages":[`), ...parts, Buffer.from("]}")]);
}

export function hashOf(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest("hex").slice(0, 32);
}
