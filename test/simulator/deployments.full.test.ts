import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aGitHub, as, type GitHub, stopWithoutFindings } from "./a-github.ts";

let github: GitHub;
let token: string;
let main: string;
let clock: number;
const SHOP = "acme/shop";
const DEPLOYMENTS = "/repos/acme/shop/deployments";
const PERMISSIONS = { contents: "write", deployments: "write", metadata: "read", statuses: "write" };
const STAGING = { ref: "main", environment: "staging", auto_merge: false, required_contexts: [] };

beforeEach(async () => {
  clock = Date.parse("2026-01-05T10:00:00Z");
  const events = ["deployment", "deployment_status"];
  github = await aGitHub({ permissions: PERMISSIONS, events, clock: () => clock });
  token = await github.installationToken();
  main = as<{ object: { sha: string } }>(await call("GET", "/repos/acme/shop/git/ref/heads/main")).object.sha;
});
afterEach(() => stopWithoutFindings(github));

const call = (method: string, path: string, body?: unknown) => github.call(method, path, token, body);
async function deploy(wanted: object = {}): Promise<number> {
  const made = await call("POST", DEPLOYMENTS, { ...STAGING, ...wanted });
  expect(made.status).toBe(201);
  return as<{ id: number }>(made).id;
}
const say = (id: number, state: string, more: object = {}) =>
  call("POST", `${DEPLOYMENTS}/${id}/statuses`, { state, ...more });
const statesOf = async (id: number) =>
  as<{ state: string }[]>(await call("GET", `${DEPLOYMENTS}/${id}/statuses`)).map(({ state }) => state);

describe("a deployment", () => {
  it("keeps what it was made with, is told of, and is found again by sha, environment and task", async () => {
    const payload = { forge: { run: "r1", step: 0, percentage: 5 } };
    const id = await deploy({ payload, task: "canary", description: "5 %" });
    await deploy({ environment: "production" });
    await github.simulator.idle();
    expect(github.events()).toEqual(["deployment.created", "deployment.created"]);
    expect(github.received[0]?.payload).toMatchObject({
      deployment: { id, sha: main, ref: "main", payload, creator: { login: "forge[bot]" } },
      workflow_run: null,
      sender: { login: "forge[bot]" },
    });
    const found = await call("GET", `${DEPLOYMENTS}?sha=${main}&environment=staging&task=canary`);
    expect(as(found)).toMatchObject([{ id, payload, production_environment: false, description: "5 %" }]);
    expect(as(await call("GET", `${DEPLOYMENTS}?task=rollback`))).toEqual([]);
    expect(as(await call("GET", `${DEPLOYMENTS}?environment=production`))).toMatchObject([
      { production_environment: true, payload: "" },
    ]);
  });

  it("is not made where a context of its commit did not succeed, unless none is asked for", async () => {
    await github.simulator.setStatus(SHOP, { sha: main, state: "pending", context: "ci", by: "ben" });
    const refused = await call("POST", DEPLOYMENTS, { ...STAGING, ref: main, required_contexts: undefined });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        message: `Conflict: Commit status checks failed for ${main}.`,
        errors: [{ resource: "Deployment", field: "required_contexts", code: "invalid" }],
      },
    });
    expect((await call("POST", DEPLOYMENTS, { ...STAGING, required_contexts: ["never sent"] })).status).toBe(409);
    await deploy();
  });

  it("merges the default branch into a ref that is behind instead, if nobody forbids it, and conflicts on a commit", async () => {
    await github.simulator.commit(SHOP, "feature", { files: { a: "1" }, message: "a" });
    await github.simulator.commit(SHOP, "main", { files: { b: "2" }, message: "b" });
    const wanted = { environment: "staging", required_contexts: [] };
    const merged = await call("POST", DEPLOYMENTS, { ...wanted, ref: "feature" });
    expect(merged).toMatchObject({ status: 202, body: { message: "Auto-merged main into feature on deployment." } });
    expect(as(await call("GET", DEPLOYMENTS))).toEqual([]);
    expect(await call("POST", DEPLOYMENTS, { ...wanted, ref: main })).toMatchObject({
      status: 409,
      body: { message: `Conflict merging main into ${main}.` },
    });
    await deploy({ ref: main });
    expect((await call("POST", DEPLOYMENTS, { ...STAGING, ref: "nowhere" })).status).toBe(422);
  });

  it("is refused to an App that was not given the permission", async () => {
    token = await github.installationToken({ permissions: { contents: "write", deployments: "read" } });
    expect((await call("POST", DEPLOYMENTS, STAGING)).status).toBe(403);
    expect((await call("GET", DEPLOYMENTS)).status).toBe(200);
  });

  it("goes only when it is not active, or alone", async () => {
    const id = await deploy();
    const other = await deploy();
    expect((await call("DELETE", `${DEPLOYMENTS}/${id}`)).status).toBe(422);
    await say(id, "inactive");
    expect((await call("DELETE", `${DEPLOYMENTS}/${id}`)).status).toBe(204);
    expect((await call("DELETE", `${DEPLOYMENTS}/${other}`)).status).toBe(204);
    expect((await call("GET", `${DEPLOYMENTS}/${id}`)).status).toBe(404);
  });
});

describe("the statuses of a deployment", () => {
  it("are told of with the deployment, take 140 characters and may move it to another environment", async () => {
    const id = await deploy();
    const log_url = "https://ci.example/1";
    const made = await say(id, "in_progress", { log_url, environment_url: "https://x", description: "x".repeat(140) });
    expect(made).toMatchObject({ status: 201, body: { state: "in_progress", log_url, target_url: log_url } });
    expect(await say(id, "success", { description: "x".repeat(141) })).toMatchObject({
      status: 422,
      body: { errors: [{ field: "description" }] },
    });
    await say(id, "success", { environment: "staging-2" });
    expect(as(await call("GET", `${DEPLOYMENTS}/${id}`))).toMatchObject({
      environment: "staging-2",
      original_environment: "staging",
    });
    await github.simulator.idle();
    expect(github.events().slice(1)).toEqual(["deployment_status.created", "deployment_status.created"]);
    expect(github.received[1]?.payload).toMatchObject({
      deployment_status: { state: "in_progress" },
      deployment: { id },
      workflow_run: null,
    });
    expect(await statesOf(id)).toEqual(["success", "in_progress"]);
  });

  it("make the one before inactive where it had succeeded, told to nobody, and not in production", async () => {
    const [failed, first, second] = [await deploy(), await deploy(), await deploy()];
    await say(failed, "failure");
    await say(first, "success");
    await say(second, "success");
    expect(await Promise.all([failed, first, second].map(statesOf))).toEqual([
      ["failure"],
      ["inactive", "success"],
      ["success"],
    ]);
    const production = [await deploy({ environment: "production" }), await deploy({ environment: "production" })];
    for (const id of production) await say(id, "success");
    expect(await Promise.all(production.map(statesOf))).toEqual([["success"], ["success"]]);
    await github.simulator.idle();
    expect(github.events().filter((each) => each === "deployment_status.created")).toHaveLength(5);
  });

  it("let it count as abandoned after half an hour of silence", async () => {
    const id = await deploy();
    const query = `query ($id: ID!) { node(id: $id) { ... on Deployment { state databaseId latestStatus { state } } } }`;
    const node = as<{ node_id: string }>(await call("GET", `${DEPLOYMENTS}/${id}`)).node_id;
    const state = async () =>
      as<{ data: { node: object } }>(await github.graphql(token, query, { id: node })).data.node;
    expect(await state()).toEqual({ state: "PENDING", databaseId: id, latestStatus: null });
    clock += 29 * 60_000;
    await say(id, "in_progress");
    clock += 29 * 60_000;
    expect(await state()).toMatchObject({ state: "IN_PROGRESS" });
    clock += 2 * 60_000;
    expect(await state()).toMatchObject({ state: "ABANDONED", latestStatus: { state: "IN_PROGRESS" } });
    await say(id, "success");
    expect(await state()).toMatchObject({ state: "ACTIVE" });
  });

  it("are also written by people and other programs", async () => {
    const id = await github.simulator.createDeployment(SHOP, "ben", { ref: "main", environment: "staging" });
    github.simulator.setDeploymentStatus(id, "ben", { state: "success", description: "by hand" });
    expect(github.simulator.deployments(SHOP)).toMatchObject([
      { id, sha: main, by: "ben", state: "success", statuses: [{ by: "ben", description: "by hand" }] },
    ]);
  });
});
