import { describe, expect, it } from "vitest";
import { isVerified } from "../../src/github/last-deployed.ts";
import { isOfStep, type WorkflowRun } from "../../src/github/workflow-run.ts";

const SHA = "a".repeat(40);
const PATH = ".github/workflows/deploy.yml";
const run = (change: Partial<WorkflowRun> = {}): WorkflowRun => ({
  ...{ id: 7, event: "deployment", status: "completed", conclusion: "success", path: `${PATH}@main`, head_sha: SHA },
  ...{ head_branch: "main", html_url: "", actor: { login: "Forge[bot]" }, triggering_actor: { login: "ana" } },
  ...{ repository: { id: 1 }, head_repository: { id: 1 }, ...change },
});
const FORK = run({ head_repository: { id: 2 } });
const MOVED = run({ head_repository: null });
const ELSEWHERE = run({ path: ".github/workflows/deploy.yml.yml" });
const OLDER = run({ head_sha: "b".repeat(40) });

describe("DEP-2: the run of a workflow", () => {
  const verified = (one: WorkflowRun, more: object = {}) =>
    isVerified(one, { path: PATH, sha: SHA, repositoryId: 1, ...more });

  it.each([
    ["of a fork", FORK],
    ["of a repository that is gone", MOVED],
    ["of another file", ELSEWHERE],
    ["of another commit", OLDER],
    ["of a pull request", run({ event: "pull_request" })],
    ["of a pull request, with secrets", run({ event: "pull_request_target" })],
    ["that failed", run({ conclusion: "failure" })],
    ["that is under way", run({ status: "in_progress", conclusion: null })],
  ])("that is %s verifies no deployment", (_what, one) => {
    expect(verified(run())).toBe(true);
    expect(verified(one)).toBe(false);
  });

  it("verifies none where it asks itself, or where Forge let only others through", () => {
    expect([verified(run(), { except: 7 }), verified(run(), { except: 8 })]).toEqual([false, true]);
    expect(verified(run(), { letThrough: { runs: new Set([8]), since: 7 } })).toBe(false);
    expect(verified(run(), { letThrough: { runs: new Set([7, 8]), since: 7 } })).toBe(true);
  });

  const ofStep = (
    one: WorkflowRun,
    way: "deployment" | "workflow_dispatch" | "program",
    workflow: string | undefined = PATH,
  ) => isOfStep(one, { way, workflow, sha: SHA, ref: "main" }, { repositoryId: 1, login: "forge[bot]" });
  const started = (change: Partial<WorkflowRun> = {}) => run({ event: "workflow_dispatch", ...change });

  it.each([
    ["of a fork", FORK, started({ head_repository: { id: 2 } })],
    ["of another file", ELSEWHERE, started({ path: ELSEWHERE.path })],
    ["that a person set off", run({ actor: { login: "ben" } }), started({ actor: { login: "ben" } })],
    ["that nobody set off", run({ actor: null }), started({ actor: null })],
    ["of another event", started(), run()],
    ["of another commit or branch", OLDER, started({ head_branch: "evil" })],
  ])("that is %s is of no step", (_what, deployed, dispatched) => {
    expect([ofStep(run(), "deployment"), ofStep(started(), "workflow_dispatch")]).toEqual([true, true]);
    expect([ofStep(deployed, "deployment"), ofStep(dispatched, "workflow_dispatch")]).toEqual([false, false]);
  });

  it("starts at the head of its branch where it was dispatched, and is never of a program", () => {
    expect(ofStep(started({ head_sha: OLDER.head_sha }), "workflow_dispatch")).toBe(true);
    expect(ofStep(run({ event: "program" }), "program")).toBe(false);
  });
});
