// GitHub Actions, as far as others see it: runs of workflows with jobs that begin and end as they are told.
import { randomUUID } from "node:crypto";
import { commitInfo } from "../git/commits.ts";
import type { Account, Annotation, Job, JobStep, Repository, WorkflowRun } from "../records.ts";
import { suiteState } from "../shapes/check.ts";
import { runPage, workflowRunShape, workflowShape } from "../shapes/workflow.ts";
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
  readonly jobs: readonly string[];
}

/** All jobs are under way when it resolves. Each run has a check suite of its own. */
export async function startWorkflow(
  world: World,
  repository: Repository,
  wanted: NewWorkflowRun,
  actor: Account,
): Promise<WorkflowRun> {
  const { name, path, event, sha, branch } = wanted;
  const earlier = [...world.workflowRuns.values()].filter(
    (each) => each.suite.repository === repository && each.path === path,
  );
  const run: WorkflowRun = {
    id: nextId(world),
    workflowId: earlier[0]?.workflowId ?? nextId(world),
    name,
    path,
    runNumber: earlier.length + 1,
    event,
    title: (await commitInfo(repository.directory, sha)).message.split("\n")[0] ?? "",
    actor,
    suite: await createSuite(world, repository, ciApp(world), { sha, branch, before: null }),
    jobs: [],
    createdAt: now(),
    updatedAt: now(),
  };
  world.workflowRuns.set(run.id, run);
  emitRun(world, run, "requested");
  for (const each of wanted.jobs) startJob(world, run, each);
  emitRun(world, run, "in_progress");
  return run;
}

function startJob(world: World, workflowRun: WorkflowRun, name: string): void {
  const { suite, actor } = workflowRun;
  const page = (id: number) => `${runPage(world, workflowRun)}/job/${id}`;
  const change = { name, status: "in_progress", external_id: randomUUID() } as const;
  const check = createCheckRun(world, suite, change, actor, page);
  const job: Job = { check, workflowRun, steps: [], log: null };
  workflowRun.jobs.push(job);
  world.jobs.set(check.id, job);
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
  job.steps = steps ?? [{ name: "Set up job", conclusion: "success" }];
  workflowRun.updatedAt = now();
  updateCheckRun(world, check, { conclusion, output: { annotations } }, workflowRun.actor);
  if (suiteState(workflowRun.suite).status === "completed") emitRun(world, workflowRun, "completed");
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

function emitRun(world: World, run: WorkflowRun, action: "requested" | "in_progress" | "completed"): void {
  const shapes = { workflow: workflowShape(world, run), workflow_run: workflowRunShape(world, run) };
  emit(world, run.suite.repository, "workflow_run", { action, ...shapes }, run.actor);
}
