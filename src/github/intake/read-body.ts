import type { IncomingMessage } from "node:http";
import { type BodyMemory, LARGE_BYTES } from "./body-memory.ts";

/**
 * The body of a request. `too_large` as soon as more than `limitBytes` came (the rest is thrown away unread), `aborted` when the sender
 * went away or was sent away. `announcedBytes` (the content length), when known, is not above the limit. `came` hears of the bytes as they
 * come, may pause the request, and says whether one
 * buffer for all of the announced bytes may be taken. The caller owns the memory of the body.
 */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  announcedBytes: number | undefined,
  memory: BodyMemory,
  came: (bytes: number) => boolean,
): Promise<Buffer | "too_large" | "aborted"> {
  return new Promise((resolve) => {
    if (request.destroyed) return resolve("aborted");
    let whole: Buffer | undefined;
    let chunks: Buffer[] = [];
    let bytes = 0;

    /** Memory for all of a large body is taken only after a part of it came, so that an announcement alone takes none. */
    function gather(total: number): void {
      whole = memory.take(total);
      let at = 0;
      for (const chunk of chunks) at += chunk.copy(whole, at);
      chunks = [];
    }
    function onData(chunk: Buffer): void {
      if (bytes + chunk.length > limitBytes) {
        request.off("data", onData).off("end", onEnd);
        chunks = [];
        request.resume();
        finish("too_large");
        return;
      }
      if (whole === undefined) chunks.push(chunk);
      else chunk.copy(whole, bytes);
      bytes += chunk.length;
      const isNext = came(chunk.length);
      if (isNext && whole === undefined && announcedBytes !== undefined && bytes >= LARGE_BYTES) gather(announcedBytes);
    }
    function onEnd(): void {
      finish(whole ?? (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes)));
    }
    function finish(outcome: Buffer | "too_large" | "aborted"): void {
      if (whole !== undefined && outcome !== whole) memory.giveBack(whole);
      whole = undefined;
      resolve(outcome);
    }
    request.on("data", onData);
    request.once("end", onEnd);
    request.once("error", () => finish("aborted"));
    request.once("close", () => finish("aborted"));
  });
}
