import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aGitHub, as, type GitHub, stopWithoutFindings } from "./a-github.ts";

let github: GitHub;
let token: string;
let headSha: string;
const SHOP = "acme/shop";
const REPOSITORY = "/repos/acme/shop";
const PERMISSIONS = {
  actions: "read",
  checks: "write",
  contents: "read",
  metadata: "read",
  pull_requests: "read",
  statuses: "read",
};

beforeEach(async () => {
  github = await aGitHub({ permissions: PERMISSIONS, events: ["status", "workflow_run"] });
  token = await github.installationToken();
  ({ headSha } = await github.aPullRequest());
  await github.simulator.idle();
  github.received.length = 0;
});
afterEach(() => stopWithoutFindings(github));

const payloads = async () => {
  await github.simulator.idle();
  return github.received.map(({ payload }) => payload);
};
const FAILED = {
  path: "src/list.txt",
  start_line: 3,
  end_line: 3,
  annotation_level: "failure",
  message: "expected three",
} as const;

describe("the check of another App", () => {
  it("is told of with its output, completes its suite and can be read", async () => {
    const { simulator } = github;
    const { id } = await simulator.startCheck(SHOP, { app: "circleci", name: "build", sha: headSha });
    const other = await simulator.startCheck(SHOP, { app: "circleci", name: "lint", sha: headSha });
    simulator.finishCheck(id, { conclusion: "failure", title: "1 failed", summary: "One", annotations: [FAILED] });
    simulator.finishCheck(other.id, { conclusion: "success" });
    const sent = await payloads();
    expect(github.events()).toEqual([
      "check_run.created",
      "check_run.created",
      "check_run.completed",
      "check_run.completed",
      "check_suite.completed",
    ]);
    expect(sent[2]).toMatchObject({
      sender: { login: "circleci[bot]" },
      check_run: {
        id,
        app: { slug: "circleci" },
        head_sha: headSha,
        conclusion: "failure",
        output: { title: "1 failed", summary: "One", annotations_count: 1 },
        pull_requests: [{ number: 1 }],
      },
    });
    expect(sent.at(-1)).toMatchObject({
      check_suite: { app: { slug: "circleci" }, head_branch: "feature", conclusion: "failure" },
    });
    const listed = await github.call("GET", `${REPOSITORY}/check-runs/${id}/annotations`, token);
    expect(as(listed)).toMatchObject([FAILED]);
  });

  it("is not the App's to change", async () => {
    const { id } = await github.simulator.startCheck(SHOP, { app: "circleci", name: "build", sha: headSha });
    const change = { conclusion: "success" };
    expect((await github.call("PATCH", `${REPOSITORY}/check-runs/${id}`, token, change)).status).toBe(403);
  });
});

describe("a commit status", () => {
  it("is told of with the branches that have the commit", async () => {
    const status = {
      sha: headSha,
      state: "failure",
      context: "ci/jenkins",
      description: "1 failed",
      by: "ben",
    } as const;
    await github.simulator.setStatus(SHOP, status);
    expect(await payloads()).toMatchObject([
      {
        sha: headSha,
        state: "failure",
        context: "ci/jenkins",
        branches: [{ name: "feature", commit: { sha: headSha } }],
      },
    ]);
    const combined = await github.call("GET", `${REPOSITORY}/commits/${headSha}/status`, token);
    expect(as(combined)).toMatchObject({ state: "failure", statuses: [{ context: "ci/jenkins" }] });
  });
});

describe("a workflow of GitHub Actions", () => {
  const start = () => github.simulator.startWorkflow(SHOP, { sha: headSha, jobs: ["test", "lint"], by: "ben" });
  const runs = (query: string) => github.call("GET", `${REPOSITORY}/actions/runs?${query}`, token);

  it("tells of its jobs as checks, and of its end when the last of them ends", async () => {
    const { id, jobs } = await start();
    github.simulator.finishJob(jobs.lint ?? 0, { conclusion: "success" });
    github.simulator.finishJob(jobs.test ?? 0, { conclusion: "failure", annotations: [FAILED] });
    const sent = await payloads();
    expect(github.events()).toEqual([
      "workflow_run.requested",
      "check_run.created",
      "check_run.created",
      "workflow_run.in_progress",
      "check_run.completed",
      "check_run.completed",
      "check_suite.completed",
      "workflow_run.completed",
    ]);
    expect(sent.at(-3)).toMatchObject({
      check_run: { id: jobs.test, name: "test", app: { slug: "github-actions", id: 15368 }, conclusion: "failure" },
    });
    expect(sent.at(-1)).toMatchObject({
      sender: { login: "ben" },
      workflow_run: {
        id,
        name: "CI",
        head_sha: headSha,
        conclusion: "failure",
        run_number: 1,
        pull_requests: [{ number: 1 }],
      },
    });
    expect(() => github.simulator.finishJob(jobs.test ?? 0, { conclusion: "success" })).toThrow("has ended before");
  });

  it("lists its runs and the jobs of one, page by page", async () => {
    const { id, jobs } = await start();
    const second = await start();
    github.simulator.finishJob(jobs.test ?? 0, {
      conclusion: "failure",
      steps: [
        { name: "Set up job", conclusion: "success" },
        { name: "Run npm test", conclusion: "failure" },
      ],
    });
    expect(as(await runs(`head_sha=${headSha}`))).toMatchObject({
      total_count: 2,
      workflow_runs: [
        { id: second.id, run_number: 2 },
        { id, run_number: 1, status: "in_progress", conclusion: null },
      ],
    });
    expect(as(await runs("head_sha=0000"))).toMatchObject({ total_count: 0 });
    expect(as(await github.call("GET", `${REPOSITORY}/actions/runs/${id}`, token))).toMatchObject({
      id,
      event: "push",
    });
    const listed = await github.call("GET", `${REPOSITORY}/actions/runs/${id}/jobs?per_page=1`, token);
    expect(as(listed)).toMatchObject({
      total_count: 2,
      jobs: [
        {
          id: jobs.test,
          conclusion: "failure",
          steps: [{}, { name: "Run npm test", conclusion: "failure", number: 2 }],
        },
      ],
    });
    expect(listed.headers.get("link")).toContain('rel="next"');
    const one = await github.call("GET", `${REPOSITORY}/actions/jobs/${jobs.lint}`, token);
    expect(as(one)).toMatchObject({ id: jobs.lint, run_id: id, status: "in_progress", conclusion: null });
  });

  it("gives the log of a job that has ended by a redirect to a text", async () => {
    const { jobs } = await start();
    const logs = `${REPOSITORY}/actions/jobs/${jobs.test}/logs`;
    expect((await github.call("GET", logs, token)).status).toBe(404);
    github.simulator.finishJob(jobs.test ?? 0, { conclusion: "failure", log: "Run npm test\nnot ok 1 - adds\n" });
    const address = `${github.simulator.origin}/api/v3${logs}`;
    const sent = await fetch(address, { headers: { authorization: `Bearer ${token}` }, redirect: "manual" });
    expect(sent.status).toBe(302);
    const text = await (await fetch(sent.headers.get("location") ?? "")).bytes();
    const lines = Buffer.from(text).toString().split("\n");
    expect(lines[0]).toMatch(/^\uFEFF\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z Run npm test$/);
    expect(lines[1]).toMatch(/Z not ok 1 - adds$/);
    expect((await fetch(`${github.simulator.origin}/-/downloads/guessed`)).status).toBe(404);
  });

  it("is read only with actions: read", async () => {
    const { id, jobs } = await start();
    github.simulator.finishJob(jobs.test ?? 0, { conclusion: "success", log: "secret" });
    const narrow = await github.installationToken({ permissions: { checks: "write", contents: "read" } });
    for (const path of ["runs", `runs/${id}`, `runs/${id}/jobs`, `jobs/${jobs.test}`, `jobs/${jobs.test}/logs`])
      expect((await github.call("GET", `${REPOSITORY}/actions/${path}`, narrow)).status, path).toBe(403);
  });

  it("shows its log to nobody without that permission, in a public repository neither", async () => {
    const { simulator } = github;
    await simulator.createRepository("acme", "open", { private: false, files: { a: "a" } });
    simulator.addRepositories(github.installation, ["open"]);
    const { jobs } = await simulator.startWorkflow("acme/open", { sha: "main", jobs: ["test"], by: "ana" });
    simulator.finishJob(jobs.test ?? 0, { conclusion: "success", log: "secret" });
    const narrow = await github.installationToken({ permissions: { checks: "write" } });
    const read = (path: string) => github.call("GET", `/repos/acme/open/actions/jobs/${jobs.test}${path}`, narrow);
    expect([(await read("")).status, (await read("/logs")).status]).toEqual([200, 403]);
  });
});
