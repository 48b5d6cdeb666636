// Runs of workflows that something set off: their concurrency, their jobs, and the scripts that stand for their steps.
import { Problem } from "../problem.ts";
import type { Account, Annotation, Job, Repository } from "../records.ts";
import type { Going, PlannedJob, Runner, RunningJob } from "../running.ts";
import { runState } from "../shapes/workflow.ts";
import { inBackground } from "../webhooks/queue.ts";
import type { World } from "../world.ts";
import { ciApp } from "./ci-apps.ts";
import { createDeploymentStatus, type NewDeploymentStatus } from "./deployments.ts";
import { beginInEnvironment, enterEnvironment, forgetGates, leaveEnvironment } from "./gates.ts";
import { createJob, dropRun, emitRun, finishJob, type JobEnd, startJob } from "./workflow-runs.ts";

export function runnerOf(world: World, { id }: Repository): Runner {
  const found = world.runners.get(id);
  if (found) return found;
  const runner: Runner = { scripts: new Map(), conducts: [], late: [], going: new Map() };
  world.runners.set(id, runner);
  return runner;
}

function goingOf(world: World, job: Job): Going {
  const { suite, id } = job.workflowRun;
  const going = runnerOf(world, suite.repository).going.get(id);
  if (!going) throw new Error(`run ${id} was not set off by the simulator`);
  return going;
}

/** One run of a group is under way and one is pending; a newer one takes the place of the one that is pending.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#concurrency */
export function beginRun(world: World, going: Going, cancels: boolean): void {
  const { run, group } = going;
  const { going: all } = runnerOf(world, run.suite.repository);
  const others = [...all.values()].filter((each) => group !== null && each.group === group && !isOver(each));
  all.set(run.id, going);
  for (const other of others) if (cancels || other.run.pending) cancelRun(world, other);
  run.pending = others.some((each) => !isOver(each));
  if (!run.pending) startJobs(world, going);
}

function isOver({ run }: Going): boolean {
  return runState(run).status === "completed";
}

function startJobs(world: World, going: Going): void {
  const { run, plan, conduct } = going;
  run.pending = false;
  for (const { name } of plan) createJob(world, run, name);
  if (conduct === "cancel") cancelRun(world, going);
  else if (conduct !== "unclaimed") startReady(world, going);
}

/** Jobs whose needs have succeeded begin; those behind one that did not are skipped. */
function startReady(world: World, going: Going): void {
  const { plan, run } = going;
  for (const [index, planned] of plan.entries()) {
    const job = run.jobs[index];
    if (job?.check.status !== "queued" || job.waiting || going.started.has(job)) continue;
    const needed = run.jobs.filter((_, other) => planned.needs.includes(plan[other]?.id ?? ""));
    if (needed.some(({ check }) => check.status !== "completed")) continue;
    going.started.add(job);
    if (needed.some(({ check }) => check.conclusion !== "success")) end(world, job, { conclusion: "skipped" });
    else enter(world, going, job, planned);
  }
}

function enter(world: World, going: Going, job: Job, planned: PlannedJob): void {
  const passed = (isLetIn: boolean, words?: string) => {
    if (job.check.status === "completed") return;
    if (isLetIn) inBackground(world.queue, () => work(world, going, job, planned));
    else end(world, job, { conclusion: "failure", log: words, annotations: refusalOf(words), steps: [] });
  };
  enterEnvironment(world, job, planned, passed);
}

/** GitHub writes the reason on the job, as an annotation, and nowhere else. */
function refusalOf(message: string | undefined): readonly Annotation[] {
  const place = { path: ".github", start_line: 1, end_line: 1, annotation_level: "failure" } as const;
  return message ? [{ ...place, message }] : [];
}

async function work(world: World, going: Going, job: Job, planned: PlannedJob): Promise<void> {
  const { run, conduct, deployment } = going;
  const runner = runnerOf(world, run.suite.repository);
  startJob(world, job);
  beginInEnvironment(world, job);
  if (!going.begun) emitRun(world, run, "in_progress");
  const script = runner.scripts.get(run.path);
  const tell = (status: NewDeploymentStatus) => {
    if (deployment && script && conduct !== "silent") sayAs(world, going, job, status);
  };
  if (!going.begun) tell({ state: "in_progress" });
  going.begun = true;
  if (conduct === "hang") return;
  const goOn = async () => {
    if (job.check.status === "completed") return;
    const result = await outcomeOf(world, going, job, planned);
    if (going.cancel.signal.aborted || world.stopping.signal.aborted) return;
    const { failure, environmentUrl } = result;
    const isLast = run.jobs.every((each) => each === job || each.check.status === "completed");
    const more = { description: failure ?? "", ...(environmentUrl ? { environment_url: environmentUrl } : {}) };
    const state = failure === null ? "success" : "failure";
    if (isLast || failure !== null)
      for (let times = conduct === "twice" ? 2 : 1; times > 0; times--) tell({ state, ...more });
    end(world, job, { conclusion: state, log: failure ?? "" });
  };
  if (conduct === "late") runner.late.push(() => inBackground(world.queue, goOn));
  else await goOn();
}

interface Outcome {
  /** In words; null when it went well. */
  readonly failure: string | null;
  readonly environmentUrl?: string | undefined;
}

const LONGEST_FAILURE = 140;

async function outcomeOf(world: World, going: Going, job: Job, planned: PlannedJob): Promise<Outcome> {
  const { run, conduct } = going;
  const script = runnerOf(world, run.suite.repository).scripts.get(run.path);
  if (conduct === "fail") return { failure: "the deployment failed" };
  if (conduct === "lie" || !script) return { failure: null };
  try {
    let environmentUrl: string | undefined;
    const show = (url: string) => {
      environmentUrl = url;
    };
    const running = { ...runningJob(world, going, job, planned), show };
    await Promise.race([script(running), untilAborted(running.signal)]);
    return { failure: null, environmentUrl };
  } catch (error) {
    return { failure: (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_FAILURE) };
  }
}

function untilAborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
}

function runningJob(world: World, going: Going, job: Job, { name, environment }: PlannedJob): Omit<RunningJob, "show"> {
  const { run, deployment, payload, inputs, cancel } = going;
  return {
    runId: run.id,
    name,
    event: run.event,
    sha: run.suite.headSha,
    ref: run.ref ?? "",
    environment: environment ?? deployment?.environment ?? null,
    payload,
    inputs,
    deploymentId: deployment?.id ?? null,
    signal: AbortSignal.any([cancel.signal, world.stopping.signal]),
    say: (state, { description, environmentUrl } = {}) =>
      sayAs(world, going, job, {
        state,
        ...(description === undefined ? {} : { description }),
        ...(environmentUrl === undefined ? {} : { environment_url: environmentUrl }),
      }),
  };
}

function sayAs(world: World, { deployment }: Going, job: Job, status: NewDeploymentStatus): void {
  if (!deployment) throw new Error("no deployment set this workflow off");
  const app = ciApp(world);
  const log_url = job.check.detailsUrl ?? "";
  createDeploymentStatus(world, deployment, { log_url, ...status }, { user: app.bot, viaApp: app }, job);
}

/** Ends a job and begins what waited for it: its followers, or the next run of its group. */
function end(world: World, job: Job, result: JobEnd): void {
  finishJob(world, job, result);
  leaveEnvironment(world, job, result.conclusion);
  const going = goingOf(world, job);
  if (isOver(going)) startPending(world, going);
  else startReady(world, going);
}

function startPending(world: World, { run, group }: Going): void {
  const all = [...runnerOf(world, run.suite.repository).going.values()];
  const next = all.find((each) => group !== null && each.group === group && each.run.pending);
  if (next) startJobs(world, next);
}

/** Starts all jobs of a run again: the same commit, the same inputs and the same payload, under the same number. */
export function rerun(world: World, going: Going, by: Account): void {
  const { run } = going;
  if (!isOver(going)) throw new Problem(403, "This workflow is already running");
  run.again = { attempt: (run.again?.attempt ?? 1) + 1, by };
  run.jobs.length = 0;
  delete run.conclusion;
  beginRun(world, { ...going, cancel: new AbortController(), begun: false, started: new Set() }, false);
}

/** As its concurrency group or a person does. Nothing happens to one that is over. */
export function cancelRun(world: World, going: Going): void {
  const { run } = going;
  if (isOver(going)) return;
  going.cancel.abort();
  forgetGates(world, run);
  if (run.jobs.length === 0) dropRun(world, run);
  for (const job of run.jobs) {
    if (job.check.status === "completed") continue;
    finishJob(world, job, { conclusion: "cancelled" });
    leaveEnvironment(world, job, "cancelled");
  }
  startPending(world, going);
}
