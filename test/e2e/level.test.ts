import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { readOutcomes } from "../../src/store/runs/level-record.ts";
import { CLEAN, openPull } from "./pulls.ts";
import { talkIn } from "./talk.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
afterEach(async () => {
  await world.expectGoodManners();
  await world.end();
});
const { outcome } = talkIn(() => world);
const DAY_MS = 86_400_000;

/** A pull request of ana that is reviewed and merged. */
async function merged(path: string, method: "squash" | "rebase" | "merge", text = CLEAN, title = "Fix totals") {
  const { number } = await openPull(world, { [path]: text }, { branch: path.replace(".ts", ""), title });
  await world.settled();
  await world.github.mergePullRequest("acme/shop", number, "ana", method);
  await world.settled();
  return number;
}

async function record() {
  const { store } = world.forge!;
  const [row] = await store.read.all<{ id: number }>(sql`select repository_id as id from runs limit 1`);
  const kept = await readOutcomes(store, row!.id);
  return Object.fromEntries(kept.map(({ subject, outcome: { outcome: became } }) => [subject.number, became]));
}

async function say(number: number, line: string, by = "ana") {
  const { id } = world.github.comment("acme/shop", number, { by, body: line });
  const { answers } = await outcome(number, [id]);
  return answers.at(-1) ?? "";
}

describe("SAFE-4: the record of a repository comes from outcomes", () => {
  it("counts against Forge what was reverted or mended, and for it what stood for 30 days", async () => {
    world = await createWorld();
    const { github } = world;
    const text = (name: string) => CLEAN.replace("total", name);
    const mended = await merged("two.ts", "squash", text("two"));
    const reverted = await merged("three.ts", "squash", text("three"));
    expect(await record()).toEqual({ [mended]: "merged", [reverted]: "merged" });

    const files = { "two.ts": text("two").replace("sum + price, 0", "sum + price, 1") };
    await github.commit("acme/shop", "main", { files, message: "Fix the sum of nothing", author: "ben" });
    const message = `Revert "Fix totals (#${reverted})"`;
    await github.commit("acme/shop", "main", { files: { "three.ts": null }, message, author: "ben" });
    const last = await merged("five.ts", "rebase", text("five"));
    expect(await record()).toEqual({ [mended]: "missed", [reverted]: "missed", [last]: "merged" });

    world.clock.advance(31 * DAY_MS);
    await world.settled();
    expect(await record()).toEqual({ [mended]: "missed", [reverted]: "missed", [last]: "right" });
    const answer = await say(last, "/forge level");
    expect(answer).toContain("**Level 1: Forge suggests, people decide.** Nobody set it");
  });
});
