import { z } from "zod";
import { defined } from "../domain/defined.ts";
import type { PlannedStep, StepHandle, StepOutcome } from "../domain/deployments.ts";
import type { RepositoryRef } from "../domain/subjects.ts";
import type { FollowedStep } from "../pipeline/deploy/work/ports.ts";
import { fileOf, ownAmong, sinceOnGitHub } from "./dispatched-runs.ts";
import { readAwaits, readRefusal } from "./held-jobs.ts";
import { Author, isByActions, runIn } from "./last-deployed.ts";
import { Runs } from "./octokit-deployments.ts";
import type { Read } from "./reader.ts";
import { unlessForbidden } from "./unless-forbidden.ts";
import { onlyClaimed, silentRun, unclearRun, unverifiedStatus } from "./words/deploy/begin-refusal.ts";
import { isOfStep, pathOf, readRun, WorkflowRun } from "./workflow-run.ts";

/** How GitHub is asked about a step, each time with a token for that alone. */
export interface StepReads {
  readonly repository: RepositoryRef;
  /** Forge's own. */
  readonly login: string;
  readonly deployments: Read;
  readonly runs: Read;
  readonly checks: Read;
  /** The words of a workflow or a person, cut and on one line. */
  readonly clean: (text: string | null | undefined) => string | undefined;
}

interface Begun {
  readonly handle: StepHandle;
  /** ISO 8601, by the clock of Forge. */
  readonly startedAt: string;
}

const DEPLOYMENT = "GET /repos/{owner}/{repo}/deployments/{deployment_id}";
const Deployment = z.object({ created_at: z.string() });
const Status = Author.extend({
  ...{ id: z.number(), state: z.string(), description: z.string().nullish() },
  ...{ environment_url: z.string().nullish(), log_url: z.string().nullish() },
});
type Status = z.infer<typeof Status>;
const RunsOfCommit = z.object({ workflow_runs: z.array(WorkflowRun) });

/** What became of a step, by its deployment or by the run of its workflow. */
export async function followStep(reads: StepReads, step: PlannedStep, begun: Begun): Promise<FollowedStep> {
  if (step.way === "workflow_dispatch") return followDispatched(reads, step, begun);
  const { deploymentId } = begun.handle;
  return deploymentId === undefined ? { outcome: { is: "waiting" } } : followDeployment(reads, step, deploymentId);
}

/** The runs that came of a step; of a dispatched one, only the run whose number Forge knows. */
export async function readStepRuns(
  reads: StepReads,
  step: PlannedStep,
  { handle, startedAt }: Begun,
): Promise<number[]> {
  if (step.way === "deployment") {
    const runs = handle.deploymentId === undefined ? [] : await runsOfDeployment(reads, step, handle.deploymentId);
    return runs.map(({ id }) => id);
  }
  if (step.way === "program") return [];
  const number = handle.workflowRunId ?? (await findDispatched(reads, step, startedAt)).own?.workflowRunId;
  const run = number === undefined ? undefined : await readRun(reads.runs, number);
  return run && isOfStep(run, step, { repositoryId: reads.repository.id, login: reads.login }) ? [run.id] : [];
}

/** Where GitHub did not tell which run it started, as older servers do not, the run is found by its marker. */
async function followDispatched(
  reads: StepReads,
  step: PlannedStep,
  { handle, startedAt }: Begun,
): Promise<FollowedStep> {
  const { workflowRunId } = handle;
  if (workflowRunId !== undefined) return { outcome: await followRun(reads, step, workflowRunId) };
  const { own, unnamed } = await findDispatched(reads, step, startedAt);
  if (own?.workflowRunId !== undefined)
    return { outcome: await followRun(reads, step, own.workflowRunId), handle: own };
  return { outcome: { is: "waiting" }, ...(unnamed > 0 ? { unclear: unclearRun(step) } : {}) };
}

async function findDispatched({ runs }: StepReads, step: PlannedStep, startedAt: string) {
  const since = sinceOnGitHub(startedAt);
  const wanted = { workflow_id: fileOf(step), event: "workflow_dispatch", created: `>=${since}`, per_page: 100 };
  const listed = await runs(Runs, "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs", wanted);
  return ownAmong(listed ?? [], step, since);
}

/** The run of a workflow that Forge started: its conclusion is the step's. */
async function followRun(reads: StepReads, step: PlannedStep, id: number): Promise<StepOutcome> {
  const run = await readRun(reads.runs, id);
  if (!run) return { is: "failed", detail: "the run of the workflow is gone" };
  const { repository, login } = reads;
  const isOwn = isOfStep(run, step, { repositoryId: repository.id, login });
  if (!isOwn) return { is: "foreign", logUrl: run.html_url };
  // It began at the head of the branch, which may be another commit by then.
  const ranOn = run.head_sha === step.sha ? undefined : run.head_sha;
  return { ...(await outcomeOf(reads, run)), ...defined({ ranOn }) };
}

const NOT_BEGUN: ReadonlySet<string | null> = new Set(["queued", "pending", "requested"]);

async function outcomeOf(reads: StepReads, run: WorkflowRun): Promise<StepOutcome> {
  const logUrl = { logUrl: run.html_url };
  if (run.status === "completed") return { ...(await endOf(reads, run)), ...logUrl };
  if (NOT_BEGUN.has(run.status)) return { is: "waiting", ...logUrl };
  const awaits = await readAwaits(reads.runs, run.id, reads.repository.owner);
  // A run may wait for longer than its jobs are listed as waiting: GitHub then says no more than that.
  if (run.status === "waiting") return { is: "waiting", ...logUrl, awaits: awaits ?? { reviewers: [] } };
  return { is: "running", ...logUrl, ...defined({ awaits }) };
}

async function endOf(reads: StepReads, { id, conclusion }: WorkflowRun): Promise<StepOutcome> {
  if (conclusion === "success") return { is: "done" };
  const refusal = await readRefusal(reads.runs, reads.checks, id);
  if (refusal) return { is: refusal.began ? "failed" : "rejected", ...defined({ detail: reads.clean(refusal.why) }) };
  if (conclusion === "cancelled") return { is: "cancelled" };
  return { is: "failed", ...defined({ detail: reads.clean(`the workflow ended with ${conclusion}`) }) };
}

/**
 * What became of a deployment. Everyone who may push can write a status on it, so a status alone ends nothing: a run that this deployment set
 * off has to stand behind it, and a success counts once that run has ended well. A person's word of a failure takes nothing back either.
 */
async function followDeployment(reads: StepReads, step: PlannedStep, deploymentId: number): Promise<FollowedStep> {
  const wanted = { deployment_id: deploymentId, per_page: 100 };
  const found = await reads.deployments(z.array(Status), `${DEPLOYMENT}/statuses`, wanted);
  if (!found) return { outcome: { is: "failed", detail: "the deployment is gone" } };
  const statuses = found.filter(({ state }) => state !== "inactive").toSorted((one, other) => other.id - one.id);
  const listed = runsOfDeployment(reads, step, deploymentId);
  // What is not over is followed without the permission for workflows too.
  const runs = (await (statuses.some(isFinal) ? listed : listed.catch(unlessForbidden))) ?? [];
  const ended = statuses.filter((one) => isFinal(one) && behind(one, step, runs));
  const last = ended.find(isByActions) ?? ended.find((one) => counts(one, step, runs));
  const run = last && behind(last, step, runs);
  if (last && run) return endedBy(reads, step, last, run);
  const [newest] = statuses;
  const said = newest ? saidBy(newest, reads) : {};
  const isClaimed = newest !== undefined && isFinal(newest);
  const claim = isClaimed ? { detail: unverifiedStatus(newest.state) } : {};
  const outcome: StepOutcome = { is: newest?.state === "in_progress" ? "running" : "waiting", ...said, ...claim };
  const followed = await whileUnderWay(reads, step, outcome, runs);
  const isOver = followed.outcome.is !== "waiting" && followed.outcome.is !== "running";
  return isClaimed && !isOver ? { ...followed, unclear: onlyClaimed(step, newest.state) } : followed;
}

/** Of what others than Actions say: a success, and only where no run that the deployment set off can say otherwise. */
function counts({ state }: Status, { workflow }: PlannedStep, runs: readonly WorkflowRun[]): boolean {
  if (state !== "success") return false;
  return workflow !== undefined || runs.every((run) => run.status === "completed" && run.conclusion === "success");
}

const FINAL: ReadonlySet<string> = new Set(["success", "failure", "error"]);

function isFinal({ state }: Status): boolean {
  return FINAL.has(state);
}

/** The run of the step that a status links to; one that links to none is of the configured workflow, where that has a run. */
function behind({ log_url: link }: Status, { workflow }: PlannedStep, runs: readonly WorkflowRun[]) {
  const id = runIn(link);
  if (id !== undefined) return runs.find((run) => run.id === id);
  return workflow === undefined ? undefined : runs[0];
}

/** The workflow said how it went: so it is, once its run is over and says nothing else. */
async function endedBy(reads: StepReads, step: PlannedStep, last: Status, run: WorkflowRun): Promise<FollowedStep> {
  const said = saidBy(last, reads);
  const handle = handleOf(run);
  // It cannot be done while GitHub holds its jobs back, or while some of them are under way.
  if (run.status === "waiting") return whileUnderWay(reads, step, { is: "waiting" }, [run]);
  if (run.status !== "completed") return whileUnderWay(reads, step, { is: "running", ...said }, [run]);
  if (last.state !== "success") return { outcome: { is: "failed", ...said }, ...handle };
  return { outcome: { ...said, ...(await endOf(reads, run)) }, ...handle };
}

function saidBy({ description, environment_url: url, log_url: logUrl }: Status, { clean }: StepReads) {
  return defined({ detail: clean(description), url: url || undefined, logUrl: logUrl || undefined });
}

function handleOf(run: WorkflowRun | undefined): { readonly handle?: StepHandle } {
  return run ? { handle: { workflowRunId: run.id } } : {};
}

/** Nothing final was said of the deployment. Without a configured workflow its run may be one of several, and only GitHub's no is final. */
async function whileUnderWay(
  reads: StepReads,
  step: PlannedStep,
  said: StepOutcome,
  runs: readonly WorkflowRun[],
): Promise<FollowedStep> {
  const [newest] = runs;
  const run = runs.find(({ status }) => status !== "completed") ?? newest;
  if (!run) return { outcome: said };
  const seen = await outcomeOf(reads, run);
  const told = { ...seen, ...said };
  const handle = handleOf(run);
  if (seen.is === "running" || seen.awaits)
    return { outcome: { ...told, is: seen.awaits ? said.is : "running" }, ...handle };
  const isEnd = seen.is !== "done" && seen.is !== "waiting";
  if (isEnd && (step.workflow !== undefined || seen.is === "rejected")) {
    // After its first word something may be there.
    const is = said.is === "running" ? "failed" : seen.is;
    return { outcome: { ...told, ...seen, is }, ...handle };
  }
  // It took the deployment up and may have deployed without a word.
  return { outcome: said, unclear: silentRun(step, pathOf(run)), ...handle };
}

/** The runs that a deployment of Forge set off, newest first. GitHub says of no run which deployment it belongs to. */
async function runsOfDeployment(reads: StepReads, step: PlannedStep, deploymentId: number): Promise<WorkflowRun[]> {
  const made = await reads.deployments(Deployment, DEPLOYMENT, { deployment_id: deploymentId });
  if (!made) return [];
  // By GitHub's own clock: the run of an earlier step of the same commit is older.
  const wanted = { event: "deployment", head_sha: step.sha, created: `>=${made.created_at}`, per_page: 100 };
  const listed = await reads.runs(RunsOfCommit, "GET /repos/{owner}/{repo}/actions/runs", wanted);
  const of = { repositoryId: reads.repository.id, login: reads.login };
  return (listed?.workflow_runs ?? []).filter((run) => isOfStep(run, step, of));
}
