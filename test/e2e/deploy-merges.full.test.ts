import { expect, it } from "vitest";
import { describeInSandbox } from "../needs/sandbox.ts";
import { until } from "../until.ts";
import { earnLevel } from "./earn-level.ts";
import { endEach } from "./end-world.ts";
import { CLEAN, holdReview, openPull } from "./pulls.ts";
import { talkIn } from "./talk.ts";
import { createWorld, type World } from "./world.ts";

const SHOP = "acme/shop";
const WORKFLOW = ".github/workflows/deploy.yml";
const ON = "on: deployment\njobs:\n  deploy: { runs-on: ubuntu-latest }\n";
const settings = (more = "") => `review:
  tests: ${more === "" ? "always" : "never"}
deploy:
  after_merge: staging
  staging:
    workflow: ${WORKFLOW}
    steps: [100]
    bake_minutes: 0
    ask_minutes: 0
    probe_seconds: 1
    watch_minutes: 0
${more}`;
const TWO_HOURS_MS = 2 * 60 * 60_000;

let world: World;
endEach(() => world);
const { say } = talkIn(() => world);

/** A repository at level 3 whose workflow has deployed to staging what is there. */
async function begin(files: Readonly<Record<string, string>>): Promise<void> {
  world = await createWorld({ files: { [WORKFLOW]: ON, ...files } });
  world.github.workflows(SHOP).on(WORKFLOW, async () => {});
  const notes = { files: { "NOTES.md": "What runs there.\n" }, message: "Begin", author: "ana" };
  const sha = await world.github.commit(SHOP, "main", notes);
  await world.github.workflows(SHOP).deployed({ sha, environment: "staging", path: WORKFLOW, by: "ana" });
  const { number } = await opened("first");
  await earnLevel(world, 250);
  await say(number, "/forge level 3", "ana");
}
/** One that is reviewed. */
async function opened(name: string) {
  const pull = await openPull(world, { [`src/${name}.ts`]: CLEAN }, { branch: name, title: `Fix ${name}` });
  await world.settled();
  return pull;
}
const comments = (number: number) => {
  const all = world.github.pullRequest(SHOP, number).comments;
  return all.filter(({ by }) => by === "forge[bot]").map(({ body }) => body);
};
const says = (number: number, text: string) => comments(number).some((body) => body.includes(text));
const heard = (number: number, text: string) => until(() => says(number, text));
const merge = (number: number, method?: "squash" | "rebase") =>
  world.github.mergePullRequest(SHOP, number, "ana", method);
/** What Forge had deployed, oldest first. */
const deployed = () => {
  const all = world.github.deployments(SHOP).filter(({ by }) => by === "forge[bot]");
  return all.map(({ sha }) => sha);
};
const short = (sha: string) => sha.slice(0, 7);
const announced = (sha: string) => `**Forge deploys \`${short(sha)}\` to staging at `;
async function letTwoHoursPass(number: number, sha: string): Promise<void> {
  await heard(number, announced(sha));
  await world.settled();
  world.clock.advance(TWO_HOURS_MS + 1_000);
}

it("SAFE-4, DEP-4: at level 3 merges go to staging by themselves, one after the other, and what no review finished waits for a person", async () => {
  await begin({ ".github/forge.yml": settings("    requires: [review]\n") });
  const [squashed, rebased] = [await opened("squashed"), await opened("rebased")];

  // Two merges within moments, by squash and by rebase: each is covered, none is lost or deployed twice, and the last one wins.
  const shas = [await merge(squashed.number, "squash"), await merge(rebased.number, "rebase")] as const;
  await letTwoHoursPass(squashed.number, shas[0]);
  await heard(squashed.number, `\`${short(shas[0])}\` runs in staging`);
  await letTwoHoursPass(rebased.number, shas[1]);
  await heard(rebased.number, `\`${short(shas[1])}\` runs in staging`);
  await world.settled();
  expect(deployed()).toEqual(shas);
  for (const { number } of [squashed, rebased]) {
    expect(says(number, "Not covered")).toBe(false);
    expect(says(number, "This environment requires only reviews, no tests")).toBe(true);
  }

  // A person with push permission objects in time.
  const objected = await opened("objected");
  const held = await merge(objected.number);
  await heard(objected.number, announced(held));
  world.github.comment(SHOP, objected.number, { body: "/forge hold staging a sale runs", by: "ben" });
  await heard(objected.number, "was held. ben objected: a sale runs.");
  await world.settled();
  world.clock.advance(TWO_HOURS_MS);
  await world.settled();
  expect(deployed()).toEqual(shas);

  // A merge ends the review, so nobody looked at all of it: no two hours make up for that.
  const held2 = holdReview(world);
  const early = await openPull(world, { "src/early.ts": CLEAN }, { branch: "early", title: "Fix early" });
  await held2;
  const unseen = await merge(early.number);
  world.github.faults.clear();
  await heard(early.number, `**May \`${short(unseen)}\` be deployed to staging?**`);
  expect(says(early.number, "its review was cancelled before it ended, as happens when a merge comes first.")).toBe(
    true,
  );
  await world.settled();
  expect(deployed()).toEqual(shas);
});

const PROJECT = {
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  "price.test.js": 'import { test } from "node:test";\ntest("adds", () => {});\n',
};

describeInSandbox("at level 3", () => {
  it("SAFE-4, DEP-4: what was reviewed and tested goes to staging two hours after it was announced", async () => {
    await begin({ ".github/forge.yml": settings(), ...PROJECT });
    const { number } = await opened("tested");
    const sha = await merge(number);
    await heard(number, announced(sha));
    expect(says(number, "It was built and its tests pass")).toBe(true);
    await world.settled();
    expect(deployed()).toEqual([]);
    world.clock.advance(TWO_HOURS_MS + 1_000);
    await heard(number, `\`${short(sha)}\` runs in staging`);
    expect(deployed()).toEqual([sha]);
  });
});
