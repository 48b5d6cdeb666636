import { beforeEach, expect, it } from "vitest";
import { deployBench, FILE, SHOP } from "./deploy-host-kit.ts";

const bench = deployBench();
const simulated = () => bench.github.simulator;
const deployed = (more: object = {}) =>
  simulated()
    .workflows(SHOP)
    .deployed({ sha: covered, environment: "production", path: FILE, by: "ana", ...more });
const success = (id: number, log_url: string, more: object = {}) =>
  simulated().setDeploymentStatus(id, "ben", { state: "success", log_url, ...more });

/** What a reviewed deployment brought, and what was pushed afterwards without a review. */
let covered: string;
let pushed: string;
let known: Awaited<ReturnType<typeof deployed>>;
beforeEach(async () => {
  covered = await simulated().commit(SHOP, "main", { files: { "a.txt": "a\n" }, message: "Reviewed" });
  known = await deployed();
  pushed = await simulated().commit(SHOP, "main", { files: { "a.txt": "b\n" }, message: "Pushed" });
});

it("is the commit of a run that succeeded, of that workflow alone", async () => {
  expect(await bench.lastDeployed()).toBe(covered);
  expect(await bench.lastDeployed({ path: ".github/workflows/other.yml" })).toBeUndefined();
  expect(await bench.lastDeployed({ path: undefined })).toBeUndefined();
  expect(await bench.lastDeployed({ except: known.runId })).toBeUndefined();
});

it.each<readonly [string, () => unknown]>([
  [
    "B2: a deployment and a success by two calls of a person, with a link to a true run",
    async () => success(await simulated().createDeployment(SHOP, "ben", { ref: "main" }), known.page),
  ],
  [
    "a success by a person on a deployment by a workflow whose run failed",
    async () => success((await deployed({ sha: pushed, conclusion: "failure" })).deploymentId, known.page),
  ],
  [
    "a deployment that a person requested, also where the workflow took it up",
    async () => {
      const files = { [FILE]: "on: deployment\njobs: { deploy: {} }\n" };
      await simulated().commit(SHOP, "main", { files, message: "Deploy" });
      simulated()
        .workflows(SHOP)
        .on(FILE, async () => {});
      await simulated().createDeployment(SHOP, "ben", { ref: "main", environment: "production" });
      await simulated().idle();
      expect(simulated().deployments(SHOP).at(-1)?.state).toBe("success");
    },
  ],
  ["a run of another workflow", () => deployed({ sha: pushed, path: ".github/workflows/evil.yml" })],
  ["a run of a pull request", () => deployed({ sha: pushed, event: "pull_request" })],
  ["a run of a pull request with rights", () => deployed({ sha: pushed, event: "pull_request_target" })],
  [
    "a deployment to another environment that a person moved here",
    async () => {
      const { deploymentId, page } = await deployed({ sha: pushed, environment: "staging" });
      success(deploymentId, page, { environment: "production" });
    },
  ],
])("is moved by no %s", async (_what, attack) => {
  await attack();
  expect(await bench.lastDeployed()).toBe(covered);
});

it("is found behind 21 deployments without a status and behind 120 statuses, and not guessed behind 100 deployments (B3)", async () => {
  const { deploymentId } = known;
  for (let i = 0; i < 120; i += 1) simulated().setDeploymentStatus(deploymentId, "ben", { state: "queued" });
  for (let i = 0; i < 21; i += 1) await simulated().createDeployment(SHOP, "ben", { ref: "main" });
  expect(await bench.lastDeployed()).toBe(covered);
  for (let i = 21; i < 100; i += 1) await simulated().createDeployment(SHOP, "ben", { ref: "main" });
  expect(await bench.lastDeployed()).toBeUndefined();
});

it("is only what Forge let deploy, once it did: a pushed workflow that tells the same stops counting", async () => {
  const fake = await deployed({ sha: pushed });
  expect(await bench.lastDeployed()).toBe(pushed);
  expect(await bench.lastDeployed({})).toBe(pushed);
  expect(await bench.lastDeployed({ letThrough: { runs: new Set([known.runId]), since: known.runId } })).toBe(covered);
  expect(
    await bench.lastDeployed({ letThrough: { runs: new Set([fake.runId + 1]), since: known.runId } }),
  ).toBeUndefined();
});
