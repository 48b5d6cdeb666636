// What people and other programs do with deployments, and what their page shows.

import { hasRole } from "../access/permissions.ts";
import {
  createDeploymentStatus,
  deploymentsOf,
  type NewDeployment,
  type NewDeploymentStatus,
} from "../actions/deployments.ts";
import {
  bypassGates,
  type EnvironmentRules,
  environmentOf,
  expireGates,
  gatesOf,
  createEnvironment as makeEnvironment,
  passTime,
  reviewGates,
} from "../actions/gates.ts";
import { requestDeployment } from "../actions/request-deployment.ts";
import { rerun, runnerOf } from "../actions/run-workflow.ts";
import { dispatchWorkflow } from "../actions/set-off.ts";
import type { Deployment, WorkflowRun } from "../records.ts";
import { nextId, requireAccount, requireRepository, type World } from "../world.ts";

const MOST_RULES = 6;

type WantedRules = Omit<EnvironmentRules, "reviewers"> & {
  readonly reviewers?: readonly string[];
  readonly teams?: Readonly<Record<string, readonly string[]>>;
};

export function deploying(world: World) {
  /** By hand, as with `gh api`; nothing is merged into the ref unless it is asked for. Resolves with its id. */
  async function createDeployment(ownerRepo: string, by: string, wanted: NewDeployment): Promise<number> {
    const author = { user: requireAccount(world, by), viaApp: null };
    const request = { auto_merge: false, required_contexts: [], ...wanted };
    const made = await requestDeployment(world, requireRepository(world, ownerRepo), request, author);
    if ("merged" in made) throw new Error(made.merged);
    return made.deployment.id;
  }

  function setDeploymentStatus(deploymentId: number, by: string, status: NewDeploymentStatus): void {
    const deployment = world.deployments.get(deploymentId);
    if (!deployment) throw new Error(`no deployment ${deploymentId} in the simulator`);
    createDeploymentStatus(world, deployment, status, { user: requireAccount(world, by), viaApp: null });
  }

  /** Oldest first, each with its statuses, oldest first. */
  function deployments(ownerRepo: string) {
    return deploymentsOf(world, requireRepository(world, ownerRepo)).map(deploymentView);
  }

  /** Made without rules where a job names one that is not there. `teams`: logins by the team's slug. */
  function createEnvironment(
    ownerRepo: string,
    name: string,
    { reviewers: logins = [], teams = {}, ...rules }: WantedRules = {},
  ): void {
    const accounts = (all: readonly string[]) => all.map((login) => requireAccount(world, login));
    const made = Object.entries(teams).map(([slug, members]) => ({
      ...{ id: nextId(world), slug, members: accounts(members) },
    }));
    const reviewers = [...accounts(logins), ...made];
    makeEnvironment(world, requireRepository(world, ownerRepo), name, { ...rules, reviewers });
  }

  /** An administrator lets an App decide on each job that names the environment; at most six of them. */
  function enableProtectionRule(ownerRepo: string, name: string, slug: string): void {
    const environment = environmentOf(world, requireRepository(world, ownerRepo), name);
    const app = world.apps.find((each) => each.slug === slug);
    if (!environment || !app) throw new Error(`no environment ${name} or no App ${slug} in the simulator`);
    if (environment.rules.length >= MOST_RULES) throw new Error(`${name} has ${MOST_RULES} rules`);
    environment.rules.push({ id: nextId(world), app });
  }

  /** A required reviewer answers for all environments that a run waits for. */
  function reviewDeployment(
    runId: number,
    by: string,
    state: "approved" | "rejected" = "approved",
    comment = "",
  ): void {
    const run = workflowRun(runId);
    const environments = gatesOf(world, run).map(({ environment }) => environment);
    reviewGates(world, run, { environments, state, comment }, requireAccount(world, by));
  }

  /** Somebody presses "Run workflow" on the default branch. */
  async function dispatch(
    ownerRepo: string,
    workflow: string,
    by: string,
    inputs: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const repository = requireRepository(world, ownerRepo);
    const ref = repository.defaultBranch;
    await dispatchWorkflow(world, repository, workflow, { ref, inputs }, requireAccount(world, by));
  }

  /** An administrator starts all waiting jobs. Throws for others, and where the environment forbids it. */
  function bypassRules(runId: number, by: string): void {
    const run = workflowRun(runId);
    if (!hasRole(run.suite.repository, requireAccount(world, by), "admin"))
      throw new Error(`${by} is no administrator`);
    bypassGates(world, run);
  }

  /** Lets the jobs go whose wait timers have run out, as the clock of the simulator says. */
  function passWaitTimers(): void {
    passTime(world);
  }

  /** "Re-run all jobs": the same number, commit, inputs and payload. */
  function rerunWorkflow(runId: number, by: string): void {
    const run = workflowRun(runId);
    const going = runnerOf(world, run.suite.repository).going.get(runId);
    if (!going) throw new Error(`run ${runId} was not set off by the simulator`);
    rerun(world, going, requireAccount(world, by));
  }

  /** Fails the jobs that wait for 30 days by now, as the clock of the simulator says. */
  function expireWaitingJobs(): void {
    expireGates(world);
  }

  function workflowRun(id: number): WorkflowRun {
    const run = world.workflowRuns.get(id);
    if (!run) throw new Error(`no run ${id} in the simulator`);
    return run;
  }

  return {
    createDeployment,
    setDeploymentStatus,
    deployments,
    createEnvironment,
    enableProtectionRule,
    reviewDeployment,
    dispatch,
    bypassRules,
    expireWaitingJobs,
    passWaitTimers,
    rerunWorkflow,
  };
}

function deploymentView({ id, sha, ref, task, environment, payload, description, creator, statuses }: Deployment) {
  const said = statuses.map((status) => ({
    state: status.state,
    by: status.creator.login,
    description: status.description,
    environmentUrl: status.environmentUrl,
    logUrl: status.logUrl,
  }));
  const state = statuses.at(-1)?.state ?? null;
  return { id, sha, ref, task, environment, payload, description, by: creator.login, state, statuses: said };
}
