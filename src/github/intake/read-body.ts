import type { IncomingMessage } from "node:http";

/** Bodies up to this size are read at once: with the limit on connections they cannot take more than 64 MB together. */
const USUAL_BODY_BYTES = 128 * 1024;

/** How many large bodies may wait for their turn. */
const LONGEST_QUEUE = 64;

/** Gives the bytes back; called exactly once. */
export type Release = () => void;

/** Shares out the memory in which large bodies are held between their first byte and the moment they are stored. */
export interface BodyBudget {
  /**
   * Asks for `bytes`; resolves when they are free, in the order of asking. Who waits must not read from its socket meanwhile, so that
   * the sender is held back. Undefined when too many wait already. Never asks for more than the whole budget.
   */
  reserve(bytes: number): Promise<Release> | Release | undefined;
}

function nothing(): void {}

/** `budgetBytes`: at least the largest body that is accepted. */
export function createBodyBudget(budgetBytes: number): BodyBudget {
  let free = budgetBytes;
  const waiting: { readonly bytes: number; readonly start: (release: Release) => void }[] = [];

  function take(bytes: number): Release {
    free -= bytes;
    return () => {
      free += bytes;
      for (let next = waiting[0]; next !== undefined && next.bytes <= free; next = waiting[0]) {
        waiting.shift();
        next.start(take(next.bytes));
      }
    };
  }

  return {
    reserve: (bytes) => {
      if (bytes <= USUAL_BODY_BYTES) return nothing;
      if (waiting.length === 0 && bytes <= free) return take(bytes);
      if (waiting.length >= LONGEST_QUEUE) return undefined;
      return new Promise((start) => waiting.push({ bytes, start }));
    },
  };
}

/** Smaller ones are left to the garbage collector, which is quick with them. */
const LARGE_BYTES = 1024 * 1024;

/** Lends out the buffers into which bodies are read. */
export interface BodyMemory {
  /** A buffer of exactly so many bytes with whatever was in it before. */
  take(bytes: number): Buffer;
  /** The buffer is not used any more. */
  giveBack(buffer: Buffer): void;
}

/**
 * Keeps the memory of the largest body so far for the next one: large buffers wait long for the garbage collector, and six deliveries of
 * 25 MB then take 150.
 */
export function createBodyMemory(): BodyMemory {
  let kept: ArrayBufferLike | undefined;
  return {
    take: (bytes) => {
      if (bytes < LARGE_BYTES || kept === undefined || kept.byteLength < bytes) return Buffer.allocUnsafeSlow(bytes);
      const memory = kept;
      kept = undefined;
      return Buffer.from(memory, 0, bytes);
    },
    giveBack: ({ buffer }) => {
      if (buffer.byteLength >= Math.max(LARGE_BYTES, kept?.byteLength ?? 0)) kept = buffer;
    },
  };
}

/** A body announced to be larger than one read of a socket is filled into one buffer, so that it is never in memory twice. */
const ONE_READ_BYTES = 64 * 1024;

/**
 * The body of a request. `too_large` as soon as more than `limitBytes` came (the rest is thrown away unread), `aborted` when the sender
 * went away. `announcedBytes` (the content length), when known, is not above the limit. The caller owns the memory of the body.
 */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  announcedBytes: number | undefined,
  memory: BodyMemory,
): Promise<Buffer | "too_large" | "aborted"> {
  return new Promise((resolve) => {
    // It may have gone away while it waited for its turn, and then no event comes any more.
    if (request.destroyed) return resolve("aborted");
    const whole =
      announcedBytes !== undefined && announcedBytes > ONE_READ_BYTES ? memory.take(announcedBytes) : undefined;
    let chunks: Buffer[] = [];
    let bytes = 0;

    function onData(chunk: Buffer): void {
      if (whole !== undefined) chunk.copy(whole, bytes);
      else chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= limitBytes) return;
      request.off("data", onData);
      chunks = [];
      request.resume();
      resolve("too_large");
    }
    function onEnd(): void {
      if (bytes > limitBytes) return;
      resolve(whole ?? (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes)));
    }
    request.on("data", onData);
    request.on("end", onEnd);
    request.on("error", () => resolve("aborted"));
  });
}
