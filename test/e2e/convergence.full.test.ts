import { expect, it } from "vitest";
import { endEach } from "./end-world.ts";
import { openPull } from "./pulls.ts";
import { faulty, push, seen } from "./same-file.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
endEach(() => world);

it("GH-3b: what another configuration brings to light is said, on lines that the push did not touch too, and said once", async () => {
  const left = { ".github/forge.yml": "review:\n  paths:\n    exclude: [src/same.ts]\n" };
  world = await createWorld({ files: left });
  await openPull(world, faulty(1), { branch: "topic" });
  await world.settled();
  expect(seen(world).comments).toEqual([]);
  const everything = { files: { ".github/forge.yml": "review: {}\n" }, message: "Look at all", author: "ana" };
  await world.github.commit("acme/shop", "main", everything);
  await push(world, { "src/other.ts": "export const one = 1;\n" });
  expect(seen(world).comments).toEqual([1]);
  const [checkRun] = world.github.pullRequest("acme/shop", 1).checkRuns;
  expect(checkRun).toMatchObject({ conclusion: "failure", annotations: [{ path: "src/same.ts", start_line: 3 }] });
  await push(world, faulty(2));
  expect(seen(world).comments).toEqual([1, 1]);
});
