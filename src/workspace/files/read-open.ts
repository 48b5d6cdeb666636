import { constants, readSync } from "node:fs";

/** How files that are not ours are opened: never through a link, and never waiting for the other end of a pipe. */
export const OPEN_TO_READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What an open file holds, at most `bytes` of it: what grows while it is read has no end. Blocks: see `takeTurns`. */
export function readOpen(file: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes; length += read) {
    read = readSync(file, buffer, length, bytes - length, null);
  }
  return buffer.subarray(0, length);
}
