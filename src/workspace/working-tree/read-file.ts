import { closeSync, fstatSync, openSync } from "node:fs";
import { OPEN_TO_READ, readOpen } from "../files/read-open.ts";
import type { BytePath } from "./entries.ts";
import { diskPath } from "./scan-folder.ts";

/**
 * The content of a regular file that was just found below the root, at most `maxBytes` of it. The caller holds the folder's lock. Blocks: see
 * `takeTurns`.
 */
export function readFoundFile(root: string, path: BytePath, maxBytes: number): Buffer {
  const file = openSync(diskPath(root, path), OPEN_TO_READ);
  try {
    const stats = fstatSync(file);
    return readOpen(file, stats.isFile() ? Math.min(stats.size, maxBytes) : 0);
  } finally {
    closeSync(file);
  }
}
