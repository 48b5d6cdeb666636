import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Checkout } from "./checkout.ts";

/** A repository of its own in a new folder that has everything the checkout has: what is written to it leaves the checkout as it is. */
export async function borrowCheckout(checkout: Checkout, folder: string): Promise<Checkout> {
  const gitDirectory = join(folder, "borrowing.git");
  const objects = join(gitDirectory, "objects");
  await mkdir(join(objects, "info"), { recursive: true });
  await mkdir(join(objects, "pack"));
  await mkdir(join(gitDirectory, "refs"));
  await writeFile(join(objects, "info", "alternates"), `${checkout.objects}\n`);
  await writeFile(join(gitDirectory, "HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(gitDirectory, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
  return { gitDirectory, workTree: checkout.workTree, commonDirectory: gitDirectory, objects };
}
