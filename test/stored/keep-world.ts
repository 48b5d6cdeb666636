import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createClient } from "@libsql/client";
import { backup } from "../../src/store/backup.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { World } from "../e2e/world.ts";
import { factsOf } from "./facts-of.ts";
import type { Places } from "./tell-stories.ts";

/**
 * Makes an empty folder below `fixtures/stored`.
 * @throws where the name is missing or is more than a name
 */
export function newFolder(name: string | undefined): string {
  if (!name || !/^[\w.-]+$/.test(name)) throw new Error("say what the folder is to be called");
  const folder = join("fixtures", "stored", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Has everything that this process and its children write temporarily lie in one folder, which is removed when the process exits, however
 * that comes: such a world is left in the middle of its work and cannot tidy up by itself.
 */
export function tidyTemporaryFolder(): string {
  const own = mkdtempSync(join(tmpdir(), "forge-keep-"));
  process.env.TMPDIR = own;
  process.on("exit", () => rmSync(own, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  return own;
}

/** Writes a world into a folder as it is at this moment, with what this version says of it. */
export async function keepWorld(world: World, folder: string, places: Places): Promise<void> {
  const at = world.clock.now().toISOString();
  const copy = join(world.directory, "copy.db");
  await backup(world.forge!.store, copy);
  await world.github.keep(folder);

  // Who had it open is of no interest, and says something of this machine. Of webhooks that were taken up a few are enough.
  const client = createClient({ url: `file:${copy}` });
  const few = "select guid from deliveries where state = 'handled' order by received_at desc limit 5";
  await client.execute(`delete from deliveries where state in ('handled', 'ignored') and guid not in (${few})`);
  await client.execute("delete from owners");
  await client.execute("vacuum");
  client.close();
  writeFileSync(join(folder, "forge.db.gz"), gzipSync(readFileSync(copy), { level: 9 }));

  const store = await openStore({ url: `file:${copy}` });
  const facts = await factsOf(store);
  await closeStore(store);
  writeFileSync(join(folder, "state.json"), `${JSON.stringify({ at, places, ...facts }, null, 1)}\n`);
}
