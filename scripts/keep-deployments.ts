// Makes a database of the present version with deployments in the middle of their work, and the GitHub that belongs to it.
// node scripts/keep-deployments.ts <name>   writes fixtures/stored/<name>/
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { createWorld } from "../test/e2e/world.ts";
import { keepWorld, newFolder, tidyTemporaryFolder } from "../test/stored/keep-world.ts";
import { ASKING, DEPLOYED, operatorsProgram, tellDeployments } from "../test/stored/tell-deployments.ts";

const folder = newFolder(process.argv[2]);
const program = operatorsProgram(tidyTemporaryFolder());
const { default_permissions, default_events } = parse(readFileSync("app.yml", "utf8"));
const world = await createWorld({
  files: DEPLOYED,
  environment: { FORGE_DEPLOY_PROGRAM: program.file },
  permissions: { ...default_permissions, actions: "write", deployments: "write" },
  events: [...new Set([...default_events, "deployment_protection_rule"])],
  start: false,
});
const guarded = { private: false, files: ASKING, collaborators: { ana: "admin", ben: "write" } } as const;
await world.github.createRepository("acme", "guarded", guarded);
world.github.createEnvironment("acme/guarded", "Production");
world.github.enableProtectionRule("acme/guarded", "production", "forge");
await world.start();
await keepWorld(world, folder, await tellDeployments(world, program));
process.stdout.write(`${folder} is written.\n`);
// A step is under way.
process.exit(0);
