import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PlannedStep } from "../../src/domain/deployments.ts";
import type { AppClient } from "../../src/github/app-client.ts";
import { createDeployHost } from "../../src/github/deploy-host.ts";
import { octokitRepository } from "../../src/github/octokit-port.ts";
import type { DeployHost } from "../../src/pipeline/deploy/work/ports.ts";
import { aGitHub, type GitHub } from "../simulator/a-github.ts";
import { plainOctokit } from "./effect-bench.ts";

const SHOP = "acme/shop";
const FILE = ".github/workflows/deploy.yml";
const MARKER = "01ARZ3NDEKTSV4RRFFQ69G5FAV/0";
const PERMISSIONS = { actions: "write", contents: "write", deployments: "write", metadata: "read" };
const { signal } = new AbortController();
const repository = { id: 1, owner: "acme", name: "shop", installationId: 2 };

let github: GitHub;
let host: DeployHost;
let startedAt: string;
let octokit: ReturnType<typeof plainOctokit>;
beforeEach(async () => {
  github = await aGitHub({ permissions: PERMISSIONS, events: [] });
  octokit = plainOctokit(`${github.simulator.origin}/api/v3`, await github.installationToken());
  host = createDeployHost({ repository: () => octokit } as unknown as AppClient, (text) => text);
  startedAt = new Date().toISOString();
});
afterEach(async () => {
  await github.stop();
  expect(github.simulator.referee.findings).toEqual([]);
});

async function stepWith(workflow: string, way: PlannedStep["way"]): Promise<PlannedStep> {
  const sha = await github.simulator.commit(SHOP, "main", { files: { [FILE]: workflow }, message: "Deploy" });
  const [run = "", step] = MARKER.split("/");
  return {
    ...{ marker: { run, step: Number(step) }, environment: "production", way, sha, ref: "main", workflow: FILE },
    ...{ percentage: 100, task: "deploy", production: true, description: "Forge deploys" },
  };
}
const follow = (step: PlannedStep, handle = {}) => host.followStep(repository, step, { handle, startedAt }, signal);

describe("DEP-2: a workflow that was started by a GitHub that does not tell its run", () => {
  const dispatched = (title: string) =>
    `run-name: ${title}\non: { workflow_dispatch: { inputs: { marker: {} } } }\njobs: { deploy: {} }\n`;
  const start = () =>
    octokitRepository(octokit, { owner: "acme", name: "shop" }).dispatchWorkflow("deploy.yml", {
      ref: "main",
      inputs: { marker: MARKER },
    });

  it("is followed by its marker", async () => {
    const step = await stepWith(dispatched(`Deploy \${{ inputs.marker }}`), "workflow_dispatch");
    expect(await follow(step)).toEqual({ outcome: { is: "waiting" } });
    await start();
    await github.simulator.idle();
    const [run] = github.simulator.workflows(SHOP).runs();
    expect(await follow(step)).toMatchObject({ outcome: { is: "done" }, handle: { workflowRunId: run?.id } });
  });

  it("may be there where its runs do not name their marker", async () => {
    const step = await stepWith(dispatched("Deploy"), "workflow_dispatch");
    await start();
    await github.simulator.idle();
    expect(await follow(step)).toEqual({
      outcome: { is: "waiting" },
      unclear: expect.stringContaining("Cannot tell which run"),
    });
  });
});

describe("DEP-2: a deployment of which nobody says anything", () => {
  it.each([
    ["that no workflow took up has not begun", "never", undefined],
    ["that a workflow took up, which then ended well, may be there", "react", "took it up and said nothing"],
  ] as const)("%s", async (_what, conduct, unclear) => {
    const step = await stepWith("on: deployment\njobs: { deploy: {} }\n", "deployment");
    github.simulator.workflows(SHOP).conduct(conduct);
    const wanted = { ref: step.ref, environment: "production", task: "deploy", payload: {}, required_contexts: [] };
    const { data } = await octokit.request("POST /repos/{owner}/{repo}/deployments", {
      ...{ owner: "acme", repo: "shop" },
      ...wanted,
    });
    await github.simulator.idle();
    const seen = await follow(step, { deploymentId: (data as { id: number }).id });
    expect(seen.outcome.is).toBe("waiting");
    if (unclear === undefined) expect(seen.unclear).toBeUndefined();
    else expect(seen.unclear).toContain(unclear);
  });
});
