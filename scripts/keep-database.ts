// Makes a database of the present version with runs of every kind in it, and the GitHub that belongs to it: what a later version has to
// open and go on with. node scripts/keep-database.ts <name>   writes fixtures/stored/<name>/
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createClient } from "@libsql/client";
import { startScriptedModel } from "../simulator/models/scripted-model.ts";
import { backup } from "../src/store/backup.ts";
import { closeStore, openStore } from "../src/store/open-store.ts";
import { SHOP } from "../test/e2e/implementer.ts";
import { createWorld } from "../test/e2e/world.ts";
import { factsOf } from "../test/stored/facts-of.ts";
import { lockWith, storedMind } from "../test/stored/mind.ts";
import { leaveInTheMiddle, tellStories } from "../test/stored/tell-stories.ts";

const [name] = process.argv.slice(2);
if (!name || !/^[\w.-]+$/.test(name)) throw new Error("say what the folder is to be called");
const folder = join("fixtures", "stored", name);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const silent = new Set<string>();
const model = await startScriptedModel(storedMind((way) => silent.add(way)));
const world = await createWorld({
  files: SHOP,
  environment: { ...model.environment },
  start: false,
});
const repositories = {
  cart: "review:\n  ai: never\n",
  bank: "review:\n  ai: always\n  protected_paths: [src/price.js]\nsafety:\n  cost:\n    review: 0.13\n  gates:\n    cost_overrun: ask\n",
  till: "review:\n  ai: always\n",
  vault: "review:\n  ai: never\n",
  gate: "review:\n  ai: always\nsafety:\n  approve: [run_tests]\n",
};
for (const [repository, configuration] of Object.entries(repositories)) {
  const lock = repository === "vault" ? { "Cargo.lock": lockWith("a") } : {};
  const files = { ...SHOP, ...lock, ".github/forge.yml": configuration };
  await world.github.createRepository("acme", repository, {
    ...{ private: false, files, collaborators: { ana: "admin", ben: "write" } },
  });
}
await world.start();
await world.settled();
const told = await tellStories(world);
const middle = await leaveInTheMiddle(world, async (way) => {
  while (!silent.has(way)) await new Promise((resolve) => setTimeout(resolve, 50));
});
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
writeFileSync(
  join(folder, "state.json"),
  `${JSON.stringify({ at, places: { ...told, ...middle }, ...facts }, null, 1)}\n`,
);
// The models that never answer keep everything open.
process.exit(0);
