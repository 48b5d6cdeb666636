import { readFileSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";
import { parse } from "yaml";
import { describeInSandbox } from "../needs/sandbox.ts";
import { until } from "../until.ts";
import { endEach } from "./end-world.ts";
import { CLEAN, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
const SHOP = "acme/shop";
const PATH = ".github/workflows/deploy.yml";
const WORKFLOW = `on: workflow_dispatch
jobs:
  deploy: { environment: production, strategy: { matrix: { region: [eu, us] } } }
`;

/** Every head is tested: what nobody tested is let nowhere. */
const PROJECT = {
  ".github/forge.yml": "review:\n  tests: always\n",
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  "price.test.js": 'import { test } from "node:test";\ntest("adds", () => {});\n',
};

beforeEach(async () => {
  const { default_permissions, default_events } = parse(readFileSync("app.yml", "utf8"));
  const permissions = { ...default_permissions, actions: "write", deployments: "write" };
  const events = [...new Set([...default_events, "deployment_protection_rule"])];
  world = await createWorld({ files: { [PATH]: WORKFLOW, ...PROJECT }, permissions, events });
  world.github.createEnvironment(SHOP, "Production");
  world.github.enableProtectionRule(SHOP, "production", "forge");
});
endEach(() => world);

const run = () => world.github.workflows(SHOP).runs().at(-1);
const conclusions = () => run()?.jobs.map(({ status, conclusion }) => conclusion ?? status);
const answers = () =>
  world.github.requests
    .filter(({ operation }) => operation === "actions/review-custom-gates-for-run")
    .map(({ body }) => body as { state?: string; comment: string });
const deploy = () => world.github.dispatch(SHOP, "deploy.yml", "ana");
/** A run of the same workflow has deployed what is there now. */
async function runsThere(): Promise<void> {
  const files = { "NOTES.md": "What runs there.\n" };
  const sha = await world.github.commit(SHOP, "main", { files, message: "Begin", author: "ana" });
  await world.github.workflows(SHOP).deployed({ sha, environment: "Production", path: PATH, by: "ana" });
}
async function merged(files: Readonly<Record<string, string>>): Promise<void> {
  const { number } = await openPull(world, files, { branch: "change" });
  await world.settled();
  await world.github.mergePullRequest(SHOP, number, "ana");
  await world.settled();
}

describeInSandbox("Forge as the rule of an environment of others", () => {
  it("DEP-4: lets every job of a run pass by one answer, where each commit since the last run was reviewed and tested", async () => {
    await runsThere();
    await merged({ "src/total.ts": CLEAN });
    world.github.faults.add({ kind: "partlyApplied", times: 1 });
    await deploy();
    await world.settled();
    expect(answers().map(({ state }) => state)).toEqual(["approved", "approved"]);
    expect(conclusions()).toEqual(["success", "success"]);
    expect(answers()[0]?.comment).toContain("was reviewed and tested on the head that was merged");
  });

  it("DEP-4, B3: waits with one report where it does not know what runs there, until an administrator starts the jobs", async () => {
    await merged({ "src/total.ts": CLEAN });
    await deploy();
    await until(() => answers().length > 0);
    expect(answers()).toMatchObject([{ comment: expect.stringContaining("all of it counts as new") }]);
    expect(answers()[0]).not.toHaveProperty("state");
    expect(conclusions()).toEqual(["waiting", "waiting"]);
    world.github.bypassRules(run()?.id ?? 0, "ana");
    await world.settled();
    expect(answers()).toHaveLength(1);
  });

  it("DEP-4: refuses what came by a push, and leaves it to an administrator where the jobs are run again", async () => {
    await runsThere();
    await world.github.commit(SHOP, "main", { files: { "src/total.ts": CLEAN }, message: "Push", author: "ana" });
    await deploy();
    await world.settled();
    expect(run()?.conclusion).toBe("failure");
    expect(answers()).toMatchObject([
      { state: "rejected", comment: expect.stringContaining("came by no pull request") },
    ]);
    world.github.rerunWorkflow(run()?.id ?? 0, "ana");
    await until(() => answers().length > 1);
    expect(answers()[1]).not.toHaveProperty("state");
    expect(conclusions()).toEqual(["waiting", "waiting"]);
    world.github.bypassRules(run()?.id ?? 0, "ana");
    await world.settled();
    expect(conclusions()).toEqual(["success", "success"]);
  });

  it("DEP-4: says no where a finding that blocks was merged", async () => {
    await runsThere();
    await merged({
      "src/limit.ts": "export function limit(): number {\n  const most = 3;\n  most = 4;\n  return most;\n}\n",
    });
    const match = { operation: "actions/review-custom-gates-for-run" };
    world.github.faults.add({ kind: "lostResponse", times: 1, match });
    await deploy();
    await world.settled();
    expect(run()?.conclusion).toBe("failure");
    expect(answers()).toMatchObject([{ state: "rejected", comment: expect.stringContaining("#1") }]);
  });
});
