import { constants } from "node:fs";
import { open, readdir, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { openFolderBeneath } from "../files/open-beneath.ts";
import type { GitResult } from "../git.ts";
import { indexPack } from "../working-tree/write-pack.ts";
import type { Checkout } from "./checkout.ts";
import { openView } from "./open-view.ts";

/** The index comes last: only with it git sees the pack. */
const PARTS = ["pack", "rev", "idx"] as const;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Puts a pack among a checkout's objects. Git checks it in a view; the checkout gets the files, never through a link.
 * @throws NotBeneath where the folder of packs is a link
 */
export async function putPack(checkout: Checkout, pack: Buffer, signal: AbortSignal): Promise<GitResult> {
  await using view = await openView(checkout);
  const read = await indexPack(view.gitDirectory, pack, signal);
  if (!read.ok) return read;
  const made = join(view.gitDirectory, "objects", "pack");
  const names = await readdir(made);
  await using folder = await openFolderBeneath(checkout.objects, ["pack"], { create: true });
  const there = new Set(await readdir(folder.at));
  for (const part of PARTS) {
    for (const name of names.filter((found) => found.endsWith(`.${part}`) && !there.has(found))) {
      await put(join(folder.at, name), await readFile(join(made, name)));
    }
  }
  return read;
}

async function put(path: string, content: Buffer): Promise<void> {
  const fresh = `${path}.forge-${process.pid}`;
  await using file = await open(fresh, CREATE, 0o444);
  try {
    await file.writeFile(content);
    await file.sync();
    await rename(fresh, path);
  } catch (error) {
    await unlink(fresh).catch(() => undefined);
    throw error;
  }
}
