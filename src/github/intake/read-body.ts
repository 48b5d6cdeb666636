import type { IncomingMessage } from "node:http";
import { type BodyMemory, LARGE_BYTES } from "./body-memory.ts";

/** A body that is being read. */
export interface BodyReading {
  /** `too_large` as soon as more than the limit came (the rest is thrown away unread), `aborted` when the sender went away. */
  readonly body: Promise<Buffer | "too_large" | "aborted">;
  /** Ends it as `aborted` and lets go of its memory at once: the next large body would take other memory before this connection is closed. */
  giveUp(): void;
}

/**
 * Reads the body of a request, of at most `limitBytes`. `announcedBytes` (the content length), when known, is not above the limit. `came` hears
 * of the bytes as they come, may pause the request or give it up, and says whether one buffer for all of the announced bytes may be taken. The
 * caller owns the memory of the body.
 */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  announcedBytes: number | undefined,
  memory: BodyMemory,
  came: (bytes: number) => boolean,
): BodyReading {
  let whole: Buffer | undefined;
  let chunks: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  const { promise, resolve } = Promise.withResolvers<Buffer | "too_large" | "aborted">();

  /** Memory for all of a large body is taken only after a part of it came, so that an announcement alone takes none. */
  function gather(total: number): void {
    whole = memory.take(total);
    let at = 0;
    for (const chunk of chunks) at += chunk.copy(whole, at);
    chunks = [];
  }
  function onData(chunk: Buffer): void {
    if (bytes + chunk.length > limitBytes) {
      finish("too_large");
      return;
    }
    if (whole === undefined) chunks.push(chunk);
    else chunk.copy(whole, bytes);
    bytes += chunk.length;
    const isNext = came(chunk.length);
    if (isNext && !isOver && whole === undefined && announcedBytes !== undefined && bytes >= LARGE_BYTES)
      gather(announcedBytes);
  }
  function onEnd(): void {
    finish(whole ?? (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes)));
  }
  const giveUp = () => finish("aborted");
  function finish(outcome: Buffer | "too_large" | "aborted"): void {
    request.off("data", onData).off("end", onEnd).off("close", giveUp);
    // An error may still come, and would end the process if nobody heard it.
    request.on("error", () => {}).off("error", giveUp);
    isOver = true;
    if (typeof outcome === "string") request.resume();
    if (whole !== undefined && outcome !== whole) memory.giveBack(whole);
    whole = undefined;
    chunks = [];
    resolve(outcome);
  }
  if (request.destroyed) resolve("aborted");
  else request.on("data", onData).once("end", onEnd).once("error", giveUp).once("close", giveUp);
  return { body: promise, giveUp };
}
