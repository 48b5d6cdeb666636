import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { BytePath } from "./entries.ts";
import { diskPath } from "./scan-folder.ts";

/** Never through a link, and never waiting for the other end of a pipe. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The content of a regular file that was just found below the root, at most `maxBytes` of it. The caller holds the folder's lock. Blocks: see
 * `takeTurns`.
 */
export function readFoundFile(root: string, path: BytePath, maxBytes: number): Buffer {
  const file = openSync(diskPath(root, path), READ);
  try {
    const stats = fstatSync(file);
    const buffer = Buffer.alloc(stats.isFile() ? Math.min(stats.size, maxBytes) : 0);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null);
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
