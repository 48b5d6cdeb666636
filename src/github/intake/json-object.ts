import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createJsonReader, DEEPEST } from "./json-reader.ts";

/** Read in one turn of the event loop without anybody noticing: a millisecond or two. */
const TURN_BYTES = 512 * 1024;

/** Of bodies up to this size, so many bytes in one turn of the event loop are left to `JSON.parse`; made of keys only they take it 50 ms. */
const USUAL_BODY_BYTES = 64 * 1024;
const PARSED_BYTES = 1024 * 1024;

/** Whether a body is one JSON object; at once for those of usual size. */
export type IsJsonObject = (body: Buffer) => boolean | Promise<boolean>;

/**
 * Whether a body is one JSON object in UTF-8, as `JSON.parse` has it, with nothing before its brace and not nested deeper than `DEEPEST`.
 * What GitHub sends all day is given to `JSON.parse` itself, which takes a third of our own reader's time (8 µs for 14 kB). Its time is the
 * sender's choice, though: with 25 MB it could stop everybody else for seconds. So what is large, or of many parts, or more than so much at
 * once is followed by our own, which makes nothing of it, one body after the other, and everybody else has a turn after each piece.
 */
export function createJsonCheck(): IsJsonObject {
  let parsedBytes = 0;
  let before: Promise<unknown> = Promise.resolve();
  return (body) => {
    if (body[0] !== 0x7b || !isUtf8(body)) return false;
    if (body.length <= USUAL_BODY_BYTES && parsedBytes <= PARSED_BYTES && hasFewParts(body)) {
      if (parsedBytes === 0) setImmediate(() => (parsedBytes = 0));
      parsedBytes += body.length;
      return isParsed(body);
    }
    const read = before.then(() => isReadInTurns(body));
    before = read;
    return read;
  };
}

/** So few that they cannot be nested too deep, counting what looks like one within texts. */
function hasFewParts(body: Buffer): boolean {
  let parts = 0;
  for (const bracket of [0x7b, 0x5b])
    for (let at = body.indexOf(bracket); at !== -1; at = body.indexOf(bracket, at + 1)) {
      parts += 1;
      if (parts > DEEPEST) return false;
    }
  return true;
}

/** A letter beyond ASCII may stand in a text only, where it is as good as those that its bytes are in Latin-1, which is read twice as fast. */
function isParsed(body: Buffer): boolean {
  try {
    JSON.parse(body.toString("latin1"));
    return true;
  } catch {
    return false;
  }
}

async function isReadInTurns(body: Buffer): Promise<boolean> {
  const reader = createJsonReader(body);
  for (let to = TURN_BYTES; ; to += TURN_BYTES) {
    await nextTurn();
    const read = reader.read(to);
    if (read !== "more") return read === "whole";
  }
}
