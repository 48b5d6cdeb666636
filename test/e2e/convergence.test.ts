import { afterEach, expect, it } from "vitest";
import { openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
afterEach(async () => {
  await world.expectGoodManners();
  await world.end();
});

/** A file with this many assignments to a constant, each of which blocks. */
const faulty = (count: number) => {
  const faults = Array.from(
    { length: count },
    (_, n) => `export function f${n}(): number {\n  const limit = 3;\n  limit = ${n};\n  return limit;\n}\n`,
  );
  return { "src/same.ts": faults.join("\n") };
};

async function push(files: Record<string, string>) {
  await world.github.commit("acme/shop", "topic", { files, message: "Change", author: "ana" });
  await world.settled();
}

function seen() {
  const { reviews, checkRuns } = world.github.pullRequest("acme/shop", 1);
  return { comments: reviews.map(({ comments }) => comments.length), summary: checkRuns[0]?.summary ?? "" };
}

const STOPS = "There were enough reviews with comments here";

it("GH-3b: a fourth push gets a check and no comment, and `/forge review` brings the comments", async () => {
  world = await createWorld();
  await openPull(world, faulty(1), { branch: "topic" });
  await world.settled();
  for (const count of [2, 3]) await push(faulty(count));
  expect(seen().comments).toEqual([1, 1, 1]);
  expect(seen().summary).toContain(STOPS);

  await push(faulty(4));
  expect(seen().comments).toEqual([1, 1, 1]);
  expect(seen().summary).toContain("4 blocking findings are open");
  expect(seen().summary).not.toContain(STOPS);
  const [checkRun] = world.github.pullRequest("acme/shop", 1).checkRuns;
  expect(checkRun?.conclusion).toBe("failure");
  // The lines of all four, the last of which has no comment.
  expect(checkRun?.annotations.map(({ start_line }) => start_line)).toEqual([3, 9, 15, 21]);

  world.github.comment("acme/shop", 1, { by: "ben", body: "/forge review" });
  await world.settled();
  expect(seen().comments).toEqual([1, 1, 1, 1]);
});

it("GH-3b: what another configuration brings to light is said, on lines that the push did not touch too, and said once", async () => {
  const left = { ".github/forge.yml": "review:\n  paths:\n    exclude: [src/same.ts]\n" };
  world = await createWorld({ files: left });
  await openPull(world, faulty(1), { branch: "topic" });
  await world.settled();
  expect(seen().comments).toEqual([]);
  const everything = { files: { ".github/forge.yml": "review: {}\n" }, message: "Look at all", author: "ana" };
  await world.github.commit("acme/shop", "main", everything);
  await push({ "src/other.ts": "export const one = 1;\n" });
  expect(seen().comments).toEqual([1]);
  const [checkRun] = world.github.pullRequest("acme/shop", 1).checkRuns;
  expect(checkRun).toMatchObject({ conclusion: "failure", annotations: [{ path: "src/same.ts", start_line: 3 }] });
  await push(faulty(2));
  expect(seen().comments).toEqual([1, 1]);
});
