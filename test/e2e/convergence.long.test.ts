import { expect, it } from "vitest";
import { endEach } from "./end-world.ts";
import { openPull } from "./pulls.ts";
import { faulty, push, seen } from "./same-file.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
endEach(() => world);

const STOPS = "There were enough reviews with comments here";

it("GH-3b: a fourth push gets a check and no comment, and `/forge review` brings the comments", async () => {
  world = await createWorld();
  await openPull(world, faulty(1), { branch: "topic" });
  await world.settled();
  for (const count of [2, 3]) await push(world, faulty(count));
  expect(seen(world).comments).toEqual([1, 1, 1]);
  expect(seen(world).summary).toContain(STOPS);

  await push(world, faulty(4));
  expect(seen(world).comments).toEqual([1, 1, 1]);
  expect(seen(world).summary).toContain("4 blocking findings are open");
  expect(seen(world).summary).not.toContain(STOPS);
  const [checkRun] = world.github.pullRequest("acme/shop", 1).checkRuns;
  expect(checkRun?.conclusion).toBe("failure");
  // The lines of all four, the last of which has no comment.
  expect(checkRun?.annotations.map(({ start_line }) => start_line)).toEqual([3, 9, 15, 21]);

  world.github.comment("acme/shop", 1, { by: "ben", body: "/forge review" });
  await world.settled();
  expect(seen(world).comments).toEqual([1, 1, 1, 1]);
});
