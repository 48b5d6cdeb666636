// What the project's own CI does: checks of other Apps, commit statuses, and workflows of GitHub Actions.
import { createCheckRun, updateCheckRun } from "../actions/check-runs.ts";
import { createSuite, suiteOf } from "../actions/check-suites.ts";
import { ciApp } from "../actions/ci-apps.ts";
import { createStatus } from "../actions/statuses.ts";
import { finishJob as endJob, type JobEnd, startWorkflow as makeWorkflowRun } from "../actions/workflow-runs.ts";
import { commitOf, refsOf } from "../git/bare-repository.ts";
import type { Annotation, Repository, Status } from "../records.ts";
import { requireAccount, requireRepository, type World } from "../world.ts";

export interface CheckOptions {
  /** Slug of the App whose check it is; made when it is not known yet. */
  readonly app: string;
  readonly name: string;
  readonly sha: string;
}

export interface CheckEnd {
  readonly conclusion: "success" | "failure" | "neutral" | "cancelled" | "skipped" | "timed_out" | "action_required";
  readonly title?: string;
  readonly summary?: string;
  readonly text?: string;
  readonly annotations?: readonly Annotation[];
}

export interface StatusOptions {
  readonly sha: string;
  readonly state: Status["state"];
  /** Default "default", as GitHub's. */
  readonly context?: string;
  readonly description?: string;
  readonly targetUrl?: string;
  readonly by: string;
}

export interface WorkflowOptions {
  readonly sha: string;
  /** Names of its jobs. */
  readonly jobs: readonly string[];
  /** Who pushed, or pressed the button. */
  readonly by: string;
  /** Default "CI". */
  readonly name?: string;
  /** Default ".github/workflows/ci.yml". */
  readonly path?: string;
  /** Default "push". */
  readonly event?: string;
}

export function integrating(world: World) {
  /** A check of another App, in progress. */
  async function startCheck(ownerRepo: string, { app: slug, name, sha }: CheckOptions): Promise<{ id: number }> {
    const repository = requireRepository(world, ownerRepo);
    const app = ciApp(world, slug);
    const head = { sha: await commit(repository, sha), branch: await branchOf(repository, sha), before: null };
    const suite = suiteOf(repository, app, sha) ?? (await createSuite(world, repository, app, head));
    return { id: createCheckRun(world, suite, { name, status: "in_progress" }, app.bot).id };
  }

  /** The last check of its App on that commit completes the suite. */
  function finishCheck(checkRunId: number, { conclusion, ...output }: CheckEnd): void {
    const run = world.checkRuns.get(checkRunId);
    if (!run) throw new Error(`no check run ${checkRunId} in the simulator`);
    updateCheckRun(world, run, { conclusion, output }, run.suite.app.bot);
  }

  async function setStatus(ownerRepo: string, options: StatusOptions): Promise<void> {
    const repository = requireRepository(world, ownerRepo);
    const { state, context = "default", description = null, targetUrl = null, by } = options;
    const sha = await commit(repository, options.sha);
    await createStatus(world, repository, { sha, state, context, description, targetUrl }, requireAccount(world, by));
  }

  /** A run of a workflow with all its jobs in progress; resolves with the ids of its jobs by name. */
  async function startWorkflow(
    ownerRepo: string,
    options: WorkflowOptions,
  ): Promise<{ id: number; jobs: Record<string, number> }> {
    const repository = requireRepository(world, ownerRepo);
    const { name = "CI", path = ".github/workflows/ci.yml", event = "push", jobs, by } = options;
    const sha = await commit(repository, options.sha);
    const branch = await branchOf(repository, sha);
    const wanted = { name, path, event, jobs, sha, branch };
    const run = await makeWorkflowRun(world, repository, wanted, requireAccount(world, by));
    return { id: run.id, jobs: Object.fromEntries(run.jobs.map(({ check }) => [check.name, check.id])) };
  }

  /** The last job that ends completes the run. Throws when it has ended before. */
  function finishJob(jobId: number, end: JobEnd): void {
    const job = world.jobs.get(jobId);
    if (!job) throw new Error(`no job ${jobId} in the simulator`);
    endJob(world, job, end);
  }

  return { startCheck, finishCheck, setStatus, startWorkflow, finishJob };
}

async function commit(repository: Repository, sha: string): Promise<string> {
  const found = await commitOf(repository.directory, sha);
  if (!found) throw new Error(`no commit ${sha} in the repository`);
  return found;
}

async function branchOf({ directory }: Repository, sha: string): Promise<string | null> {
  const heads = [...(await refsOf(directory))].filter(([ref]) => ref.startsWith("refs/heads/"));
  return heads.find(([, tip]) => tip === sha)?.[0].slice("refs/heads/".length) ?? null;
}
