import { afterEach, expect, it } from "vitest";
import { createWorld, type World } from "./world.ts";

let world: World;
afterEach(async () => {
  const { findings } = world.github.referee;
  await world.end();
  expect(findings).toEqual([]);
});

const CLEAN =
  "export function total(prices: number[]): number {\n  return prices.reduce((sum, price) => sum + price, 0);\n}\n";
const FAULTY = `export function same(a: number, b: number): boolean {
  const limit = 3;
  limit = 4;
  return a === a && b < limit;
}
`;

async function openPull(files: Record<string, string | Buffer | null>, branch = "topic") {
  await world.github.commit("acme/shop", branch, { files, message: "Change", author: "ana" });
  return world.github.openPullRequest("acme/shop", { title: "Change", head: branch, by: "ana" });
}

it("GH-10a: a clean pull request gets one green check and no word", async () => {
  world = await createWorld();
  const { number } = await openPull({ "src/total.ts": CLEAN });
  await world.settled();
  const pull = world.github.pullRequest("acme/shop", number);
  expect(pull.checkRuns.map(({ name, conclusion, title }) => [name, conclusion, title])).toEqual([
    ["forge/review", "success", "Clean: 1 file, 3 added lines"],
  ]);
  expect(pull.reviews).toEqual([]);
  expect(pull.comments).toEqual([]);
});

it("GH-10, GH-11: faults become one review with comments in place and a check that fails, and a fix clears them", async () => {
  world = await createWorld();
  const { number } = await openPull({ "src/same.ts": FAULTY });
  await world.settled();
  const pull = world.github.pullRequest("acme/shop", number);
  expect(pull.reviews).toHaveLength(1);
  expect(pull.reviewComments.map(({ path, line }) => [path, line])).toContainEqual(["src/same.ts", 3]);
  expect(pull.checkRuns[0]?.conclusion).toBe("failure");

  await world.github.commit("acme/shop", "topic", { files: { "src/same.ts": CLEAN }, message: "Fix", author: "ana" });
  await world.settled();
  const fixed = world.github.pullRequest("acme/shop", number);
  expect(fixed.reviews).toHaveLength(1);
  expect(fixed.checkRuns.map(({ conclusion }) => conclusion)).toEqual(["success"]);
  expect(fixed.checkRuns[0]?.summary).toContain("fixed");
});
