import { expect, it } from "vitest";
import { shareWorld } from "./end-world.ts";
import { CLEAN, FAULTY, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
shareWorld(createWorld, (made) => {
  world = made;
});

it("GH-10a: a clean pull request gets one green check and no word", async () => {
  const { number } = await openPull(world, { "src/total.ts": CLEAN }, { branch: "topic" });
  await world.settled();
  const pull = world.github.pullRequest("acme/shop", number);
  expect(pull.checkRuns.map(({ name, conclusion, title }) => [name, conclusion, title])).toEqual([
    ["forge/review", "success", "Clean: 1 file, 3 added lines"],
  ]);
  expect(pull.reviews).toEqual([]);
  expect(pull.comments).toEqual([]);
});

it("GH-10, GH-11: faults become one review with comments in place and a check that fails, and a fix clears them", async () => {
  const { number } = await openPull(world, { "src/same.ts": FAULTY }, { branch: "faulty" });
  await world.settled();
  const pull = world.github.pullRequest("acme/shop", number);
  expect(pull.reviews).toHaveLength(1);
  expect(pull.reviewComments.map(({ path, line }) => [path, line])).toContainEqual(["src/same.ts", 3]);
  expect(pull.checkRuns[0]?.conclusion).toBe("failure");
  expect(pull.checkRuns[0]?.summary).toMatch(/\*\*Risk\*\* \d+, raised to high \(.*\): size \d+, complexity \d+/);

  await world.github.commit("acme/shop", "faulty", { files: { "src/same.ts": CLEAN }, message: "Fix", author: "ana" });
  await world.settled();
  const fixed = world.github.pullRequest("acme/shop", number);
  // An answer in a thread is a review without a text in GitHub's eyes.
  expect(fixed.reviews.filter(({ body }) => body !== "")).toHaveLength(1);
  expect(fixed.checkRuns.map(({ conclusion }) => conclusion)).toEqual(["success"]);
  expect(fixed.checkRuns[0]?.summary).toContain("fixed");
});
