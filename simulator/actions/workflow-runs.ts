// GitHub Actions, as far as others see it: runs of workflows with jobs that begin and end as they are told.
import { randomUUID } from "node:crypto";
import { commitInfo } from "../git/commits.ts";
import type { Account, Annotation, Job, JobStep, Repository, WorkflowRun } from "../records.ts";
import { suiteState } from "../shapes/check.ts";
import { deploymentShape } from "../shapes/deployment.ts";
import { jobShape, runPage, workflowRunShape, workflowShape } from "../shapes/workflow.ts";
import { emit } from "../webhooks/emit.ts";
import { nextId, now, type World } from "../world.ts";
import { createCheckRun, updateCheckRun } from "./check-runs.ts";
import { createSuite } from "./check-suites.ts";
import { ciApp } from "./ci-apps.ts";

export interface NewWorkflowRun {
  readonly name: string;
  readonly path: string;
  readonly event: string;
  readonly sha: string;
  readonly branch: string | null;
  readonly ref?: string;
  /** The first line of the commit when left out. */
  readonly title?: string;
}

/** All jobs are under way when it resolves. */
export async function startWorkflow(
  world: World,
  repository: Repository,
  { jobs, ...wanted }: NewWorkflowRun & { readonly jobs: readonly string[] },
  actor: Account,
): Promise<WorkflowRun> {
  const run = await createRun(world, repository, wanted, actor);
  for (const name of jobs) startJob(world, createJob(world, run, name));
  emitRun(world, run, "in_progress");
  return run;
}

/** Each run has a check suite of its own. */
export async function createRun(
  world: World,
  repository: Repository,
  wanted: NewWorkflowRun,
  actor: Account,
): Promise<WorkflowRun> {
  const { name, path, event, sha, branch, ref } = wanted;
  const earlier = [...world.workflowRuns.values()].filter(
    (each) => each.suite.repository === repository && each.path === path,
  );
  const run: WorkflowRun = {
    id: nextId(world),
    workflowId: workflowIdOf(world, repository, path),
    name,
    path,
    runNumber: earlier.length + 1,
    event,
    title: wanted.title ?? (await commitInfo(repository.directory, sha)).message.split("\n")[0] ?? "",
    actor,
    suite: await createSuite(world, repository, ciApp(world), { sha, branch, before: null }),
    jobs: [],
    ...(ref === undefined ? {} : { ref }),
    createdAt: now(),
    updatedAt: now(),
  };
  world.workflowRuns.set(run.id, run);
  emitRun(world, run, "requested");
  return run;
}

/** The same for all runs of one file. */
export function workflowIdOf(world: World, repository: Repository, path: string): number {
  const key = `${repository.id} ${path}`;
  const known = [...world.workflowRuns.values()].find(
    (each) => each.suite.repository === repository && each.path === path,
  );
  const id = world.workflowIds.get(key) ?? known?.workflowId ?? nextId(world);
  world.workflowIds.set(key, id);
  return id;
}

/** Queued. */
export function createJob(world: World, workflowRun: WorkflowRun, name: string): Job {
  const { suite, actor } = workflowRun;
  const page = (id: number) => `${runPage(world, workflowRun)}/job/${id}`;
  const change = { name, status: "queued", external_id: randomUUID() } as const;
  const check = createCheckRun(world, suite, change, actor, page);
  const job: Job = { check, workflowRun, steps: [], log: null };
  workflowRun.jobs.push(job);
  world.jobs.set(check.id, job);
  emitJob(world, job, "queued");
  return job;
}

/** A runner takes it. */
export function startJob(world: World, job: Job): void {
  job.waiting = false;
  updateCheckRun(world, job.check, { status: "in_progress" }, job.workflowRun.actor);
  emitJob(world, job, "in_progress");
}

/** The rules of its environment hold it back. */
export function holdJob(world: World, job: Job): void {
  job.waiting = true;
  emitJob(world, job, "waiting");
}

export interface JobEnd {
  readonly conclusion: "success" | "failure" | "cancelled" | "skipped" | "timed_out";
  /** Without times: each line gets one, as in a log of Actions. */
  readonly log?: string | undefined;
  readonly steps?: readonly JobStep[] | undefined;
  readonly annotations?: readonly Annotation[] | undefined;
}

/** The last job that ends completes the suite and then the run. Throws when the job has ended before. */
export function finishJob(world: World, job: Job, end: JobEnd): void {
  const { check, workflowRun } = job;
  if (check.status === "completed") throw new Error(`job ${check.id} has ended before`);
  const { conclusion, log = "", steps, annotations = [] } = end;
  job.log = timed(log);
  job.waiting = false;
  job.steps = steps ?? [{ name: "Set up job", conclusion: "success" }];
  workflowRun.updatedAt = now();
  updateCheckRun(world, check, { conclusion, output: { annotations } }, workflowRun.actor);
  emitJob(world, job, "completed");
  if (suiteState(workflowRun.suite).status === "completed") emitRun(world, workflowRun, "completed");
}

/** Ends a run that never had jobs. */
export function dropRun(world: World, run: WorkflowRun): void {
  run.conclusion = "cancelled";
  run.pending = false;
  run.updatedAt = now();
  emitRun(world, run, "completed");
}

/** A byte order mark opens the file, and a time opens each line, as in https://github.com/makoni/actioneer-gtk/pull/13. */
function timed(log: string): string {
  const time = now().replace("Z", ".0000000Z");
  return `\uFEFF${log
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${time} ${line}\n`)
    .join("")}`;
}

function emitJob(world: World, job: Job, action: "queued" | "waiting" | "in_progress" | "completed"): void {
  const { workflowRun, deployment } = job;
  const shapes = {
    workflow_job: jobShape(world, job),
    ...(deployment ? { deployment: deploymentShape(world, deployment) } : {}),
  };
  emit(world, workflowRun.suite.repository, "workflow_job", { action, ...shapes }, workflowRun.actor);
}

export function emitRun(world: World, run: WorkflowRun, action: "requested" | "in_progress" | "completed"): void {
  const shapes = {
    workflow: workflowShape(world, run, run.suite.repository),
    workflow_run: workflowRunShape(world, run),
  };
  emit(world, run.suite.repository, "workflow_run", { action, ...shapes }, run.actor);
}
