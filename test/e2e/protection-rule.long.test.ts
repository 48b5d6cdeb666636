import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { endEach } from "./end-world.ts";
import { CLEAN, openPull, until } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
const SHOP = "acme/shop";
const PATH = ".github/workflows/deploy.yml";
const WORKFLOW = `on: workflow_dispatch
jobs:
  deploy: { environment: production, strategy: { matrix: { region: [eu, us] } } }
`;

beforeEach(async () => {
  const { default_permissions, default_events } = parse(readFileSync("app.yml", "utf8"));
  const permissions = { ...default_permissions, actions: "write", deployments: "write" };
  const events = [...new Set([...default_events, "deployment_protection_rule"])];
  world = await createWorld({ files: { [PATH]: WORKFLOW }, permissions, events });
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
async function merged(files: Readonly<Record<string, string>>): Promise<void> {
  const { number } = await openPull(world, files, { branch: "change" });
  await world.settled();
  await world.github.mergePullRequest(SHOP, number, "ana");
  await world.settled();
}

describe("Forge as the rule of an environment of others", () => {
  it("lets every job of a run pass by one answer, where the record shows that all was reviewed", async () => {
    await merged({ "src/total.ts": CLEAN });
    world.github.faults.add({ kind: "partlyApplied", times: 1 });
    await deploy();
    await world.settled();
    expect(conclusions()).toEqual(["success", "success"]);
    expect(answers().map(({ state }) => state)).toEqual(["approved", "approved"]);
    expect(answers()[0]?.comment).toContain("all that it brings was reviewed");
  });

  it("waits with one report where nobody reviewed what came by a push, until an administrator starts the jobs", async () => {
    await world.github.commit(SHOP, "main", { files: { "src/total.ts": CLEAN }, message: "Push", author: "ana" });
    await deploy();
    await until(() => answers().length > 0);
    expect(answers()).toMatchObject([{ comment: expect.stringContaining("came by no pull request") }]);
    expect(answers()[0]).not.toHaveProperty("state");
    expect(conclusions()).toEqual(["waiting", "waiting"]);
    world.github.bypassRules(run()?.id ?? 0, "ana");
    await world.settled();
    expect(answers()).toHaveLength(1);
  });

  it("says no where a finding that blocks was merged", async () => {
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
