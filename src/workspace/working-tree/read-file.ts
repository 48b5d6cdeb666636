import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { BytePath } from "./entries.ts";
import { diskPath } from "./scan-folder.ts";

/** Never through a link, and never waiting for the other end of a pipe. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The content of a regular file that was just found below the root, at most `maxBytes` of it. The caller holds the folder's lock. */
export async function readFoundFile(root: string, path: BytePath, maxBytes: number): Promise<Buffer> {
  await using file = await open(diskPath(root, path), READ);
  const stats = await file.stat();
  const buffer = Buffer.alloc(stats.isFile() ? Math.min(stats.size, maxBytes) : 0);
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read) {
    read = (await file.read(buffer, length, buffer.length - length)).bytesRead;
  }
  return buffer.subarray(0, length);
}
