import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DeployStanding, PlannedStep } from "../../src/domain/deployments.ts";
import { environmentSubject } from "../../src/domain/deployments.ts";
import type { EffectResult } from "../../src/domain/effects.ts";
import { applyEffect } from "../../src/github/effects/apply-effect.ts";
import type { EffectPorts, PendingEffect } from "../../src/github/effects/effect-ports.ts";
import { octokitRepository } from "../../src/github/octokit-port.ts";
import { aGitHub, type GitHub } from "../simulator/a-github.ts";
import { again, effectPorts, plainOctokit } from "./effect-bench.ts";

/** What a deployment writes, on a GitHub whose every request and answer is held against GitHub's own description. */
const SHOP = "acme/shop";
const FILE = ".github/workflows/deploy.yml";
const WORKFLOW = (title: string) => `
name: Deploy
run-name: ${title}
on: { workflow_dispatch: { inputs: { environment: {}, sha: {}, percentage: {}, task: {}, marker: {} } } }
jobs: { deploy: { runs-on: ubuntu-latest, steps: [{ run: ./deploy }] } }
`;
const PERMISSIONS = {
  ...{ actions: "write", checks: "write", contents: "write", deployments: "write", issues: "write" },
  ...{ metadata: "read", pull_requests: "write" },
};
let github: GitHub;
let ports: EffectPorts;
let head: string;
let earlier: EffectResult | undefined;

beforeEach(async () => {
  github = await aGitHub({ permissions: PERMISSIONS, events: [] });
  head = await github.simulator.commit(SHOP, "main", { files: { "a.txt": "a\n" }, message: "A" });
  earlier = undefined;
  ports = await portsWith(PERMISSIONS);
});
afterEach(async () => {
  await github.stop();
  expect(github.simulator.referee.findings).toEqual([]);
});

async function portsWith(permissions: Record<string, string>): Promise<EffectPorts> {
  const octokit = plainOctokit(`${github.simulator.origin}/api/v3`, await github.installationToken({ permissions }));
  return effectPorts(octokitRepository(octokit, { owner: "acme", name: "shop" }), { earlier: async () => earlier });
}

const repository = { id: 1, owner: "acme", name: "shop", installationId: 2 };
const common = { runId: "01RUN", state: "planned", attempts: 0, subject: environmentSubject(repository, "production") };
const step = (change: Partial<PlannedStep> = {}): PlannedStep => ({
  ...{ marker: { run: "01RUN", step: 0 }, environment: "production", way: "deployment", sha: head, ref: "main" },
  ...{ percentage: 5, task: "deploy", production: true, description: "Forge deploys, step 1" },
  ...change,
});
const begin = (change: Partial<PlannedStep> = {}): PendingEffect => ({
  ...{ ...common, kind: "deployment.begin", key: `begin ${change.marker?.step ?? 0}` },
  payload: { step: step(change) },
});
const standing = (change: Partial<DeployStanding> = {}): DeployStanding => ({
  ...{ runId: "01RUN", environment: "production", sha: head, by: "ana", cause: "merge", is: "looking", shares: [100] },
  ...{ steps: [], changes: [], more: 0, direct: 0 },
  ...change,
});
const apply = async (effect: PendingEffect, here = ports) => {
  const outcome = await applyEffect(effect, here);
  if (outcome.kind === "done") earlier = outcome.result;
  return outcome;
};
const resultOf = async (effect: PendingEffect) => {
  const outcome = await apply(effect);
  return outcome.kind === "done" ? outcome.result : outcome;
};

describe("DEP-2: a step as a deployment on GitHub", () => {
  it("is requested with nothing merged into it and no status asked for, and once", async () => {
    const done = await resultOf(begin({ previous: "a".repeat(40) }));
    const [made] = github.simulator.deployments(SHOP);
    expect(done).toEqual({ handle: { deploymentId: made!.id } });
    const forge = { version: 1, run: "01RUN", step: 0, percentage: 5, previous_sha: "a".repeat(40), task: "deploy" };
    expect(made).toMatchObject({
      sha: head,
      ref: "main",
      task: "deploy",
      environment: "production",
      payload: { forge },
    });
    // After a lost answer; and the next step is another one.
    expect(await resultOf(again(begin()))).toEqual(done);
    expect(github.simulator.deployments(SHOP)).toHaveLength(1);
    expect(await resultOf(again(begin({ marker: { run: "01RUN", step: 1 } })))).not.toEqual(done);
    expect(github.simulator.deployments(SHOP)).toHaveLength(2);
  });

  it("goes by the commit where the branch has moved, whatever is red, and takes no marker of people for its own", async () => {
    await github.simulator.createDeployment(SHOP, "ana", {
      ...{ ref: head, environment: "production", task: "deploy", payload: { forge: { run: "01RUN", step: 0 } } },
    });
    await github.simulator.commit(SHOP, "main", { files: { "b.txt": "b\n" }, message: "B" });
    const { id } = await github.simulator.startCheck(SHOP, { app: "ci", name: "ci", sha: head });
    github.simulator.finishCheck(id, { conclusion: "failure" });
    await resultOf(again(begin()));
    expect(github.simulator.deployments(SHOP).map(({ ref, by }) => [ref, by])).toEqual([
      [head, "ana"],
      [head, "forge[bot]"],
    ]);
  });

  it("fails with words where GitHub refuses it, or a permission was not accepted", async () => {
    expect(await apply(begin({ sha: "f".repeat(40), ref: "gone" }))).toMatchObject({
      ...{
        kind: "failed",
        error: { message: expect.stringContaining("does not take the deployment to production: No ref") },
      },
    });
    const without = await portsWith({ contents: "read", metadata: "read" });
    expect(await apply(begin(), without)).toMatchObject({
      ...{
        kind: "failed",
        error: { message: expect.stringContaining("has not accepted a permission that deploying needs") },
      },
    });
  });

  it("GH-8: its status says how a step ended, with the addresses, and once after a crash", async () => {
    const { handle } = (await resultOf(begin())) as EffectResult;
    const say = (key: string, is: "done" | "never_started"): PendingEffect => ({
      ...{ ...common, kind: "deployment.say", key },
      payload: {
        ...{ deploymentId: handle!.deploymentId!, became: is === "done" ? "deployed" : "not_deployed", reason: "" },
        ...{ step: { is, percentage: 5, url: "https://shop.example" }, logUrl: "https://ci.example/1" },
      },
    });
    for (const is of ["done", "never_started"] as const) {
      await apply(say(is, is));
      await apply(again(say(is, is)));
    }
    const addresses = { environmentUrl: "https://shop.example", logUrl: "https://ci.example/1", by: "forge[bot]" };
    const oldestFirst = github.simulator.deployments(SHOP)[0]!.statuses;
    expect(oldestFirst).toMatchObject([
      { state: "success", description: "Deployed: 5 % of the traffic. Forge watches it", ...addresses },
      { state: "failure", description: "Not deployed: nothing began it in time", ...addresses },
    ]);
  });

  it("is said to be inactive once", async () => {
    const { handle } = (await resultOf(begin())) as EffectResult;
    const say: PendingEffect = {
      ...{ ...common, kind: "deployment.say", key: "say" },
      payload: {
        deploymentId: handle!.deploymentId!,
        became: "rolled_back",
        reason: "errors are 8.1 times as frequent",
      },
    };
    expect(await apply(say)).toMatchObject({ kind: "done" });
    expect(await apply(again(say))).toMatchObject({ kind: "done" });
    expect(github.simulator.deployments(SHOP)[0]!.statuses).toMatchObject([
      { state: "inactive", description: "Rolled back: errors are 8.1 times as frequent", by: "forge[bot]" },
    ]);
  });
});

describe("DEP-2: a step as the run of a workflow", () => {
  const way = { way: "workflow_dispatch", workflow: FILE } as const;
  const addWorkflow = (title: string) =>
    github.simulator.commit(SHOP, "main", { files: { [FILE]: WORKFLOW(title) }, message: "Deploy" });

  const lost = () => ({ ...again(begin(way)), sendingSince: new Date(Date.now() - 6_000).toISOString() });
  const now = () => ({ ...ports, now: () => new Date().toISOString() });

  it("is started once, where its runs name their marker", async () => {
    await addWorkflow(`Deploy $${"{{"} inputs.marker }}`);
    const done = await resultOf(begin(way));
    expect(done).toMatchObject({ handle: { workflowRunId: expect.any(Number) } });
    expect(await applyEffect(lost(), now())).toEqual({ kind: "done", result: done });
    expect(github.simulator.workflows(SHOP).runs()).toHaveLength(1);
  });

  it("is neither guessed nor started again, where a lost answer leaves nothing that tells which run it is", async () => {
    await addWorkflow("Deploy");
    await resultOf(begin(way));
    const message = `Cannot tell which run of ${FILE} deploys to production: the answer to starting it was lost, and its runs do not name their marker. Give the workflow the line run-name: Deploy $${"{{"} inputs.marker }}`;
    expect(await applyEffect(lost(), now())).toMatchObject({
      kind: "failed",
      error: { code: "deployment_unclear", message },
    });
    expect(github.simulator.workflows(SHOP).runs()).toHaveLength(1);
  });

  it("fails with words where the workflow is not made for it", async () => {
    await github.simulator.commit(SHOP, "main", {
      files: { [FILE]: "on: { workflow_dispatch: { inputs: { other: {} } } }\njobs: { deploy: {} }\n" },
      message: "Deploy",
    });
    expect(await apply(begin(way))).toMatchObject({
      ...{
        kind: "failed",
        error: { message: expect.stringContaining("It needs the inputs environment, sha, percentage") },
      },
    });
  });
});

describe("DEP-1: what people see of it", () => {
  it("is one comment and one check, brought up to date, and once after a crash", async () => {
    const number = github.simulator.openIssue(SHOP, { by: "ana", title: "Sum", body: "" }).number;
    const about = { ...common, subject: { kind: "issue", repository, number } as const };
    const show = (one: DeployStanding, of: number): PendingEffect => ({
      ...{ ...about, kind: "deploy.show", key: `show ${of}`, payload: { standing: one, of } },
    });
    const check = (one: DeployStanding, of: number): PendingEffect => ({
      ...{ ...common, kind: "deploy.check", key: `check ${of}`, payload: { standing: one, headSha: head, of } },
    });
    const end = standing({ is: "ended", end: { outcome: "healthy" } });
    for (const make of [show, check]) {
      earlier = undefined;
      await apply(make(standing(), 1));
      earlier = undefined;
      await apply(again(make(standing(), 1)));
      await apply(make(end, 2));
    }
    const { comments } = github.simulator.issue(SHOP, number);
    expect(comments.map(({ body }) => body.split(":")[0])).toEqual(["**Deployed**"]);
    const checks = github.simulator.checkRunsOn(SHOP, head);
    expect(checks).toMatchObject([{ name: "forge/deploy", status: "completed", conclusion: "success" }]);
  });

  it("GH-11: a check that a person overrode passes, and says who did it and why", async () => {
    const check = (one: DeployStanding, of: number): PendingEffect => ({
      ...{ ...common, kind: "deploy.check", key: `check ${of}`, payload: { standing: one, headSha: head, of } },
    });
    const end = standing({ is: "ended", end: { outcome: "failed", reason: "the runner was lost" } });
    earlier = undefined;
    await apply(check(end, 1));
    expect(github.simulator.checkRunsOn(SHOP, head)).toMatchObject([{ conclusion: "failure" }]);
    earlier = undefined;
    await apply(check({ ...end, overridden: { by: "eva", reason: "it runs, I looked" } }, 2));
    const [shown, ...more] = github.simulator.checkRunsOn(SHOP, head);
    expect([shown, more]).toMatchObject([{ conclusion: "success" }, []]);
    expect(JSON.stringify(shown)).toContain(
      "**Overridden**: `eva` overrode the check `forge/deploy`: it runs, I looked.",
    );
  });
});

async function pullFiles(number: number) {
  const octokit = plainOctokit(`${github.simulator.origin}/api/v3`, await github.installationToken());
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}/files", {
    ...{ owner: "acme", repo: "shop", pull_number: number },
  });
  return { files: (data as { filename: string; status: string }[]).map(({ filename, status }) => [filename, status]) };
}

describe("DEP-1: after a rollback", () => {
  const failed = () =>
    standing({ is: "ended", end: { outcome: "rolled_back" }, back: { why: "worse", reason: "errors" } });

  it("the pull request that brought it is taken back, once", async () => {
    const { number } = await github.aPullRequest();
    await github.simulator.mergePullRequest(SHOP, number, "ana");
    const revert: PendingEffect = {
      ...{ ...common, kind: "revert.open", key: "revert" },
      payload: { sha: head, baseRef: "main", standing: failed(), pull: number },
    };
    const done = (await resultOf(revert)) as EffectResult;
    expect(await resultOf(again(revert))).toEqual(done);
    const made = github.simulator.pullRequest(SHOP, done.pullNumber!);
    expect(made).toMatchObject({ title: `Revert #${number}, which was rolled back in production` });
    const payload = { ...revert.payload, pull: undefined } as never;
    expect(await apply({ ...revert, key: "nowhere", payload })).toMatchObject({ kind: "obsolete" });
  });

  it("all that several brought is taken back by one pull request, and what came later stays", async () => {
    const before = head;
    await github.simulator.commit(SHOP, "main", { files: { "b.txt": "b\n" }, message: "B" });
    const bad = await github.simulator.commit(SHOP, "main", { files: { "a.txt": "worse\n" }, message: "C" });
    await github.simulator.commit(SHOP, "main", { files: { "later.txt": "later\n" }, message: "D" });
    const revert: PendingEffect = {
      ...{ ...common, kind: "revert.open", key: "revert all" },
      payload: { sha: bad, baseRef: "main", standing: failed(), to: before },
    };
    const done = (await resultOf(revert)) as EffectResult;
    expect(await resultOf(again(revert))).toEqual(done);
    const number = done.pullNumber!;
    const { files } = await pullFiles(number);
    expect(files).toEqual([
      ["a.txt", "modified"],
      ["b.txt", "removed"],
    ]);
    await github.simulator.mergePullRequest(SHOP, number, "ana");
  });

  it("DEP-1: what later commits changed too is named where all of several is taken back, and GitHub shows the conflict", async () => {
    const before = head;
    const bad = await github.simulator.commit(SHOP, "main", {
      files: { "a.txt": "worse\n", "b.txt": "b\n" },
      message: "C",
    });
    await github.simulator.commit(SHOP, "main", { files: { "a.txt": "later\n", "c.txt": "c\n" }, message: "D" });
    const revert: PendingEffect = {
      ...{ ...common, kind: "revert.open", key: "revert in the way" },
      payload: { sha: bad, baseRef: "main", standing: failed(), to: before },
    };
    const { pullNumber: number } = (await resultOf(revert)) as EffectResult;
    const { body } = github.simulator.issue(SHOP, number!);
    expect(body).toContain("**Later commits changed these files too**: `a.txt`. Where they touch the same lines");
    await expect(github.simulator.mergePullRequest(SHOP, number!, "ana")).rejects.toThrow(/conflict|mergeable/i);
  });

  it("DEP-1: one pull request that GitHub cannot revert is taken back on the version, once", async () => {
    const { number } = await github.aPullRequest();
    const before = (await ports.repository.readBranch("main"))!;
    await github.simulator.mergePullRequest(SHOP, number, "ana");
    const bad = (await ports.repository.readBranch("main"))!;
    const [[file] = []] = (await pullFiles(number)).files;
    await github.simulator.commit(SHOP, "main", { files: { [file!]: "something else\n" }, message: "D" });
    const revert: PendingEffect = {
      ...{ ...common, kind: "revert.open", key: "revert one in the way" },
      payload: { sha: bad, baseRef: "main", standing: failed(), pull: number, to: before },
    };
    const done = (await resultOf(revert)) as EffectResult;
    expect(await resultOf(again(revert))).toEqual(done);
    const { body, title } = github.simulator.issue(SHOP, done.pullNumber!);
    expect(title).toBe(`Revert #${number}, which was rolled back in production`);
    expect(body).toContain(`**Later commits changed these files too**: \`${file}\`.`);
    const payload = { ...revert.payload, to: undefined } as never;
    expect(await apply({ ...revert, key: "no other way", runId: "another", payload })).toMatchObject({
      kind: "failed",
    });
  });

  it("an issue has the evidence, once", async () => {
    const open: PendingEffect = {
      ...{ ...common, kind: "issue.open", key: "issue" },
      payload: { evidence: { of: "rollback", standing: failed() } },
    };
    const done = (await resultOf(open)) as EffectResult;
    expect(await resultOf(again(open))).toEqual(done);
    expect(github.simulator.issue(SHOP, done.issueNumber!)).toMatchObject({
      title: expect.stringContaining("was rolled back"),
    });
  });

  it("TOOLS-3: a model's words that come later are one comment in that issue, once after a crash; without the issue they are nowhere", async () => {
    const { number } = github.simulator.openIssue(SHOP, { by: "ana", title: "Rolled back", body: "" });
    const cost = { usd: 0.01, tokens: 100, cachedShare: 0, calls: 1, models: ["anthropic/claude-haiku-5-5"] };
    const of = { is: "rolled_back", step: 0 } as const;
    const explain: PendingEffect = {
      ...{ ...common, kind: "issue.explain", key: "explain" },
      payload: { openKey: "issue", explanation: { of, words: "Many failed.", places: [], cost } },
    };
    const known: EffectPorts = {
      ...ports,
      results: async (key) => (key === "issue" ? { issueNumber: number } : undefined),
    };
    expect(await apply(explain, known)).toMatchObject({ kind: "done" });
    expect(await apply(again(explain), known)).toMatchObject({ kind: "done" });
    const { comments } = github.simulator.issue(SHOP, number);
    expect(comments.map(({ body }) => body.split("\n")[2])).toEqual(["> Many failed."]);
    expect(await apply(explain)).toMatchObject({ kind: "obsolete" });
  });
});
