import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aGitHub, as, type GitHub } from "./a-github.ts";

let github: GitHub;
let token: string;
let headSha: string;
const RUNS = "/repos/acme/shop/check-runs";

beforeEach(async () => {
  github = await aGitHub();
  token = await github.installationToken();
  ({ headSha } = await github.aPullRequest());
});
afterEach(() => github.stop());

const annotations = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    path: "src/list.txt",
    start_line: index + 1,
    end_line: index + 1,
    annotation_level: "notice",
    message: `number ${index + 1}`,
  }));
const output = (more: object = {}) => ({ output: { title: "A title", summary: "A summary", ...more } });
const create = (more: object = {}) =>
  github.call("POST", RUNS, token, { name: "forge/review", head_sha: headSha, ...more });
const update = (id: number, more: object) => github.call("PATCH", `${RUNS}/${id}`, token, more);
const view = () => github.simulator.pullRequest("acme/shop", 1);

describe("a check run", () => {
  it("takes 50 annotations in one call and appends those of the next", async () => {
    const { id } = as<{ id: number }>(
      await create({ status: "in_progress", ...output({ annotations: annotations(50) }) }),
    );
    expect((await update(id, output({ annotations: annotations(51) }))).status).toBe(422);
    expect((await update(id, output({ annotations: annotations(2) }))).status).toBe(200);
    expect(view().checkRuns[0]?.annotations).toHaveLength(52);
    const second = await github.call("GET", `${RUNS}/${id}/annotations?per_page=50&page=2`, token);
    expect(as<unknown[]>(second)).toHaveLength(2);
    expect(second.headers.get("link")).toContain('rel="prev"');
  });

  it("keeps to its limits when nobody holds GitHub's description against it", async () => {
    const plain = await aGitHub({ referee: false });
    const { headSha: sha } = await plain.aPullRequest();
    const by = await plain.installationToken();
    const post = (more: object) => plain.call("POST", RUNS, by, { name: "forge/review", head_sha: sha, ...more });
    const button = { label: "Fix", description: "Fix all of them", identifier: "fix" };
    expect((await post(output({ annotations: annotations(51) }))).status).toBe(422);
    expect((await post(output({ text: "x".repeat(65_536) }))).status).toBe(422);
    expect((await post({ actions: [button, button, button, button] })).status).toBe(422);
    expect((await post({ actions: [{ ...button, label: "x".repeat(21) }] })).status).toBe(422);
    expect((await post({ actions: [button], ...output({ annotations: annotations(50) }) })).status).toBe(201);
    await plain.stop();
  });

  it("refuses columns on an annotation of several lines", async () => {
    const wide = [{ ...annotations(1)[0], end_line: 2, start_column: 1 }];
    expect((await create(output({ annotations: wide }))).status).toBe(422);
  });

  it("has at most three buttons with short texts", async () => {
    const button = { label: "Fix", description: "Fix all of them", identifier: "fix" };
    expect((await create({ actions: [button, button, button, button] })).status).toBe(422);
    expect((await create({ actions: [{ ...button, label: "x".repeat(21) }] })).status).toBe(422);
    expect((await create({ actions: [{ ...button, identifier: "x".repeat(21) }] })).status).toBe(422);
    expect((await create({ actions: [{ ...button, description: "x".repeat(41) }] })).status).toBe(422);
    const { id } = as<{ id: number }>(await create({ actions: [button] }));
    github.simulator.pressCheckRunButton("acme/shop", id, "fix", "ana");
    await github.simulator.idle();
    const pressed = github.received.findLast(({ event }) => event === "check_run");
    expect(pressed?.payload).toMatchObject({ action: "requested_action", requested_action: { identifier: "fix" } });
  });

  it("has a summary of at most 65,535 characters", async () => {
    expect((await create(output({ summary: "x".repeat(65_536) }))).status).toBe(422);
    expect((await create(output({ summary: "x".repeat(65_535) }))).status).toBe(201);
  });

  it("is completed by its conclusion, and tells the App of its own writes", async () => {
    await github.simulator.idle();
    github.received.length = 0;
    const { id } = as<{ id: number }>(await create({ status: "in_progress" }));
    await update(id, { conclusion: "success", ...output() });
    await github.simulator.idle();
    expect(github.events()).toEqual(["check_run.created", "check_run.completed", "check_suite.completed"]);
    expect(view().checkRuns).toMatchObject([{ status: "completed", conclusion: "success", title: "A title" }]);
  });

  it("of the same name replaces the older one in the list, which is kept", async () => {
    await create({ conclusion: "failure", ...output() });
    await create({ conclusion: "success", ...output() });
    const path = `/repos/acme/shop/commits/${headSha}/check-runs`;
    expect(as(await github.call("GET", path, token))).toMatchObject({
      total_count: 1,
      check_runs: [{ conclusion: "success" }],
    });
    expect(as(await github.call("GET", `${path}?filter=all`, token))).toMatchObject({ total_count: 2 });
    expect(view().allCheckRuns).toHaveLength(2);
  });

  it("belongs to Apps only", async () => {
    const ben = github.simulator.createUserToken("ben");
    const refused = await github.call("POST", RUNS, ben, { name: "mine", head_sha: headSha });
    expect(refused.status).toBe(403);
  });

  it("and its suite are run again by a person, which only its App hears of", async () => {
    const { id } = as<{ id: number }>(await create({ conclusion: "failure", ...output() }));
    github.simulator.rerequestCheckRun("acme/shop", id, "ana");
    github.simulator.rerequestCheckSuite("acme/shop", view().checkRuns[0]?.suiteId ?? 0, "ana");
    await github.simulator.idle();
    expect(github.events().slice(-2)).toEqual(["check_run.rerequested", "check_suite.rerequested"]);
    expect(github.simulator.referee.findings).toEqual([]);
  });
});

describe("a required check", () => {
  it.each([
    ["success", true],
    ["skipped", true],
    ["neutral", true],
    ["action_required", false],
    ["cancelled", false],
    ["failure", false],
  ])("that ended as %s lets merging happen: %s", async (conclusion, mergeable) => {
    github.simulator.protectBranch("acme/shop", "main", { requiredChecks: ["forge/review"] });
    await create({ conclusion, ...output() });
    const missingChecks = mergeable ? [] : ["forge/review"];
    expect(await github.simulator.mergeability("acme/shop", 1)).toEqual({ mergeable, missingChecks });
  });

  it("that is not there yet keeps a pull request from being merged", async () => {
    github.simulator.protectBranch("acme/shop", "main", { requiredChecks: ["forge/review"] });
    const merge = () => github.simulator.mergePullRequest("acme/shop", 1, "ana");
    await expect(merge()).rejects.toThrow('Required status check "forge/review" is expected.');
    await create({ conclusion: "success", ...output() });
    await expect(merge()).resolves.toMatch(/^[0-9a-f]{40}$/);
    expect(view()).toMatchObject({ state: "closed", merged: true });
  });
});
