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
const view = (number: number) => world.github.pullRequest(SHOP, number);
const check = (number: number) => view(number).checkRuns[0];
const conclusions = (number: number) => view(number).allCheckRuns.map(({ conclusion }) => conclusion);

/**
 * Two pull requests for one head: the one into `main` has a fault in its difference, the one into a branch that has the fault already has
 * a clean one.
 */
async function pair(name: string, order: readonly ("faulty" | "clean")[], settleBetween = true) {
  const { github } = world;
  const base = `${name}-base`;
  await github.commit(SHOP, base, { files: { [`${name}.ts`]: FAULTY }, message: "Base", author: "ana" });
  await github.commit(SHOP, name, {
    files: { [`${name}-more.ts`]: CLEAN },
    message: "More",
    author: "ana",
    from: base,
  });
  const numbers: Partial<Record<"faulty" | "clean", number>> = {};
  for (const which of order) {
    const into = which === "clean" ? { base } : {};
    numbers[which] = (await github.openPullRequest(SHOP, { title: which, head: name, by: "ana", ...into })).number;
    if (settleBetween) await world.settled();
  }
  await world.settled();
  return { faulty: numbers.faulty!, clean: numbers.clean! };
}

it.each([
  ["faulty first", ["faulty", "clean"], true],
  ["clean first", ["clean", "faulty"], true],
  ["both at once", ["faulty", "clean"], false],
  ["both at once, the other way round", ["clean", "faulty"], false],
] as const)(
  "GH-8d: of two pull requests with one head every check-run says the worse verdict: %s",
  async (name, order, between) => {
    const { faulty, clean } = await pair(name.replace(/\W+/g, "-"), order, between);
    expect(conclusions(faulty)).toEqual(["failure", "failure"]);
    expect(conclusions(clean)).toEqual(["failure", "failure"]);
    const titles = view(clean).allCheckRuns.map(({ title }) => title ?? "");
    expect(titles.filter((title) => title.startsWith(`#${faulty}, same head: 2 blocking`))).toHaveLength(1);
    expect(
      view(clean)
        .allCheckRuns.map(({ summary }) => summary)
        .join(),
    ).toContain(`**Shared with #${faulty}**`);
  },
  300_000,
);

it("GH-8d: when the worse one is closed the other's verdict stands, and it counts again when it is reopened", async () => {
  const { faulty, clean } = await pair("closing", ["clean", "faulty"]);
  await world.github.closePullRequest(SHOP, faulty, "ana");
  await world.settled();
  expect(conclusions(clean)).toEqual(["success", "success"]);
  await world.github.reopenPullRequest(SHOP, faulty, "ana");
  await world.settled();
  expect(conclusions(clean)).toEqual(["failure", "failure"]);
}, 300_000);

it("GH-8d: when the worse one's findings are dismissed or overridden, both checks say so", async () => {
  const { faulty, clean } = await pair("passing", ["faulty", "clean"]);
  await say(faulty, "/forge override forge/review it is a drill", "ana");
  await world.settled();
  expect(conclusions(clean)).toEqual(["success", "success"]);
}, 300_000);

it("GH-8d: closing the worse one in the middle of its review leaves no cancelled check on the other's head", async () => {
  const { github } = world;
  const { number, headSha } = await openPull(world, { "middle.ts": CLEAN }, { branch: "middle" });
  await world.settled();
  await github.commit(SHOP, "elsewhere", { files: { "else.md": "# Else\n" }, message: "Else", author: "ana" });
  const held = holdReview(world);
  // Another base has to be fetched, which is what hangs.
  const other = await github.openPullRequest(SHOP, { title: "Other", head: "middle", base: "elsewhere", by: "ana" });
  await held;
  await github.closePullRequest(SHOP, other.number, "ana");
  await world.settled();
  expect(check(number)).toMatchObject({ headSha, conclusion: "success" });
}, 300_000);
