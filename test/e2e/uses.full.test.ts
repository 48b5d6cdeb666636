import { afterEach, describe, expect, it } from "vitest";
import { type AppUse, NEEDED } from "../../src/github/permissions.ts";
import { listDeadJobs } from "../store/list-dead-jobs.ts";
import { CLEAN, openPull } from "./pulls.ts";
import { talkIn } from "./talk.ts";
import { createWorld, failedEffects, type World } from "./world.ts";

let world: World;
afterEach(() => world.end());

const SHOP = "acme/shop";
/** A finding with a suggested fix. */
const FIXABLE = "export function start(): number {\n  debugger;\n  return 1;\n}\n";
const WORKFLOW = ".github/workflows/deploy.yml";
const DEPLOYS = {
  ".github/forge.yml": `deploy:
  after_merge: production
  production:
    way: deployment
    workflow: ${WORKFLOW}
    steps: [100]
    bake_minutes: 0
    ask_minutes: 0
    probe_seconds: 1
`,
  [WORKFLOW]: "on: deployment\njobs:\n  deploy: { runs-on: ubuntu-latest }\n",
};

const { say, view } = talkIn(() => world);
const begin = async (use: AppUse, files = {}) => {
  world = await createWorld({ ...NEEDED[use], files });
};
/** A pull request with that finding, reviewed. */
const reviewed = async () => {
  const { number } = await openPull(world, { "src/start.ts": FIXABLE }, { branch: "topic" });
  await world.settled();
  expect(view(number).reviewComments).toHaveLength(1);
  return number;
};
const failedKinds = async () => (await failedEffects(world.forge!)).map(({ kind }) => kind);
/** Nothing was given up, and GitHub was asked for nothing wrong. */
const isQuiet = async () => [await listDeadJobs(world.forge!.store), world.github.referee.findings];

describe("GH-16, OPS-5: an App for reviews only", () => {
  it("reviews, says in a thread and in the answer what it may not do, and goes on", async () => {
    await begin("review");
    const number = await reviewed();
    const { reactions, answers } = await say(number, "/forge fix");
    expect(reactions).toEqual(["eyes", "confused"]);
    expect(answers).toEqual([
      "Nothing was committed. The App may not write here. Give it the permission `contents: write`.",
    ]);
    await world.github.commit(SHOP, "topic", { files: { "src/start.ts": CLEAN }, message: "Fix", author: "ana" });
    await world.settled();
    const [finding, told] = view(number).reviewComments;
    expect([finding?.threadResolved, told?.body]).toEqual([
      false,
      expect.stringMatching(/^Fixed in `\w+`\. Resolve this thread\./),
    ]);
    expect(view(number).checkRuns.map(({ conclusion }) => conclusion)).toEqual(["success"]);
    await world.github.mergePullRequest(SHOP, number, "ana");
    await world.settled();
    expect(await failedKinds()).toEqual(["branch.push"]);
    expect(await isQuiet()).toEqual([[], []]);
  });

  it("begins no work on an issue, where it could neither push nor say anything", async () => {
    await begin("review");
    const { number } = world.github.openIssue(SHOP, { title: "Add a total", by: "ana" });
    world.github.comment(SHOP, number, { body: "/forge implement", by: "ana" });
    await world.settled();
    expect(new Set(await failedKinds())).toEqual(new Set(["issue.status"]));
    const [error] = (await failedEffects(world.forge!)).map((failed) => failed.error);
    expect(error).toContain("GitHub does not let Forge do this");
    expect(await isQuiet()).toEqual([[], []]);
  });
});

describe("GH-16, OPS-5: an App that reviews and implements", () => {
  it("commits fixes and resolves threads, and says once at a merge that it may not deploy", async () => {
    await begin("implement", DEPLOYS);
    const number = await reviewed();
    expect((await say(number, "/forge fix")).answers).toEqual([expect.stringMatching(/^\*\*Applied\*\* in /)]);
    expect(view(number).reviewComments[0]?.threadResolved).toBe(true);
    await world.github.mergePullRequest(SHOP, number, "ana");
    await world.settled();
    const told = view(number).comments.filter(({ body }) => body.includes("Not deployed"));
    expect(told.map(({ body }) => body)).toEqual([
      expect.stringMatching(
        /^\*\*Not deployed to production\*\*: `\w+` was refused\. The App lacks a permission that deploying needs here/,
      ),
    ]);
    expect(await failedKinds()).toEqual([]);
    expect(await isQuiet()).toEqual([[], []]);
  });

  it("says on the issue which permission is missing, before a model is asked", async () => {
    const permissions = { ...NEEDED.implement.permissions, contents: "read" };
    world = await createWorld({ permissions, events: NEEDED.implement.events });
    const { number } = world.github.openIssue(SHOP, { title: "Add a total", by: "ana" });
    await world.github.addLabel(SHOP, number, "forge:implement", "ana");
    await world.settled();
    const [status] = world.github.issue(SHOP, number).comments;
    expect(status?.body).toMatch(
      /^\*\*Stopped: The App may not work on issues here: it lacks `contents: write`\. Add that /,
    );
    expect(await failedKinds()).toEqual([]);
    expect(await isQuiet()).toEqual([[], []]);
  });
});
