import { expect, it } from "vitest";
import { earnLevel } from "./earn-level.ts";
import { endEach } from "./end-world.ts";
import { CLEAN, FAULTY, openPull } from "./pulls.ts";
import { talkIn } from "./talk.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
endEach(() => world);
const { say, view } = talkIn(() => world);

const verdicts = (number: number) =>
  view(number)
    .reviews.filter(({ state }) => state !== "COMMENTED")
    .map(({ state }) => state);

it("SAFE-4, GH-10b: a level is earned and given, lets Forge approve, and is lost at a miss, where that is said", async () => {
  const asks = "review:\n  approve: true\n  request_changes: true\n";
  const tests = 'import { two } from "./two.ts";\nit("two", () => two([]));\n';
  world = await createWorld({ files: { ".github/forge.yml": asks, "shop.test.ts": tests } });
  const { github } = world;
  const first = await openPull(world, { "one.ts": CLEAN }, { branch: "one", title: "Fix one", by: "ben" });
  await world.settled();
  expect(verdicts(first.number)).toEqual([]);
  expect((await say(first.number, "/forge level 2", "ana")).answers[0]).toMatch(
    /^The record does not carry level 2 yet\. .* missing: 50 of 50 good ones; evidence 1\.0 of 20/,
  );

  await earnLevel(world, 60);
  // Neither who may push, nor text that only looks like a command, nor a level that takes a longer record.
  expect((await say(first.number, "/forge level 2", "ben")).reactions).toEqual(["eyes", "confused"]);
  await say(first.number, "Text <!--\n/forge level 2\n-->\n\n> /forge level 2", "ana");
  for (const level of [3, 4]) {
    expect((await say(first.number, `/forge level ${level}`, "ana")).answers[0]).toMatch(
      `The record does not carry level ${level} yet.`,
    );
  }
  expect((await say(first.number, "/forge level", "ben")).answers[0]).toContain(
    "| fixes | 60 reviewed pull requests, 0 failed | nothing |",
  );
  expect((await say(first.number, "/forge level 2", "ana")).answers[0]).toContain(
    "**Level 2, 1 before: Forge also formats its own work and fixes simple lint in it, and approves",
  );

  // A change of low risk without a fault is approved; one that is pushed to it takes that back until it was looked at.
  const { number } = await openPull(
    world,
    { "two.ts": CLEAN.replace("total", "two") },
    { branch: "two", title: "Fix two", by: "ben" },
  );
  await world.settled();
  expect(verdicts(number)).toEqual(["APPROVED"]);
  await github.commit("acme/shop", "two", { files: { "same.ts": FAULTY }, message: "More", author: "ben" });
  await world.settled();
  expect(verdicts(number)).toEqual(["DISMISSED", "CHANGES_REQUESTED"]);
  await github.commit("acme/shop", "two", { files: { "same.ts": null }, message: "Less", author: "ben" });
  await world.settled();
  expect(verdicts(number)).toEqual(["DISMISSED", "DISMISSED", "APPROVED"]);

  await github.mergePullRequest("acme/shop", number, "ana", "squash");
  await world.settled();
  const message = `Revert "Fix two (#${number})"`;
  await github.commit("acme/shop", "main", { files: { "two.ts": null }, message, author: "ana" });
  await github.mergePullRequest("acme/shop", first.number, "ana", "squash");
  await world.settled();
  const said = view(number)
    .comments.filter(({ by }) => by === "forge[bot]")
    .map(({ body }) => body);
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(
    /^\*\*Forge went down from level 2 to level 1 in this repository:\*\* it suggests, people decide\.\n\nWhy: a fault was missed that Forge had approved by itself/,
  );
  const told = (await say(first.number, "/forge level 2", "ana")).answers[0];
  expect(told).toMatch(/^The record does not carry level 2 yet\./);
  // The next one is not approved any more.
  const later = await openPull(
    world,
    { "three.ts": CLEAN.replace("total", "three") },
    { branch: "three", title: "Fix three", by: "ben" },
  );
  await world.settled();
  expect(verdicts(later.number)).toEqual([]);
});
