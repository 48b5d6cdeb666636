import type { IncomingMessage, ServerResponse } from "node:http";
import type { RefusalReason } from "./answers.ts";
import { createBodyMemory } from "./body-memory.ts";
import { readBody } from "./read-body.ts";
import { type BodyFacts, countMemory, MEMORY, type MemoryLimits, shareMemory } from "./share-memory.ts";

/** How often Forge looks again while a body has to wait. */
const LOOK_AGAIN_MS = 100;

/** A body in memory. Its memory is used again after `release`, which the reader calls once. */
export interface HeldBody {
  readonly bytes: Buffer;
  release(): void;
}

/** The memory in which all doors hold bodies from their first byte until they are stored. */
export interface BodyRoom {
  /**
   * Reads a body of at most `limitBytes`. `announcedBytes`, if known, is not above the limit. `aborted`: the sender went away, or had to give
   * way to others and has its answer already.
   */
  read(
    request: IncomingMessage,
    response: ServerResponse,
    limitBytes: number,
    announcedBytes: number | undefined,
  ): Promise<HeldBody | "too_large" | "aborted">;
  /** Whether the whole body of this request is held. */
  holds(request: IncomingMessage): boolean;
}

export interface BodyRoomOptions {
  readonly clientOf: (request: IncomingMessage) => unknown;
  /** Answers a sender that has to give way, and ends its connection. */
  readonly sendAway: (response: ServerResponse, reason: RefusalReason) => void;
  readonly limits?: MemoryLimits;
  /** Milliseconds on a clock that never goes back. */
  readonly monotonicMs?: () => number;
}

interface Reading extends BodyFacts {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  waitedMs: number;
  heldSinceMs: number | undefined;
  movedMs: number;
  bytes: number;
  isWhole: boolean;
  isLeader: boolean;
  giveUp(): void;
}

export function createBodyRoom(options: BodyRoomOptions): BodyRoom {
  const { clientOf, sendAway, limits = MEMORY, monotonicMs: nowMs = () => performance.now() } = options;
  const readings = new Map<IncomingMessage, Reading>();
  const memory = createBodyMemory();
  // Kept as bytes come, so that a chunk costs nothing as long as there is room.
  const count = countMemory(limits);
  let leader: Reading | undefined;
  let timer: NodeJS.Timeout | undefined;

  function begin(request: IncomingMessage, response: ServerResponse, expectedBytes: number): Reading {
    const startedMs = nowMs();
    const reading: Reading = {
      ...{ request, response, expectedBytes, startedMs, client: clientOf(request) },
      get hasMore() {
        return request.readableLength > 0;
      },
      ...{ waitedMs: 0, heldSinceMs: undefined, movedMs: startedMs, bytes: 0, isWhole: false, isLeader: false },
      giveUp: () => {},
    };
    readings.set(request, reading);
    return reading;
  }
  function remove(reading: Reading): boolean {
    if (!readings.delete(reading.request)) return false;
    count.change(reading.bytes, 0);
    if (leader === reading) leader = undefined;
    return true;
  }
  function lead(reading: Reading | undefined, now: number): void {
    if (reading === leader) return;
    if (leader) leader.isLeader = false;
    if (reading) {
      reading.isLeader = true;
      reading.movedMs = now;
    }
    leader = reading;
  }
  function forget(reading: Reading): void {
    if (!remove(reading)) return;
    if (timer !== undefined) settle();
  }
  /** Whether the body leads: only then one buffer is taken for all of it, as such buffers outlive their use. */
  function grow(reading: Reading, bytes: number): boolean {
    if (!readings.has(reading.request)) return false;
    count.change(reading.bytes, reading.bytes + bytes);
    reading.bytes += bytes;
    reading.movedMs = nowMs();
    if (leader === undefined && reading.bytes > limits.firstOfBody) lead(reading, reading.movedMs);
    const isFull = count.first > limits.firstRoom || count.restBeside(leader) > limits.restRoom;
    if (isFull && !reading.isLeader && !reading.heldSinceMs) settle();
    return reading.isLeader;
  }
  function settle(): void {
    const now = nowMs();
    const { ended, held, leader: next } = shareMemory(readings.values(), now, limits);
    for (const [reading, why] of ended) {
      remove(reading);
      reading.giveUp();
      sendAway(reading.response, why === "slow" ? "body_too_slow" : "memory_full");
    }
    lead(next, now);
    for (const reading of readings.values()) {
      if (held.has(reading)) hold(reading, now);
      else goOn(reading, now);
    }
    if (held.size > 0) {
      // After the sockets were read: if Forge itself was busy, their bytes still count in time.
      timer ??= setInterval(() => setImmediate(settle), LOOK_AGAIN_MS).unref();
    } else {
      clearInterval(timer);
      timer = undefined;
    }
  }

  return {
    read: async (request, response, limitBytes, announcedBytes) => {
      const reading = begin(request, response, announcedBytes ?? limitBytes);
      if (request.headers.expect !== undefined) response.writeContinue();
      const { body: whole, giveUp } = readBody(request, limitBytes, announcedBytes, memory, (bytes) =>
        grow(reading, bytes),
      );
      reading.giveUp = giveUp;
      const body = await whole;
      if (typeof body === "string" || !readings.has(request)) {
        if (typeof body !== "string") memory.giveBack(body);
        forget(reading);
        return typeof body === "string" ? body : "aborted";
      }
      reading.isWhole = true;
      return {
        bytes: body,
        release: () => {
          memory.giveBack(body);
          forget(reading);
        },
      };
    },
    holds: (request) => readings.get(request)?.isWhole === true,
  };
}

function hold(reading: Reading, nowMs: number): void {
  if (reading.heldSinceMs !== undefined) return;
  reading.heldSinceMs = nowMs;
  const { request } = reading;
  request.pause();
}

function goOn(reading: Reading, nowMs: number): void {
  if (reading.heldSinceMs === undefined) return;
  if (reading.hasMore) reading.waitedMs += nowMs - reading.heldSinceMs;
  reading.heldSinceMs = undefined;
  const { request } = reading;
  request.resume();
}
