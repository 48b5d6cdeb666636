import { open } from "node:fs/promises";
import { createClient } from "@libsql/client";
import { ForgeError } from "../domain/errors.ts";
import { isFile } from "./connection.ts";
import { storageError } from "./storage-error.ts";
import type { Store } from "./store.ts";

/**
 * Copies the database, as it is at this moment and without its free space, into a new file. Blocks the process while it copies.
 * @throws ForgeError `backup_unsupported` on a libSQL server, which has backups of its own; `storage_full`.
 */
export async function backup(store: Store, path: string): Promise<void> {
  if (!isFile(store.url)) {
    throw new ForgeError("backup_unsupported", "A libSQL server is backed up where it runs, not from here.", {
      source: "validation",
      recoverability: "manual",
    });
  }
  const client = createClient({ url: store.url, concurrency: 1 });
  try {
    await client.execute({ sql: "VACUUM INTO ?", args: [path] });
  } catch (error) {
    throw storageError(error);
  } finally {
    client.close();
  }
  // SQLite does not wait until the copy is on the disk.
  const file = await open(path, "r+");
  await file.sync();
  await file.close();
}
