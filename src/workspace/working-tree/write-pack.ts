import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { type GitResult, runGit } from "../git.ts";
import type { GitObject } from "./git-object.ts";

const TYPE_NUMBERS: Readonly<Record<GitObject["type"], number>> = { commit: 1, tree: 2, blob: 3 };
const compress = promisify<Buffer, Buffer>(deflate);

/** Puts objects into a repository as one pack, which git checks as it would check one from the network. */
export async function writePack(
  gitDirectory: string,
  objects: readonly GitObject[],
  signal: AbortSignal,
): Promise<GitResult | undefined> {
  if (objects.length === 0) return undefined;
  return indexPack(gitDirectory, await packOf(objects), signal);
}

/** Puts a pack into a repository. Everything in it stands for itself: no object is completed from elsewhere. */
export function indexPack(gitDirectory: string, pack: Buffer, signal: AbortSignal): Promise<GitResult> {
  return runGit({ gitDirectory, args: ["index-pack", "--stdin"], input: pack, signal });
}

/** Git's pack format, version 2, every object whole. */
async function packOf(objects: readonly GitObject[]): Promise<Buffer> {
  const head = Buffer.alloc(12);
  head.write("PACK", "latin1");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const parts: Uint8Array[] = [head];
  for (const { type, content } of objects) parts.push(objectHeader(type, content.length), await compress(content));
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** Four bits of the length beside the type, then seven in each byte; the top bit says that more follow. */
function objectHeader(type: GitObject["type"], length: number): Buffer {
  const bytes = [(TYPE_NUMBERS[type] << 4) | (length & 15)];
  for (let rest = Math.floor(length / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 128;
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}
