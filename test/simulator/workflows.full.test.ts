import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunningJob } from "../../simulator/running.ts";
import { aGitHub, as, type GitHub, jwt, stopWithoutFindings } from "./a-github.ts";

let github: GitHub;
let token: string;
let clock: number;
const SHOP = "acme/shop";
const REPOSITORY = "/repos/acme/shop";
const PATH = ".github/workflows/deploy.yml";
const PERMISSIONS = { actions: "write", checks: "read", contents: "write", deployments: "write", metadata: "read" };
const EVENTS = [
  "deployment",
  "deployment_protection_rule",
  "deployment_review",
  "deployment_status",
  "repository_dispatch",
  "workflow_job",
  "workflow_run",
];
const DEPLOY = `
name: Deploy
run-name: Deploy \${{ inputs.percentage }}
on: { deployment: null, workflow_dispatch: { inputs: { percentage: { required: true }, where: { default: eu } } }, repository_dispatch: { types: [go] } }
concurrency: deploy-\${{ github.event.deployment.environment || 'x' }}
jobs:
  deploy:
    runs-on: ubuntu-latest
    steps: [{ run: ./deploy }]
`;
const IN_ENVIRONMENT = `
on: workflow_dispatch
jobs:
  build: {}
  deploy: { needs: build, environment: { name: Production }, strategy: { matrix: { region: [eu, us] } } }
`;

beforeEach(async () => {
  clock = Date.parse("2026-01-05T10:00:00Z");
  github = await aGitHub({ permissions: PERMISSIONS, events: EVENTS, clock: () => clock });
  token = await github.installationToken();
  await addWorkflow(DEPLOY);
});
afterEach(() => stopWithoutFindings(github));

const call = (method: string, path: string, body?: unknown) => github.call(method, REPOSITORY + path, token, body);
const workflows = () => github.simulator.workflows(SHOP);
const addWorkflow = (text: string, path = PATH) =>
  github.simulator.commit(SHOP, "main", { files: { [path]: text }, message: "Deploy" });
async function deploy(wanted: object = {}): Promise<number> {
  const request = { ref: "main", environment: "staging", auto_merge: false, required_contexts: [], ...wanted };
  const made = await call("POST", "/deployments", request);
  expect(made.status).toBe(201);
  await github.simulator.idle();
  return as<{ id: number }>(made).id;
}
const said = (id: number) =>
  github.simulator
    .deployments(SHOP)
    .find((each) => each.id === id)
    ?.statuses.map(({ state }) => state);
const run = () => workflows().runs().at(-1);

describe("a workflow that reacts to a deployment", () => {
  it("gets the payload, does its work, and says so as github-actions", async () => {
    const jobs: RunningJob[] = [];
    workflows().on(PATH, (job) => {
      jobs.push(job);
      job.show("https://staging.example");
    });
    const payload = { forge: { run: "r1", percentage: 5 } };
    const id = await deploy({ payload });
    expect(jobs).toMatchObject([{ event: "deployment", ref: "refs/heads/main", payload, environment: "staging" }]);
    expect(github.simulator.deployments(SHOP)[0]?.statuses).toMatchObject([
      { state: "in_progress", by: "github-actions[bot]" },
      { state: "success", environmentUrl: "https://staging.example" },
    ]);
    const status = github.received.findLast(({ event }) => event === "deployment_status");
    expect(status?.payload).toMatchObject({
      deployment: { id },
      deployment_status: { state: "success", log_url: expect.stringContaining(`/actions/runs/${run()?.id}/job/`) },
      workflow: { path: PATH },
      workflow_run: { id: run()?.id, event: "deployment", path: PATH },
      check_run: { name: "deploy" },
    });
    expect(run()).toMatchObject({ event: "deployment", conclusion: "success", jobs: [{ name: "deploy" }] });
    const { sha } = github.simulator.deployments(SHOP)[0] ?? { sha: "" };
    const listed = await call("GET", `/actions/runs?event=deployment&head_sha=${sha}&created=>=2026-01-01`);
    expect(as(listed)).toMatchObject({ total_count: 1, workflow_runs: [{ id: run()?.id, head_branch: "main" }] });
    expect(as(await call("GET", "/actions/runs?created=<2026-01-01"))).toMatchObject({ total_count: 0 });
    expect(as(await call("GET", "/actions/workflows/deploy.yml/runs"))).toMatchObject({ total_count: 1 });
    expect(github.events().slice(0, 6)).toEqual([
      "deployment.created",
      "workflow_run.requested",
      "workflow_job.queued",
      "workflow_job.in_progress",
      "workflow_run.in_progress",
      "deployment_status.created",
    ]);
  });

  it("is the file of the deployed commit: an old commit without it starts nothing", async () => {
    workflows().on(PATH, () => undefined);
    const old = await github.simulator.commit(SHOP, "old", { files: { [PATH]: null }, message: "None" });
    const id = await deploy({ ref: old, task: "rollback" });
    expect([said(id), workflows().runs()]).toEqual([[], []]);
  });

  it("has no branch where a commit was deployed by its SHA", async () => {
    const refs: string[] = [];
    workflows().on(PATH, ({ ref }) => refs.push(ref));
    const main = as<{ object: { sha: string } }>(await call("GET", "/git/ref/heads/main")).object.sha;
    await deploy({ ref: main });
    expect(refs).toEqual([""]);
    expect(as(await call("GET", `/actions/runs/${run()?.id}`))).toMatchObject({ head_branch: null, head_sha: main });
  });

  it.each([
    ["lie", ["in_progress", "success"], "success"],
    ["fail", ["in_progress", "failure"], "failure"],
    ["twice", ["in_progress", "success", "success"], "success"],
    ["silent", [], "success"],
    ["cancel", [], "cancelled"],
    ["hang", ["in_progress"], null],
    ["unclaimed", [], null],
    ["never", [], undefined],
  ] as const)("can also %s", async (conduct, states, conclusion) => {
    let worked = 0;
    workflows().on(PATH, () => ++worked);
    workflows().conduct(conduct);
    const id = await deploy();
    expect([said(id), run()?.conclusion]).toEqual([states, conclusion]);
    expect(worked).toBe(["twice", "silent"].includes(conduct) ? 1 : 0);
    const status = { hang: "in_progress", unclaimed: "queued", never: undefined };
    expect(run()?.status).toBe(conduct in status ? status[conduct as keyof typeof status] : "completed");
  });

  it("can be late, and fails with the words of its script", async () => {
    workflows().on(PATH, () => {
      throw new Error("no space left");
    });
    workflows().conduct("late", { times: 1 });
    const id = await deploy();
    expect(said(id)).toEqual(["in_progress"]);
    workflows().release();
    await github.simulator.idle();
    expect(github.simulator.deployments(SHOP)[0]?.statuses.at(-1)).toMatchObject({
      state: "failure",
      description: "no space left",
    });
  });

  it("can be spoken for by another workflow", async () => {
    workflows().conduct("never");
    const id = await deploy();
    const claimed = await workflows().claim(id, { path: ".github/workflows/other.yml", state: "success" });
    await github.simulator.idle();
    const told = github.received.find(({ event }) => event === "deployment_status");
    expect(told?.payload).toMatchObject({ workflow_run: { id: claimed, path: ".github/workflows/other.yml" } });
  });

  it("loses the one that is pending to a newer one of its group, which goes on when the first has ended", async () => {
    workflows().on(PATH, () => undefined);
    workflows().conduct("late", { times: 1 });
    const ids = [await deploy(), await deploy(), await deploy()];
    expect(
      workflows()
        .runs()
        .map(({ status, conclusion }) => conclusion ?? status),
    ).toEqual(["in_progress", "cancelled", "pending"]);
    workflows().release();
    await github.simulator.idle();
    expect(ids.map(said)).toEqual([["in_progress", "success", "inactive"], [], ["in_progress", "success"]]);
  });
});

describe("a workflow that is dispatched", () => {
  const dispatch = (body: object, path = "deploy.yml") => call("POST", `/actions/workflows/${path}/dispatches`, body);

  it("returns its run when it is asked to, and has its inputs", async () => {
    const inputs: object[] = [];
    workflows().on(PATH, (job) => inputs.push(job.inputs));
    const answer = await dispatch({ ref: "main", inputs: { percentage: 25 }, return_run_details: true });
    expect(answer).toMatchObject({ status: 200, body: { workflow_run_id: run()?.id } });
    await github.simulator.idle();
    expect(inputs).toEqual([{ percentage: "25", where: "eu" }]);
    expect(as(await call("GET", `/actions/runs/${run()?.id}`))).toMatchObject({ display_title: "Deploy 25" });
    await github.simulator.dispatch(SHOP, "deploy.yml", "ben", { percentage: "50" });
    await github.simulator.idle();
    expect(inputs.at(-1)).toMatchObject({ percentage: "50" });
    expect((await dispatch({ ref: "main", inputs: { percentage: "5" } })).status).toBe(204);
  });

  it("is refused without its file on the default branch, its trigger, a ref, or with inputs that it does not know", async () => {
    const inputs = { percentage: "5" };
    expect((await dispatch({ ref: "main", inputs }, "other.yml")).status).toBe(404);
    expect((await dispatch({ ref: "nowhere", inputs })).status).toBe(422);
    expect((await dispatch({ ref: "main" })).body).toMatchObject({
      message: "Required input 'percentage' not provided",
    });
    expect((await dispatch({ ref: "main", inputs: { ...inputs, a: "1" } })).status).toBe(422);
    await github.simulator.commit(SHOP, "old", { files: { [PATH]: "on: push\njobs: { a: {} }" }, message: "Other" });
    expect((await dispatch({ ref: "old", inputs })).status).toBe(422);
  });

  it("is cancelled by whoever may", async () => {
    workflows().conduct("hang");
    workflows().on(PATH, () => undefined);
    await dispatch({ ref: "main", inputs: { percentage: "5" } });
    await github.simulator.idle();
    expect((await call("POST", `/actions/runs/${run()?.id}/cancel`)).status).toBe(202);
    expect(run()).toMatchObject({ status: "completed", conclusion: "cancelled" });
    expect((await call("POST", `/actions/runs/${run()?.id}/cancel`)).status).toBe(409);
  });

  it("also hears of repository_dispatch, as Apps do", async () => {
    const payloads: unknown[] = [];
    workflows().on(PATH, (job) => payloads.push(job.payload));
    const client_payload = { error: "boom" };
    expect((await call("POST", "/dispatches", { event_type: "go", client_payload })).status).toBe(204);
    expect((await call("POST", "/dispatches", { event_type: "forge.error", client_payload })).status).toBe(204);
    await github.simulator.idle();
    expect(payloads).toEqual([client_payload]);
    expect(
      github.received.filter(({ event }) => event === "repository_dispatch").map(({ payload }) => payload),
    ).toMatchObject([
      { action: "go", branch: "main", client_payload },
      { action: "forge.error", sender: { login: "forge[bot]" } },
    ]);
    const large = { text: "x".repeat(64 * 1024) };
    expect((await call("POST", "/dispatches", { event_type: "go", client_payload: large })).status).toBe(422);
  });
});

describe("the rules of an environment", () => {
  const start = async () => {
    await addWorkflow(IN_ENVIRONMENT);
    await call("POST", "/actions/workflows/deploy.yml/dispatches", { ref: "main" });
    await github.simulator.idle();
    return run()?.id ?? 0;
  };
  const protect = () => {
    github.simulator.createEnvironment(SHOP, "production");
    github.simulator.enableProtectionRule(SHOP, "production", "forge");
  };
  const conclusions = () => run()?.jobs.map(({ status, conclusion }) => conclusion ?? status);
  const answer = (id: number, body: object) =>
    call("POST", `/actions/runs/${id}/deployment_protection_rule`, { environment_name: "production", ...body });

  it("ask the App for each job, of which each has a deployment of its own, and one answer is for all", async () => {
    protect();
    const id = await start();
    expect(conclusions()).toEqual(["success", "waiting", "waiting"]);
    expect(run()?.status).toBe("waiting");
    const asked = github.received.filter(({ event }) => event === "deployment_protection_rule");
    expect(asked.map(({ payload }) => payload)).toMatchObject(
      [0, 1].map((index) => ({
        action: "requested",
        environment: "production",
        event: "workflow_dispatch",
        ref: "main",
        deployment_callback_url: `${github.simulator.origin}/api/v3${REPOSITORY}/actions/runs/${id}/deployment_protection_rule`,
        deployment: { id: github.simulator.deployments(SHOP)[index]?.id, creator: { login: "github-actions[bot]" } },
        workflow_run: { id },
      })),
    );
    const pending = await call("GET", `/actions/runs/${id}/pending_deployments`);
    expect(as(pending)).toMatchObject([{ environment: { name: "production" }, current_user_can_approve: false }]);
    expect((await answer(id, { comment: "not yet" })).status).toBe(204);
    expect(conclusions()).toEqual(["success", "waiting", "waiting"]);
    expect((await answer(id, { environment_name: "PRODUCTION", state: "approved" })).status).toBe(204);
    await github.simulator.idle();
    expect(conclusions()).toEqual(["success", "success", "success"]);
    const [first] = github.simulator.deployments(SHOP);
    expect(first?.statuses.map(({ state }) => state)).toEqual(["waiting", "in_progress", "success"]);
    expect(await answer(id, { state: "approved" })).toMatchObject({
      status: 422,
      body: { message: "No pending deployment requests to approve or reject" },
    });
  });

  it("fail the jobs and the run when the App rejects, and take ten reports of 1,024 characters", async () => {
    protect();
    const id = await start();
    expect((await answer(id, { comment: "x".repeat(1_025) })).status).toBe(422);
    const reports = await Promise.all(Array.from({ length: 11 }, () => answer(id, { comment: "x".repeat(1_024) })));
    expect(reports.map(({ status }) => status).sort()).toEqual([...Array(10).fill(204), 422]);
    expect((await answer(id, { state: "rejected", comment: "no" })).status).toBe(204);
    expect(run()).toMatchObject({
      conclusion: "failure",
      jobs: [{}, { conclusion: "failure" }, { conclusion: "failure" }],
    });
  });

  it("say what was applied in part, and that an App has answered before", async () => {
    github.simulator.createEnvironment(SHOP, "production", { reviewers: ["ana"] });
    github.simulator.enableProtectionRule(SHOP, "production", "forge");
    const id = await start();
    github.simulator.faults.add({ kind: "partlyApplied", times: 1 });
    expect(await answer(id, { state: "approved" })).toMatchObject({
      status: 422,
      body: { message: "There was a problem approving one of the gates" },
    });
    expect((await answer(id, { state: "approved" })).status).toBe(204);
    expect(await answer(id, { state: "approved" })).toMatchObject({
      status: 422,
      body: { message: "Deployment protection rule has already been reviewed" },
    });
    expect(() => github.simulator.reviewDeployment(id, "ben")).toThrow("not a required reviewer");
    github.simulator.reviewDeployment(id, "ana");
    await github.simulator.idle();
    expect(conclusions()).toEqual(["success", "success", "success"]);
    expect(github.events()).toContain("deployment_review.requested");
    expect(github.events()).toContain("deployment_review.approved");
  });

  it("are answered by anybody of a team, after a wait timer, and who answered what can be read", async () => {
    github.simulator.createEnvironment(SHOP, "production", { teams: { ops: ["ben"] }, waitMinutes: 30 });
    const id = await start();
    const pending = await call("GET", `/actions/runs/${id}/pending_deployments`);
    const started = new Date(clock).toISOString().replace(".000Z", "Z");
    expect(as(pending)).toMatchObject([
      {
        ...{ environment: { name: "production" }, wait_timer: 30, wait_timer_started_at: started },
        reviewers: [{ type: "Team", reviewer: { slug: "ops" } }],
      },
    ]);
    expect(() => github.simulator.reviewDeployment(id, "ana")).toThrow("not a required reviewer");
    github.simulator.reviewDeployment(id, "ben", "approved", "go");
    expect(conclusions()).toEqual(["success", "waiting", "waiting"]);
    github.simulator.passWaitTimers();
    expect(conclusions()).toEqual(["success", "waiting", "waiting"]);
    clock += 30 * 60_000;
    github.simulator.passWaitTimers();
    await github.simulator.idle();
    expect(conclusions()).toEqual(["success", "success", "success"]);
    expect(as(await call("GET", `/actions/runs/${id}/approvals`))).toMatchObject([
      { state: "approved", comment: "go", user: { login: "ben" }, environments: [{ name: "production" }] },
    ]);
  });

  it("keep the number of a run that a person runs again", async () => {
    const id = await start();
    github.simulator.rerunWorkflow(id, "ben");
    await github.simulator.idle();
    expect(github.simulator.workflows(SHOP).runs()).toHaveLength(1);
    expect(as(await call("GET", `/actions/runs/${id}`))).toMatchObject({
      ...{ id, run_attempt: 2, actor: { login: "forge[bot]" }, triggering_actor: { login: "ben" } },
      ...{ status: "completed", conclusion: "success" },
    });
    expect((await call("POST", `/actions/runs/${id}/rerun`)).status).toBe(201);
  });

  it("are those of its environment only: branches by pattern, and none for a bare commit", async () => {
    github.simulator.createEnvironment(SHOP, "production", { branches: ["release/*"] });
    await start();
    expect(conclusions()).toEqual(["success", "failure", "failure"]);
    const why = await github.call("GET", `${REPOSITORY}/check-runs/${run()?.jobs[1]?.id}/annotations`, token);
    expect(as(why)).toMatchObject([{ message: expect.stringContaining('Branch "main" is not allowed to deploy') }]);
    const shown = await call("GET", "/environments/Production");
    expect(as(shown)).toMatchObject({ name: "production", deployment_branch_policy: { custom_branch_policies: true } });
    const policies = await call("GET", "/environments/production/deployment-branch-policies");
    expect(as(policies)).toMatchObject({ branch_policies: [{ name: "release/*" }] });
    expect(as(await call("GET", "/environments"))).toMatchObject({ total_count: 1 });
    expect((await call("GET", "/environments/none")).status).toBe(404);
  });

  it("are gone round by an administrator, unless the environment forbids it, and end the wait after 30 days", async () => {
    protect();
    const id = await start();
    expect(() => github.simulator.bypassRules(id, "ben")).toThrow("no administrator");
    github.simulator.bypassRules(id, "acme");
    await github.simulator.idle();
    expect(conclusions()).toEqual(["success", "success", "success"]);
    await start();
    clock += 30 * 24 * 60 * 60_000;
    github.simulator.expireWaitingJobs();
    expect(run()?.conclusion).toBe("failure");
  });

  it("make no rule of an environment that nobody made", async () => {
    await start();
    expect(conclusions()).toEqual(["success", "success", "success"]);
    expect(as(await call("GET", "/environments"))).toMatchObject({ environments: [{ name: "Production" }] });
  });
});

describe("an account that has not agreed to what the App asks for now", () => {
  it("lets it deploy nothing and hear of nothing, until it agrees", async () => {
    const { simulator, registered } = github;
    simulator.uninstall(github.installation);
    const accepted = { contents: "write", metadata: "read" };
    const installation = simulator.installApp(registered, "acme", { accepted });
    const path = `/app/installations/${installation.id}/access_tokens`;
    const mint = async () => as<{ token: string }>(await github.call("POST", path, jwt(), {})).token;
    token = await mint();
    expect((await call("POST", "/deployments", { ref: "main" })).status).toBe(403);
    await simulator.createDeployment(SHOP, "ben", { ref: "main" });
    await simulator.idle();
    expect(github.events()).not.toContain("deployment.created");
    simulator.acceptPermissions(installation);
    token = await mint();
    await deploy();
    expect(github.events()).toContain("deployment.created");
  });
});
