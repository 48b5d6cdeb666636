import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxFailed } from "./sandbox.ts";

/** What the address of a local socket holds: 108 bytes with the zero at the end on Linux (unix(7)), 104 on macOS. */
const MOST_BYTES = process.platform === "linux" ? 107 : 103;

/**
 * Where a local socket of that name lies in a folder.
 * @throws ForgeError `sandbox_failed` where the operating system takes no such long path, with what to do
 */
export function socketPath(folder: string, name: string): string {
  const path = join(folder, name);
  const bytes = Buffer.byteLength(path);
  if (bytes <= MOST_BYTES) return path;
  throw sandboxFailed(
    `the path of a socket has ${bytes} bytes, and the operating system takes ${MOST_BYTES}. Set TMPDIR to a folder with a shorter path than ${tmpdir()}.`,
  );
}
