// Makes a database of the present version with runs of every kind in it, and the GitHub that belongs to it: what a later version has to
// open and go on with. node scripts/keep-database.ts <name>   writes fixtures/stored/<name>/
import { startScriptedModel } from "../simulator/models/scripted-model.ts";
import { SHOP } from "../test/e2e/implementer.ts";
import { createWorld } from "../test/e2e/world.ts";
import { keepWorld, newFolder, tidyTemporaryFolder } from "../test/stored/keep-world.ts";
import { lockWith, storedMind } from "../test/stored/mind.ts";
import { leaveInTheMiddle, tellStories } from "../test/stored/tell-stories.ts";

const folder = newFolder(process.argv[2]);
tidyTemporaryFolder();
const say = (line: string) => process.stdout.write(`${line}\n`);
say(`Making ${folder}; this takes three to four minutes. A line follows for each story.`);
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
const told = await tellStories(world, (story) => say(`told: ${story}`));
const middle = await leaveInTheMiddle(world, async (way) => {
  while (!silent.has(way)) await new Promise((resolve) => setTimeout(resolve, 50));
  say(`left in the middle: ${way}`);
});
await keepWorld(world, folder, { ...told, ...middle });
say(`${folder} is written.`);
// The models that never answer keep everything open.
process.exit(0);
