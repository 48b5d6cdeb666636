import { setImmediate as nextTurn } from "node:timers/promises";
import { createJsonReader } from "../intake/json-reader.ts";

/** Read in one turn of the event loop: some milliseconds. */
const TURN_BYTES = 256 * 1024;

/** An organisation of 50,000 repositories tells of them in 3 MB. */
const MOST_BYTES = 4 * 1024 * 1024;

const LONGEST_NAME = 100;

const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, COMMA] = [0x7b, 0x7d, 0x5b, 0x2c];

/**
 * A JSON object without the members that are called otherwise than `names`, at whatever depth. Time grows with the body and others have their
 * turn in between; memory does not grow with it.
 * @param body was JSON when it was accepted
 * @returns undefined where it is no JSON object, or where more is left than 4 MB
 */
export async function membersOf(body: Uint8Array, names: ReadonlySet<string>): Promise<Buffer | undefined> {
  const left = Buffer.allocUnsafe(Math.min(body.length, MOST_BYTES) + 1);
  let length = 0;
  /** Depth of the object whose member is being left out. */
  let leftOut: number | undefined;
  /** By depth: what is open there is an object, and has a member already. */
  const isObject: boolean[] = [];
  const hasMember: boolean[] = [];

  function put(from: number, to: number): void {
    if (length + to - from < left.length) left.set(body.subarray(from, to), length);
    length += to - from;
  }
  function isWanted(from: number, to: number): boolean {
    return to - from < LONGEST_NAME && names.has(Buffer.from(body.subarray(from + 1, to - 1)).toString("latin1"));
  }
  const reader = createJsonReader(body, (byte, from, to, depth, isKey) => {
    if (depth === leftOut && (byte === COMMA || byte === CLOSE_OBJECT)) leftOut = undefined;
    // A member puts its comma itself, as it may be the first that stays.
    if (leftOut !== undefined || (byte === COMMA && isObject[depth])) return;
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      isObject[depth] = byte === OPEN_OBJECT;
      hasMember[depth] = false;
    }
    if (isKey && byte !== CLOSE_OBJECT) {
      if (!isWanted(from, to)) {
        leftOut = depth;
        return;
      }
      if (hasMember[depth]) left[length++] = COMMA;
      hasMember[depth] = true;
    }
    put(from, to);
  });
  for (let to = TURN_BYTES; ; to += TURN_BYTES) {
    const read = reader.read(to);
    if (read === "broken" || length >= left.length) return undefined;
    if (read === "whole") return left.subarray(0, length);
    await nextTurn();
  }
}
