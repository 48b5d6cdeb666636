import type { IncomingMessage } from "node:http";
import type { BodyMemory } from "./body-memory.ts";

/** A body announced to be larger than one read of a socket is filled into one buffer, so that it is never in memory twice. */
const ONE_READ_BYTES = 64 * 1024;

/**
 * The body of a request. `too_large` as soon as more than `limitBytes` came (the rest is thrown away unread), `aborted` when the sender
 * went away. `announcedBytes` (the content length), when known, is not above the limit. The memory of the body belongs to whoever gets it.
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
