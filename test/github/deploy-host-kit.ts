import { afterEach, beforeEach, expect } from "vitest";
import type { PlannedStep, StepHandle } from "../../src/domain/deployments.ts";
import type { RepositoryRef } from "../../src/domain/subjects.ts";
import type { AppClient } from "../../src/github/app-client.ts";
import { createDeployHost } from "../../src/github/deploy-host.ts";
import { octokitRepository } from "../../src/github/octokit-port.ts";
import type { DeployHost } from "../../src/pipeline/deploy/work/ports.ts";
import { aGitHub, as, type GitHub } from "../simulator/a-github.ts";
import { plainOctokit } from "./effect-bench.ts";

export const SHOP = "acme/shop";
export const FILE = ".github/workflows/deploy.yml";
export const MARKER = "01ARZ3NDEKTSV4RRFFQ69G5FAV/0";
const PERMISSIONS = { actions: "write", checks: "read", contents: "write", deployments: "write", metadata: "read" };
const { signal } = new AbortController();

/** What deploying reads of GitHub, on a simulator whose answers are held against GitHub's own description. */
export interface DeployBench {
  readonly github: GitHub;
  readonly host: DeployHost;
  readonly repository: RepositoryRef;
  /** Milliseconds since 1970, on GitHub. */
  clock: number;
  /** A step of the newest commit, whose workflow this is. */
  stepWith(workflow: string, way: PlannedStep["way"]): Promise<PlannedStep>;
  /** Forge requests the deployment of a step, or starts its workflow. */
  begin(step: PlannedStep): Promise<StepHandle>;
  follow(step: PlannedStep, handle?: StepHandle): ReturnType<DeployHost["followStep"]>;
  runsOf(step: PlannedStep, handle?: StepHandle): Promise<readonly number[]>;
  lastDeployed(by?: Partial<Parameters<DeployHost["readLastDeployed"]>[2]>): Promise<string | undefined>;
}

export function deployBench(): DeployBench {
  const bench = { clock: 0 } as { -readonly [K in keyof DeployBench]: DeployBench[K] };
  let octokit: ReturnType<typeof plainOctokit>;
  let startedAt: string;
  beforeEach(async () => {
    bench.clock = Date.now();
    bench.github = await aGitHub({ permissions: PERMISSIONS, events: [], clock: () => bench.clock });
    const token = await bench.github.installationToken();
    octokit = plainOctokit(`${bench.github.simulator.origin}/api/v3`, token);
    const client = { repository: () => octokit } as unknown as AppClient;
    bench.host = createDeployHost(client, (text) => text, { login: async () => "forge[bot]" });
    const { id } = as<{ id: number }>(await bench.github.call("GET", "/repos/acme/shop", token));
    bench.repository = { id, owner: "acme", name: "shop", installationId: 2 };
    startedAt = new Date().toISOString();
  });
  afterEach(async () => {
    await bench.github.stop();
    expect(bench.github.simulator.referee.findings).toEqual([]);
  });
  bench.stepWith = async (workflow, way) => {
    const sha = await bench.github.simulator.commit(SHOP, "main", { files: { [FILE]: workflow }, message: "Deploy" });
    const [run = "", step] = MARKER.split("/");
    return {
      ...{ marker: { run, step: Number(step) }, environment: "production", way, sha, ref: "main", workflow: FILE },
      ...{ percentage: 100, task: "deploy", production: true, description: "Forge deploys" },
    };
  };
  bench.begin = async ({ way, ref, environment }) => {
    const here = { owner: "acme", repo: "shop" };
    if (way === "workflow_dispatch") {
      const wanted = { ref, inputs: { marker: MARKER } };
      const { runId } = await octokitRepository(octokit, { owner: "acme", name: "shop" }).dispatchWorkflow(
        "deploy.yml",
        wanted,
      );
      await bench.github.simulator.idle();
      return runId === undefined ? {} : { workflowRunId: runId };
    }
    const wanted = { ref, environment, task: "deploy", payload: {}, auto_merge: false, required_contexts: [] };
    const { data } = await octokit.request("POST /repos/{owner}/{repo}/deployments", { ...here, ...wanted });
    await bench.github.simulator.idle();
    return { deploymentId: (data as { id: number }).id };
  };
  bench.follow = (step, handle = {}) => bench.host.followStep(bench.repository, step, { handle, startedAt }, signal);
  bench.runsOf = (step, handle = {}) => bench.host.readStepRuns(bench.repository, step, { handle, startedAt }, signal);
  bench.lastDeployed = (by = {}) =>
    bench.host.readLastDeployed(bench.repository, "production", { path: FILE, ...by }, signal);
  return bench;
}
