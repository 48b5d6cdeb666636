// What people and other programs do with deployments, and what their page shows.

import { hasRole } from "../access/permissions.ts";
import { ciApp } from "../actions/ci-apps.ts";
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
  reviewGates,
} from "../actions/gates.ts";
import { requestDeployment } from "../actions/request-deployment.ts";
import { cancelRun, runnerOf } from "../actions/run-workflow.ts";
import { dispatchWorkflow } from "../actions/set-off.ts";
import { finishJob, startWorkflow } from "../actions/workflow-runs.ts";
import type { Deployment, DeploymentState, WorkflowRun } from "../records.ts";
import type { Conduct, Script } from "../running.ts";
import { runState } from "../shapes/workflow.ts";
import { nextId, requireAccount, requireRepository, type World } from "../world.ts";

const MOST_RULES = 6;

interface ConductScope {
  readonly path?: string | null;
  readonly times?: number;
}

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

  /** Made without rules where a job names one that is not there. Teams and wait timers are not simulated. */
  function createEnvironment(
    ownerRepo: string,
    name: string,
    rules: Omit<EnvironmentRules, "reviewers"> & { readonly reviewers?: readonly string[] } = {},
  ): void {
    const reviewers = (rules.reviewers ?? []).map((login) => requireAccount(world, login));
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

  /** Fails the jobs that wait for 30 days by now, as the clock of the simulator says. */
  function expireWaitingJobs(): void {
    expireGates(world);
  }

  function workflowRun(id: number): WorkflowRun {
    const run = world.workflowRuns.get(id);
    if (!run) throw new Error(`no run ${id} in the simulator`);
    return run;
  }

  /** The workflows of a repository: what stands for their steps, and how their runs go. */
  function workflows(ownerRepo: string) {
    const repository = requireRepository(world, ownerRepo);
    const runner = runnerOf(world, repository);
    return {
      /** From now on each job of this file runs the script; without one it succeeds and says nothing. */
      on: (path: string, script: Script) => void runner.scripts.set(path, script),
      /** How the next runs go, of one file or of all, until others are told how; endless where no number is given. */
      conduct: (conduct: Conduct, { path = null, times = Number.POSITIVE_INFINITY }: ConductScope = {}) =>
        void runner.conducts.unshift({ path, conduct, left: times }),
      /** Late ones go on. */
      release: () => {
        for (const goOn of runner.late.splice(0)) goOn();
      },
      cancel: (runId: number) => {
        const going = runner.going.get(runId);
        if (going) cancelRun(world, going);
      },
      /** Another workflow writes a status on a deployment that is none of its business; resolves with its run. */
      claim: async (
        deploymentId: number,
        { path, state }: { readonly path: string; readonly state: DeploymentState },
      ) => {
        const deployment = world.deployments.get(deploymentId);
        if (!deployment) throw new Error(`no deployment ${deploymentId} in the simulator`);
        const wanted = { name: path, path, event: "push", sha: deployment.sha, branch: repository.defaultBranch };
        const app = ciApp(world);
        const run = await startWorkflow(world, repository, { ...wanted, jobs: ["claim"] }, app.bot);
        const [job] = run.jobs;
        if (!job) throw new Error("a run has the job that it was started with");
        createDeploymentStatus(world, deployment, { state }, { user: app.bot, viaApp: app }, job);
        finishJob(world, job, { conclusion: "success" });
        return run.id;
      },
      /** Oldest first. */
      runs: () => [...world.workflowRuns.values()].filter(({ suite }) => suite.repository === repository).map(runView),
    };
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
    workflows,
  };
}

function runView(run: WorkflowRun) {
  const { id, path, event, suite, jobs } = run;
  const seen = jobs.map((job) => ({
    id: job.check.id,
    name: job.check.name,
    status: job.waiting ? "waiting" : job.check.status,
    conclusion: job.check.conclusion,
    log: job.log,
  }));
  return { id, path, event, sha: suite.headSha, ...runState(run), jobs: seen };
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
