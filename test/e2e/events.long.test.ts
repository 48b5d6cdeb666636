import { describe, expect, it } from "vitest";
import { shareWorld } from "./end-world.ts";
import { CLEAN, checks, FAULTY, holdReview, letGo, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
shareWorld(createWorld, async (made) => {
  world = made;
  await world.settled();
});

const view = (number: number) => world.github.pullRequest("acme/shop", number);
const conclusions = (number: number) => view(number).allCheckRuns.map(({ conclusion }) => conclusion);

describe("a pull request's life", () => {
  it("GH-2, GH-8d: a draft is left out with a check that says so, and reviewed when it is ready", async () => {
    const { number } = await openPull(world, { "draft.ts": FAULTY }, { branch: "draft", draft: true });
    await world.settled();
    expect(checks(world, number)).toEqual([
      ["skipped", "Left out: draft (say `/forge review` to have it reviewed now)"],
    ]);
    expect(view(number).reviews).toEqual([]);
    await world.github.markReadyForReview("acme/shop", number, "ana");
    await world.settled();
    expect(conclusions(number)).toEqual(["skipped", "failure"]);
    expect(view(number).reviews).toHaveLength(1);
  });

  it("GH-3: a push during a review cancels its check, and only the new head is commented on", async () => {
    const held = holdReview(world);
    const { number, headSha } = await openPull(world, { "old.ts": FAULTY }, { branch: "superseded" });
    await held;
    const files = { "old.ts": null, "new.ts": FAULTY };
    const newSha = await world.github.commit("acme/shop", "superseded", { files, message: "Again", author: "ana" });
    await letGo(world, number);
    const { allCheckRuns, reviews } = view(number);
    expect(allCheckRuns.map((run) => [run.headSha, run.conclusion])).toEqual([
      [headSha, "cancelled"],
      [newSha, "failure"],
    ]);
    expect(allCheckRuns[0]?.title).toBe(`Superseded by \`${newSha.slice(0, 7)}\``);
    expect(reviews.map(({ commitId }) => commitId)).toEqual([newSha]);
    expect(reviews[0]?.comments.map(({ path }) => path)).toEqual(reviews[0]?.comments.map(() => "new.ts"));
  });

  it("GH-3: an opening that is told after the push that followed it starts, stops and repeats nothing", async () => {
    world.github.faults.add({ kind: "drop", match: { event: "pull_request", action: "opened" }, times: 1 });
    const { number, headSha } = await openPull(world, { "late.ts": FAULTY }, { branch: "late" });
    const files = { "late.ts": null, "later.ts": FAULTY };
    const newSha = await world.github.commit("acme/shop", "late", { files, message: "Again", author: "ana" });
    await world.settled();
    expect(headSha).not.toBe(newSha);
    world.github.redeliver(world.github.deliveries.findLast(({ action }) => action === "opened")!.id);
    await world.settled();
    expect(world.github.deliveries.at(-1)).toMatchObject({ action: "opened", status: "OK" });
    expect(view(number).allCheckRuns.map((run) => [run.headSha, run.conclusion])).toEqual([[newSha, "failure"]]);
  });

  it("GH-2: another base is another diff and reviewed anew; another title is not", async () => {
    const { github } = world;
    await github.commit("acme/shop", "stable", { files: { "base.ts": CLEAN }, message: "Stable", author: "ana" });
    const { number } = await openPull(world, { "feature.ts": CLEAN }, { branch: "rebased", base: "stable" });
    await world.settled();
    expect(checks(world, number)).toEqual([["success", "Clean: 1 file, 3 added lines"]]);
    await github.editPullRequest("acme/shop", number, "ana", { title: "A better title" });
    await world.settled();
    expect(conclusions(number)).toEqual(["success"]);
    await github.editBase("acme/shop", number, "ana", "main");
    await world.settled();
    expect(conclusions(number)).toEqual(["success", "success"]);
    expect(checks(world, number)).toEqual([["success", "Clean: 2 files, 6 added lines"]]);
  });

  it("GH-3: closing during a review ends it without a word, and reopening reviews the head", async () => {
    const held = holdReview(world);
    const { number } = await openPull(world, { "closed.ts": FAULTY }, { branch: "closed" });
    await held;
    await world.github.closePullRequest("acme/shop", number, "ana");
    await letGo(world, number);
    expect(checks(world, number)).toEqual([["cancelled", "Stopped: the pull request was closed"]]);
    expect(view(number).reviews).toEqual([]);
    await world.github.reopenPullRequest("acme/shop", number, "ana");
    await world.settled();
    expect(conclusions(number)).toEqual(["cancelled", "failure"]);
    await world.github.closePullRequest("acme/shop", number, "ana");
    await world.github.reopenPullRequest("acme/shop", number, "ana");
    await world.settled();
    expect(conclusions(number)).toEqual(["cancelled", "failure"]);
    expect(view(number).reviews).toHaveLength(1);
  });

  it("GH-7: a merge during the review closes the check", async () => {
    const held = holdReview(world);
    const { number } = await openPull(world, { "merged.ts": CLEAN }, { branch: "merged" });
    await held;
    await world.github.mergePullRequest("acme/shop", number, "ana");
    await letGo(world, number);
    expect(checks(world, number)).toEqual([["cancelled", "Stopped: the pull request was merged"]]);
  });
});

describe("asking again", () => {
  it("GH-5, GH-13: a re-run makes a new check of the same name and posts nothing twice", async () => {
    const { number } = await openPull(world, { "again.ts": FAULTY }, { branch: "again" });
    await world.settled();
    const [first] = view(number).allCheckRuns;
    const { reviewComments } = view(number);
    world.github.rerequestCheckRun("acme/shop", first!.id, "ben");
    await world.settled();
    world.github.rerequestCheckSuite("acme/shop", first!.suiteId, "ben");
    await world.settled();
    const after = view(number);
    expect(after.allCheckRuns.map(({ name, conclusion }) => [name, conclusion])).toEqual([
      ["forge/review", "failure"],
      ["forge/review", "failure"],
      ["forge/review", "failure"],
    ]);
    expect(after.reviews).toHaveLength(1);
    expect(after.reviewComments).toEqual(reviewComments);
    expect(after.checkRuns[0]?.summary).toContain("nothing new, nothing fixed");
  });

  it("GH-5: a re-run works on a fork's head, whose check names no pull request", async () => {
    world.github.createAccount("eve");
    await world.github.fork("acme/shop", "eve");
    const { number } = await openPull(world, { "fork.ts": FAULTY }, { branch: "patch", by: "eve", fork: "eve" });
    await world.settled();
    expect(conclusions(number)).toEqual(["failure"]);
    world.github.rerequestCheckRun("acme/shop", view(number).allCheckRuns[0]!.id, "ben");
    await world.settled();
    expect(conclusions(number)).toEqual(["failure", "failure"]);
    expect(view(number).reviews).toHaveLength(1);
    const pushed = world.github.requests.filter(({ operation }) => operation === "git:push");
    expect(pushed).toEqual([]);
  });

  it("GH-5: a re-run of a draft's skipped check reviews it, because somebody asked", async () => {
    const { number } = await openPull(world, { "asked.ts": CLEAN }, { branch: "asked", draft: true });
    await world.settled();
    world.github.rerequestCheckRun("acme/shop", view(number).allCheckRuns[0]!.id, "ana");
    await world.settled();
    expect(conclusions(number)).toEqual(["skipped", "success"]);
  });
});

describe("what starts nothing", () => {
  it("GH-8b: a push by Forge itself is not reviewed by a run of its own", async () => {
    const { number } = await openPull(world, { "bot.ts": CLEAN }, { branch: "bot" });
    await world.settled();
    await world.github.commit("acme/shop", "bot", {
      files: { "bot.ts": FAULTY },
      message: "By Forge",
      author: "forge[bot]",
    });
    await world.settled();
    expect(conclusions(number)).toEqual(["success"]);
  });

  it("GH-13: each webhook three times in parallel has the effect of one", async () => {
    world.github.faults.add({ kind: "duplicate" });
    const { number } = await openPull(world, { "thrice.ts": FAULTY }, { branch: "thrice" });
    for (const { id } of world.github.deliveries.slice(-2)) world.github.redeliver(id);
    await world.settled();
    for (const { id } of world.github.deliveries.slice(-4)) world.github.redeliver(id);
    await world.settled();
    world.github.faults.clear();
    expect(conclusions(number)).toEqual(["failure"]);
    expect(view(number).reviews).toHaveLength(1);
  });
});
