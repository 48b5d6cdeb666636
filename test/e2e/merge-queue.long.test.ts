import { expect, it } from "vitest";
import { shareWorld } from "./end-world.ts";
import { CLEAN, FAULTY, holdReview, openPull } from "./pulls.ts";
import { talkIn } from "./talk.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
shareWorld(createWorld, async (made) => {
  world = made;
  await world.settled();
});

const SHOP = "acme/shop";
const { say } = talkIn(() => world);

/** What stands on the head of a group when everything has come to rest. */
async function queue(numbers: readonly number[]) {
  const group = await world.github.createMergeGroup(SHOP, numbers);
  await world.settled();
  const runs = world.github.checkRunsOn(SHOP, group.headSha);
  return { group, runs, check: runs.at(-1) };
}

async function opened(branch: string, files: Record<string, string>) {
  const { number } = await openPull(world, files, { branch });
  await world.settled();
  return { number, headSha: world.github.pullRequest(SHOP, number).headSha };
}

/** The base moves, so that no group has the files of a pull request's head. */
const moveBase = (name: string) =>
  world.github.commit(SHOP, "main", { files: { [name]: "# Moved\n" }, message: "Move", author: "ana" });

it("GH-8d: a group with the files of a reviewed head gets that verdict at once, and says whose it is", async () => {
  const { number, headSha } = await opened("same", { "src/same.ts": CLEAN });
  const { runs, check } = await queue([number]);
  expect(runs).toHaveLength(1);
  expect(check).toMatchObject({ name: "forge/review", conclusion: "success", title: "Clean: 1 file, 3 added lines" });
  expect(check?.summary).toContain(`**Carried over** from #${number} at \`${headSha.slice(0, 7)}\``);
});

it("GH-8d: the verdict that is carried over is the one that stands: what was dismissed or overridden since is so in the queue", async () => {
  const { number } = await opened("overridden", { "src/overridden.ts": FAULTY });
  expect((await queue([number])).check).toMatchObject({
    conclusion: "failure",
    title: "2 blocking errors: assignment to constant, self-comparison",
  });
  await say(number, "/forge override forge/review it is a drill", "ana");
  const { check } = await queue([number]);
  expect(check).toMatchObject({ conclusion: "success", title: expect.stringContaining("Overridden by `ana`") });
});

it("GH-8d: where the base moved on, the group is looked at, and the worst of its pull requests counts", async () => {
  const clean = await opened("clean", { "src/clean.ts": CLEAN });
  const faulty = await opened("faulty", { "src/faulty.ts": FAULTY });
  await moveBase("moved.md");
  const good = await queue([clean.number]);
  expect(good.check).toMatchObject({ conclusion: "success", title: "Clean: 1 file, 3 added lines" });
  expect(good.check?.summary).not.toContain("Carried over");
  const bad = await queue([faulty.number, clean.number]);
  expect(bad.check?.title).toBe(`#${faulty.number} is queued with 2 blocking findings`);
  expect(bad.check?.conclusion).toBe("failure");
  expect(bad.check?.summary).toContain(`#${clean.number} at \`${clean.headSha.slice(0, 7)}\` (clean)`);
});

it("GH-8d: what a maintainer overrode holds nothing up in a group that is looked at", async () => {
  const { number } = await opened("passed", { "src/passed.ts": FAULTY });
  await say(number, "/forge override forge/review it is a drill", "ana");
  await moveBase("again.md");
  expect((await queue([number])).check).toMatchObject({ conclusion: "success" });
});

it("GH-8d: what only comes of two changes together is found on the group", async () => {
  await world.github.commit(SHOP, "main", {
    files: { "src/limit.ts": "export let limit = 3;\n\n\n\n\n\n\nexport function up() {\n  return limit;\n}\n" },
    message: "Limit",
    author: "ana",
  });
  const one = await opened("const", {
    "src/limit.ts": "export const limit = 3;\n\n\n\n\n\n\nexport function up() {\n  return limit;\n}\n",
  });
  const other = await opened("assign", {
    "src/limit.ts": "export let limit = 3;\n\n\n\n\n\n\nexport function up() {\n  limit = 4;\n  return limit;\n}\n",
  });
  const { check } = await queue([one.number, other.number]);
  expect(check?.conclusion).toBe("failure");
  expect(check?.annotations).toMatchObject([{ path: "src/limit.ts", start_line: 9 }]);
  for (const { number } of [one, other]) expect(world.github.pullRequest(SHOP, number).reviews).toEqual([]);
});

it("GH-8d: a pull request that people keep Forge away from is kept so in the queue, with a check", async () => {
  const { number } = await openPull(world, { "src/draft.ts": FAULTY }, { branch: "left-out", draft: true });
  await world.settled();
  const { check } = await queue([number]);
  expect(check).toMatchObject({ conclusion: "skipped", title: `Left out: #${number} was left out` });
});

it("GH-8d: a group that was never reviewed before is looked at whole, and redelivered it is answered once", async () => {
  await world.stop();
  const { number } = await openPull(world, { "src/unseen.ts": FAULTY }, { branch: "unseen" });
  await world.github.closePullRequest(SHOP, number, "ana");
  await world.github.idle();
  await world.start();
  const { check, group } = await queue([number]);
  expect(check).toMatchObject({
    conclusion: "failure",
    title: "2 blocking errors: assignment to constant, self-comparison",
  });
  const sent = world.github.deliveries.findLast(({ event }) => event === "merge_group");
  world.github.redeliver(sent!.id);
  await world.settled();
  expect(world.github.checkRunsOn(SHOP, group.headSha)).toHaveLength(1);
});

it("GH-5, GH-8d: whoever asks again for a group's check gets another look, by the menu and by the button", async () => {
  const { number } = await opened("again", { "src/again.ts": FAULTY });
  const { group, check } = await queue([number]);
  world.github.rerequestCheckRun(SHOP, check!.id, "ana");
  await world.settled();
  const runs = () => world.github.checkRunsOn(SHOP, group.headSha).map(({ conclusion }) => conclusion);
  expect(runs()).toEqual(["failure", "failure"]);
  world.github.pressCheckRunButton(SHOP, check!.id, "review-full", "ana");
  await world.settled();
  expect(runs()).toEqual(["failure", "failure", "failure"]);
});

it("GH-8d: a group that the queue gives up is not looked at to the end, and the next one of that name is", async () => {
  const { number } = await opened("given-up", { "src/given-up.ts": CLEAN });
  await moveBase("given-up.md");
  const held = holdReview(world);
  const first = await world.github.createMergeGroup(SHOP, [number]);
  await held;
  await world.github.destroyMergeGroup(SHOP, first, "invalidated");
  await moveBase("given-up-again.md");
  const { check } = await queue([number]);
  expect(check?.conclusion).toBe("success");
  expect(world.github.checkRunsOn(SHOP, first.headSha).map(({ conclusion }) => conclusion)).toEqual(["cancelled"]);
});
