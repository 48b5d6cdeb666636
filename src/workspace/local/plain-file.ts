import { open } from "node:fs/promises";
import { ForgeError } from "../../domain/errors.ts";
import { OPEN_TO_READ } from "../files/read-beneath.ts";

/**
 * The contents of a regular file of somebody's `.git`, and when it was changed. Undefined where there is none: a link is not followed, and
 * no read waits at a pipe.
 * @throws ForgeError `checkout_unusable` when it is larger than `maxBytes`
 */
export async function readPlainFile(path: string, maxBytes: number) {
  const file = await open(path, OPEN_TO_READ).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    const { size, mtimeMs } = stats;
    if (!stats.isFile()) return undefined;
    if (size > maxBytes) throw unusable(path, `it has ${size} bytes, and at most ${maxBytes} are read`);
    const content = Buffer.alloc(size);
    const { bytesRead } = await file.read(content, 0, size, 0);
    return { content: content.subarray(0, bytesRead), changedMs: mtimeMs };
  } finally {
    await file.close();
  }
}

/** The text of a small file; empty where there is none. */
export async function readPlainText(path: string): Promise<string> {
  return (await readPlainFile(path, 64 * 1024))?.content.toString("utf8") ?? "";
}

/** `place`: the checkout, or what of it is meant. */
export function unusable(place: string, why: string): ForgeError {
  const message = `Forge cannot work on ${place}: ${why}.`;
  return new ForgeError("checkout_unusable", message, { source: "validation", recoverability: "manual" });
}
