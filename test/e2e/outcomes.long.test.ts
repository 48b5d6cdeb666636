import { it } from "vitest";
import { endEach } from "./end-world.ts";
import { followToMerge } from "./merged-findings.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
endEach(() => world);

it.each(["rebase", "merge"] as const)("HUM-4: findings are followed to a %s", async (method) => {
  world = await createWorld();
  await followToMerge(world, method);
});
