import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { numberOf } from "../../src/domain/subjects.ts";
import { readOutcomes } from "../../src/store/runs/level-record.ts";
import { earnLevel } from "./earn-level.ts";
import { endEach } from "./end-world.ts";
import { CLEAN, type Opening, openPull } from "./pulls.ts";
import { talkIn } from "./talk.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
endEach(() => world);
const { say, view } = talkIn(() => world);
const DAY_MS = 86_400_000;

/** A pull request of ana that is reviewed and merged. */
async function merged(path: string, method: "squash" | "rebase" | "merge", text = CLEAN, more: Partial<Opening> = {}) {
  const opening = { branch: path.replace(".ts", ""), title: "Fix totals", ...more };
  const { number } = await openPull(world, { [path]: text }, opening);
  await world.settled();
  await world.github.mergePullRequest("acme/shop", number, "ana", method);
  await world.settled();
  return number;
}

async function record() {
  const { store } = world.forge!;
  const [row] = await store.read.all<{ id: number }>(sql`select repository_id as id from runs limit 1`);
  const kept = await readOutcomes(store, row!.id);
  tasks = Object.fromEntries(kept.map(({ subject, outcome: { task } }) => [numberOf(subject), task]));
  return Object.fromEntries(kept.map(({ subject, outcome: { outcome: became } }) => [numberOf(subject), became]));
}
let tasks: Record<number, string> = {};

const SELF_COMPARED = "export const same = (a: number): boolean => a === a;\n";
const idIn = (number: number) => /F-[0-9A-Z]{4,8}/.exec(view(number).reviewComments[0]!.body)![0];

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
    // What is accepted is no mistake of Forge's, and no success either. Labels say more than a title, also those of the issue.
    const issue = github.openIssue("acme/shop", { title: "Totals", labels: ["enhancement"], by: "ben" });
    const accepted = await openPull(world, { "six.ts": SELF_COMPARED }, { branch: "six", title: "Fix six" });
    await world.settled();
    await say(accepted.number, `/forge dismiss ${idIn(accepted.number)} accepted: known to everybody`);
    await github.mergePullRequest("acme/shop", accepted.number, "ana", "squash");
    await world.settled();
    const last = await merged("five.ts", "rebase", text("five"), { body: `Closes #${issue.number}` });
    expect(await record()).toEqual({ [mended]: "missed", [reverted]: "missed", [last]: "merged" });
    expect(tasks).toMatchObject({ [mended]: "fix", [last]: "feature" });

    world.clock.advance(31 * DAY_MS);
    await world.settled();
    expect(await record()).toEqual({ [mended]: "missed", [reverted]: "missed", [last]: "right" });
    const { answers } = await say(last, "/forge level");
    expect(answers[0]).toContain("**Level 1: Forge suggests, people decide.** Nobody set it");
  });
});

describe("SAFE-4: at level 3 Forge merges by itself", () => {
  const settings = "review:\n  approve: true\nsafety:\n  merge: approved\n";
  const HOUR_MS = 3_600_000;
  const merging = (number: number) => {
    const own = view(number).comments.filter(({ by }) => by === "forge[bot]");
    const bodies = own
      .map(({ body }) => body)
      .filter((body) => /^\*\*(?:Forge merge|Forge does not|Held|Not held)/.test(body));
    expect(bodies.length).toBeLessThanOrEqual(1);
    return bodies[0]?.split("\n")[0];
  };
  const later = async (hours: number) => {
    world.clock.advance(hours * HOUR_MS + 60_000);
    await world.settled();
  };
  const text = (name: string) => CLEAN.replace("total", name);
  const opened = async (name: string, more: Partial<Opening> = {}, files = { [`${name}.ts`]: text(name) }) => {
    const pull = await openPull(world, files, { branch: name, title: `Fix ${name}`, by: "ben", ...more });
    await world.settled();
    return pull.number;
  };
  const isMerged = (number: number) => view(number).merged;
  const names = ["below", "one", "outside", "held", "red", "objected", "more"];
  const TESTS = names
    .map((name) => `import { ${name} } from "./${name}.ts";\nit("${name}", () => ${name}([]));\n`)
    .join("");

  it("low risk, two hours after it said so, as the protection allows it, and never where somebody objects", async () => {
    world = await createWorld({ files: { ".github/forge.yml": settings, "shop.test.ts": TESTS } });
    const { github } = world;
    github.protectBranch("acme/shop", "main", { requiredChecks: ["forge/review"], approvals: 1 });
    const below = await opened("below");
    await earnLevel(world, 250);
    await say(below, "/forge level 3", "ana");
    expect(merging(below)).toBeUndefined();

    const one = await opened("one");
    expect(merging(one)).toMatch(
      /^\*\*Forge merges this pull request at .* UTC unless someone comments `\/forge hold`\.\*\*$/,
    );
    // A pull request that says what runs, one of somebody who may not push, and one that only begins like a level.
    const governing = await opened("governing", {}, { ".github/CODEOWNERS": "* @ben\n" } as never);
    github.createAccount("eve");
    await github.fork("acme/shop", "eve");
    const outside = await opened("outside", { by: "eve", fork: "eve" });
    const [held, red, objected] = [await opened("held"), await opened("red"), await opened("objected")];
    expect((await say(held, "/forge hold", "eve")).reactions).toEqual(["eyes", "confused"]);
    await say(held, "/forgе hold\n/forge h\u043eld", "ben");
    expect(merging(held)).toMatch(/^\*\*Forge merges/);
    expect((await say(held, "/forge hold", "ben")).reactions).toEqual(["eyes", "rocket"]);
    await github.setStatus("acme/shop", { sha: view(red).headSha, state: "failure", by: "ana" });
    await github.submitReview("acme/shop", objected, { by: "ana", event: "REQUEST_CHANGES", body: "No" });
    // Forge dies, and time goes on.
    await world.stop();
    world.clock.advance(2 * HOUR_MS + 60_000);
    await world.start();
    await world.settled();

    expect(isMerged(one)).toBe(true);
    expect(merging(one)).toMatch(/^\*\*Forge merged this pull request by itself\*\*, at `.{7}`: low risk, level 3\.$/);
    expect([governing, outside, held, red, objected].map(isMerged)).toEqual([false, false, false, false, false]);
    expect(merging(outside)).toBeUndefined();
    expect(merging(governing)).toBe(
      "**Forge does not merge this pull request by itself:** `.github/CODEOWNERS` has to be looked at by a person.",
    );
    expect(merging(held)).toBe("**Held by `ben`: Forge does not merge this pull request by itself.**");
    expect(merging(red)).toBe("**Forge does not merge this pull request by itself:** a check on its head fails.");
    expect(merging(objected)).toBe("**Forge does not merge this pull request by itself:** `ana` requested changes.");

    // Not held any more, it has two hours again; a push begins anew as well.
    await say(held, "/forge unhold", "ben");
    await later(1);
    expect(isMerged(held)).toBe(false);
    await github.commit("acme/shop", "held", { files: { "more.ts": text("more") }, message: "More", author: "ben" });
    await world.settled();
    await later(1.5);
    expect(isMerged(held)).toBe(false);
    // A branch that asks for nothing is not merged into, whatever its level, and it says so.
    github.protectBranch("acme/shop", "main", {});
    await later(1);
    expect(isMerged(held)).toBe(false);
    expect(merging(held)).toContain("its base branch requires no check and no review");

    // What Forge merged and somebody had to take back takes the level down at once.
    await github.commit("acme/shop", "main", {
      ...{ files: { "one.ts": null }, message: `Revert "Fix one (#${one})"`, author: "ana" },
    });
    await github.mergePullRequest("acme/shop", below, "ana", "squash");
    await world.settled();
    expect((await say(below, "/forge level", "ana")).answers[0]).toMatch(
      /\*\*Level 2: .*a fault was missed that Forge had merged by itself.*level 3: merged 1 pull request/s,
    );
  });
});
