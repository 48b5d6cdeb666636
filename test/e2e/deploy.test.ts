import { afterEach, beforeEach, expect, it } from "vitest";
import { until } from "../until.ts";
import { CLEAN, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

const SHOP = "acme/shop";
const WORKFLOW = ".github/workflows/deploy.yml";
const SETTINGS = `deploy:
  after_merge: production
  production:
    way: deployment
    workflow: ${WORKFLOW}
    steps: [50, 100]
    bake_minutes: 0
    ask_minutes: 0.02
    probe_seconds: 1
    watch_minutes: 0.02
`;

let world: World;
beforeEach(async () => {
  const files = {
    ".github/forge.yml": SETTINGS,
    [WORKFLOW]: "on: deployment\njobs:\n  deploy: { runs-on: ubuntu-latest }\n",
  };
  world = await createWorld({ files });
  // A workflow with a script reports on its deployment.
  world.github.workflows(SHOP).on(WORKFLOW, async () => {});
});
afterEach(async () => {
  await world.expectGoodManners();
  await world.end();
});

it("DEP-1, GH-7: a merge waits at its gate and goes out in steps; where nothing is measured a person decides, and no check calls it healthy", async () => {
  const { number } = await openPull(world, { "src/total.ts": CLEAN }, { branch: "change" });
  await world.settled();
  const sha = await world.github.mergePullRequest(SHOP, number, "ana");
  await world.settled();
  const comments = () => world.github.pullRequest(SHOP, number).comments.filter(({ by }) => by === "forge[bot]");
  const says = (text: string) => comments().some(({ body }) => body.includes(text));
  const check = () => world.github.checkRunsOn(SHOP, sha).find(({ name }) => name === "forge/deploy");
  const say = (body: string) => world.github.comment(SHOP, number, { body, by: "ana" });
  expect(says("**May `")).toBe(true);
  expect(check()).toMatchObject({ conclusion: null, title: expect.stringContaining("(G-1)") });
  expect(world.github.deployments(SHOP)).toEqual([]);

  // Of a first version nothing is known, so a yes to it needs a reason.
  await say("/forge approve");
  await until(() => says("needs a reason"));
  await say("/forge approve G-1 it is the first version");
  await until(() => says("**The health of this step is unknown"));
  expect(world.github.deployments(SHOP).map((deployment) => [deployment.sha, deployment.task])).toEqual([
    [sha, "deploy"],
  ]);

  await say("/forge promote production looked at it");
  await until(() => says("**Deployed, and not judged**"));
  await world.settled();
  expect(world.github.deployments(SHOP)).toHaveLength(2);
  expect(check()).toMatchObject({ conclusion: "neutral" });

  await say("/forge rollback production odd prices");
  await until(() => says("There is no version to go back to in production"));
  expect(world.github.deployments(SHOP)).toHaveLength(2);
});
