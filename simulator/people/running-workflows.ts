// What stands for the workflows of a repository and their runs: how they go, and what they say of deployments.
import { ciApp } from "../actions/ci-apps.ts";
import { createDeployment, createDeploymentStatus } from "../actions/deployments.ts";
import { cancelRun, runnerOf } from "../actions/run-workflow.ts";
import { finishJob, startWorkflow } from "../actions/workflow-runs.ts";
import type { DeploymentState, WorkflowRun } from "../records.ts";
import type { Conduct, Script } from "../running.ts";
import { runState } from "../shapes/workflow.ts";
import { requireAccount, requireRepository, type World } from "../world.ts";

interface ConductScope {
  readonly path?: string | null;
  readonly times?: number;
}

interface Deployed {
  readonly sha: string;
  readonly environment: string;
  readonly path: string;
  readonly event?: string;
  readonly conclusion?: "success" | "failure";
  readonly by: string;
}

export function runningWorkflows(world: World) {
  /** The workflows of a repository: what stands for their steps, and how their runs go. */
  function workflows(ownerRepo: string) {
    const repository = requireRepository(world, ownerRepo);
    const runner = runnerOf(world, repository);
    return {
      /** From now on each job of this file runs the script; without one it succeeds and says nothing. */
      on: (path: string, script: Script) => void runner.scripts.set(path, script),
      /** How the next runs go, of one file or of all. The latest call decides; it counts for all runs where no number is given. */
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
      /** A workflow deploys: its run makes a deployment and says success on it, as github-actions. */
      deployed: async ({ sha, environment, path, event = "push", conclusion = "success", by }: Deployed) => {
        const app = ciApp(world);
        const wanted = { name: path, path, event, sha, branch: repository.defaultBranch };
        const run = await startWorkflow(world, repository, { ...wanted, jobs: ["deploy"] }, requireAccount(world, by));
        const [job] = run.jobs;
        if (!job) throw new Error("a run has the job that it was started with");
        const author = { user: app.bot, viaApp: app };
        const deployment = createDeployment(world, repository, { ref: sha, sha, environment }, author, job);
        const status = { state: "success", log_url: job.check.detailsUrl ?? "" } as const;
        createDeploymentStatus(world, deployment, status, author, job);
        finishJob(world, job, { conclusion });
        return { runId: run.id, deploymentId: deployment.id, page: status.log_url };
      },
      /** Oldest first. */
      runs: () => [...world.workflowRuns.values()].filter(({ suite }) => suite.repository === repository).map(runView),
    };
  }

  return { workflows };
}

function runView(run: WorkflowRun) {
  const { id, path, event, suite, jobs, actor } = run;
  const seen = jobs.map((job) => ({
    id: job.check.id,
    name: job.check.name,
    status: job.waiting ? "waiting" : job.check.status,
    conclusion: job.check.conclusion,
    log: job.log,
  }));
  return { id, path, event, by: actor.login, sha: suite.headSha, ...runState(run), jobs: seen };
}
