import { expect, it } from "vitest";
import { endEach } from "./end-world.ts";
import { CLEAN, FAULTY, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
endEach(() => world);

const SHOP = "acme/shop";
const view = () => world.github.pullRequest(SHOP, 1);
const moveBase = (files: Record<string, string>) =>
  world.github.commit(SHOP, "main", { files, message: "Move", author: "ben" });

async function reviewed(files: Record<string, string>) {
  world = await createWorld();
  await openPull(world, files, { branch: "topic" });
  await world.settled();
  return view().headSha;
}

async function push(files: Record<string, string>) {
  await world.github.commit(SHOP, "topic", { files, message: "Change", author: "ana" });
  await world.settled();
}

it("GH-3: a push that only merges the base branch in takes its verdict over, says from where, and tells nobody anything", async () => {
  const first = await reviewed({ "src/same.ts": FAULTY });
  const before = view();
  // What a review of the new head would find in itself, were it read: the base brings it.
  await moveBase({ "src/other.ts": FAULTY });
  await world.github.updateBranch(SHOP, 1, "ana");
  await world.settled();
  const after = view();
  expect(after.headSha).not.toBe(first);
  expect(after.checkRuns[0]).toMatchObject({ conclusion: "failure", title: before.checkRuns[0]?.title });
  expect(after.checkRuns[0]?.summary).toContain(`**Carried over** from \`${first.slice(0, 7)}\``);
  expect(after.checkRuns[0]?.annotations).toHaveLength(2);
  expect(after.reviews).toEqual(before.reviews);
  expect(after.reviewComments).toHaveLength(before.reviewComments.length);

  await world.github.updateBranch(SHOP, 1, "ana");
  await moveBase({ "more.md": "# More\n" });
  await world.github.updateBranch(SHOP, 1, "ana");
  await world.settled();
  expect(view().checkRuns[0]?.summary).toContain(`**Carried over** from \`${first.slice(0, 7)}\``);

  await push({ "src/same.ts": CLEAN });
  expect(view().checkRuns[0]?.conclusion).toBe("success");
  expect(view().checkRuns[0]?.summary).not.toContain("Carried over");
}, 300_000);

it("GH-3: a merge in which somebody wrote something is reviewed", async () => {
  await reviewed({ "src/total.ts": CLEAN });
  const base = await moveBase({ "src/total.ts": "export const total = 0;\n" });
  await world.github.commit(SHOP, "topic", {
    files: { "src/total.ts": FAULTY },
    message: "Merge branch 'main' into topic",
    author: "ana",
    merges: base,
  });
  await world.settled();
  expect(view().checkRuns[0]?.conclusion).toBe("failure");
  expect(view().checkRuns[0]?.summary).not.toContain("Carried over");
  expect(view().reviews).toHaveLength(1);
}, 300_000);

it("GH-3: who asks for a review of such a head gets one, and another configuration is another review", async () => {
  await reviewed({ "src/same.ts": FAULTY });
  await moveBase({ "more.md": "# More\n" });
  await world.github.updateBranch(SHOP, 1, "ana");
  await world.settled();
  world.github.rerequestCheckRun(SHOP, view().checkRuns[0]!.id, "ana");
  await world.settled();
  expect(view().checkRuns[0]?.summary).not.toContain("Carried over");

  await moveBase({ ".github/forge.yml": "review:\n  paths:\n    exclude: [src/same.ts]\n" });
  await world.github.updateBranch(SHOP, 1, "ana");
  await world.settled();
  expect(view().checkRuns[0]?.summary).not.toContain("Carried over");
  expect(view().checkRuns[0]?.conclusion).not.toBe("failure");
}, 300_000);
