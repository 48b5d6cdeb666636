import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createJsonReader } from "./json-reader.ts";

/** Read at once without anybody noticing: a millisecond or two. */
const TURN_BYTES = 512 * 1024;

/**
 * Whether a body is one JSON object in UTF-8, as `JSON.parse` has it, with nothing before its brace and not nested deeper than `DEEPEST`.
 * Nothing is made of it, and others have their turn in between: with 25 MB `JSON.parse` could stop everybody else for seconds.
 */
export function isJsonObject(body: Buffer): boolean | Promise<boolean> {
  if (body[0] !== 0x7b || !isUtf8(body)) return false;
  const reader = createJsonReader(body);
  const first = reader.read(TURN_BYTES);
  return first === "more" ? inTurns(reader) : first === "whole";
}

async function inTurns(reader: ReturnType<typeof createJsonReader>): Promise<boolean> {
  for (let to = 2 * TURN_BYTES; ; to += TURN_BYTES) {
    await nextTurn();
    const read = reader.read(to);
    if (read !== "more") return read === "whole";
  }
}
