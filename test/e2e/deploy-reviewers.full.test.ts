import { afterEach, beforeEach, expect, it } from "vitest";
import { until } from "../until.ts";
import { CLEAN, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

const SHOP = "acme/shop";
const WORKFLOW = ".github/workflows/deploy.yml";
const SETTINGS = `deploy:
  production: { workflow: ${WORKFLOW}, steps: [100], bake_minutes: 0, ask_minutes: 0, probe_seconds: 1 }
`;
const ON = "on: deployment\njobs: { deploy: { environment: production } }\n";

let world: World;
beforeEach(async () => {
  world = await createWorld({ files: { ".github/forge.yml": SETTINGS, [WORKFLOW]: ON } });
  world.github.workflows(SHOP).on(WORKFLOW, async () => {});
  world.github.createEnvironment(SHOP, "production", { reviewers: ["ben"] });
});
afterEach(async () => {
  await world.expectGoodManners();
  await world.end();
});

it("DEP-2: a step waits for the reviewers that GitHub asks, for longer than it may take to begin, and says for whom", async () => {
  const { number } = await openPull(world, { "src/total.ts": CLEAN }, { branch: "change" });
  await world.settled();
  await world.github.mergePullRequest(SHOP, number, "ana");
  await world.settled();
  const comments = () => world.github.pullRequest(SHOP, number).comments.filter(({ by }) => by === "forge[bot]");
  const says = (text: string) => comments().some(({ body }) => body.includes(text));
  const say = (body: string) => world.github.comment(SHOP, number, { body, by: "ana" });
  say("/forge deploy production");
  await until(() => says("/forge approve G-1"));
  say("/forge approve G-1 read all of it");
  await until(() => says("it waits for a yes on GitHub by `ben`"));
  expect(says("**No time limit of Forge runs while GitHub waits.**")).toBe(true);
  // Ten minutes is what a step has to begin.
  const asked = () =>
    world.github.requests.filter(({ operation }) => operation === "actions/get-pending-deployments-for-run").length;
  const before = asked();
  world.clock.advance(3 * 60 * 60_000);
  await until(() => asked() > before + 1);
  expect(says("it waits for a yes on GitHub by `ben`")).toBe(true);
  const run = world.github.workflows(SHOP).runs().at(-1);
  world.github.reviewDeployment(run?.id ?? 0, "ben");
  await until(() => says("**Deployed, and not judged**"));
  expect(world.github.deployments(SHOP).map(({ by, state }) => [by, state])).toContainEqual(["forge[bot]", "success"]);
});
