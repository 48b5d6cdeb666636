import { z } from "zod";
import { defined } from "../domain/defined.ts";
import type { PlannedStep, StepHandle, StepOutcome } from "../domain/deployments.ts";
import { ForgeError } from "../domain/errors.ts";
import type { RepositoryRef } from "../domain/subjects.ts";
import type { DeployHost, FollowedStep, LandedPull, MergedPull, VersionRange } from "../pipeline/deploy/work/ports.ts";
import type { Redact } from "../safety/redact.ts";
import { redactBeginning } from "../safety/redact-beginning.ts";
import type { AppClient } from "./app-client.ts";
import { fileOf, ownAmong, sinceOnGitHub } from "./dispatched-runs.ts";
import { Runs } from "./octokit-deployments.ts";
import { CONTENTS_PERMISSIONS, DEPLOY_READ_PERMISSIONS, LOG_PERMISSIONS, READ_PERMISSIONS } from "./permissions.ts";
import { createReader, type Read } from "./reader.ts";
import { silentRun, unclearRun } from "./words/deploy/begin-refusal.ts";

/** Commits of a range whose pull requests are looked up. */
const COMMITS = 60;
/** Characters of what a workflow says of itself. */
const DETAIL = 200;

const Commit = z.object({ sha: z.string() });
const Comparison = z.object({
  status: z.enum(["ahead", "behind", "identical", "diverged"]),
  total_commits: z.number().int(),
  commits: z.array(Commit),
  files: z.array(z.object({ filename: z.string() })).nullish(),
});
const PullsOfCommit = z.array(
  z.object({
    number: z.number().int(),
    title: z.string(),
    merged_at: z.string().nullish(),
    user: z.object({ login: z.string() }).nullish(),
    base: z.object({ ref: z.string() }),
    head: z.object({ sha: z.string() }),
    merge_commit_sha: z.string().nullish(),
  }),
);
const Status = z.object({
  id: z.number(),
  state: z.string(),
  description: z.string().nullish(),
  environment_url: z.string().nullish(),
  log_url: z.string().nullish(),
});
const WorkflowRun = z.object({
  status: z.string().nullable(),
  conclusion: z.string().nullish(),
  path: z.string(),
  head_sha: z.string(),
  html_url: z.string(),
});

const IS = { ahead: "ahead", behind: "behind", identical: "same", diverged: "diverged" } as const;

/** Reads what lies between versions, and what became of a step of a deployment, through the REST API (DEP-2). */
export function createDeployHost(client: Pick<AppClient, "repository">, redact: Redact): DeployHost {
  const as = (repository: RepositoryRef, permissions: Parameters<typeof createReader>[2], signal: AbortSignal) =>
    createReader(client, repository, permissions, signal);
  const clean = (text: string | null | undefined) => {
    const words = redactBeginning(text ?? "", redact)
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, DETAIL);
    return words === "" ? undefined : words;
  };
  return {
    readRange: (repository, from, to, signal) => readRange(as(repository, READ_PERMISSIONS, signal), from, to),
    readLanded: (repository, shas, signal) => readLanded(as(repository, READ_PERMISSIONS, signal), shas),
    compare: async (repository, from, to, signal) => {
      const compared = await compare(as(repository, READ_PERMISSIONS, signal), from, to);
      return compared && { is: IS[compared.status], files: filesOf(compared) };
    },
    readCommit: async (repository, written, signal) => {
      const read = as(repository, CONTENTS_PERMISSIONS, signal);
      const commit = await read(Commit, "GET /repos/{owner}/{repo}/commits/{ref}", { ref: written });
      return commit?.sha.startsWith(written.toLowerCase()) ? commit.sha : undefined;
    },
    followStep: async (repository, step, { handle, startedAt }, signal) => {
      const runs = as(repository, LOG_PERMISSIONS, signal);
      if (step.way === "workflow_dispatch") return followDispatched(runs, step, handle, startedAt, clean);
      if (handle.deploymentId === undefined) return { outcome: { is: "waiting" } };
      const read = as(repository, DEPLOY_READ_PERMISSIONS, signal);
      const outcome = await followDeployment(read, runs, step, handle.deploymentId, clean);
      return { outcome, ...(outcome.is === "waiting" ? await silent(runs, step, startedAt) : {}) };
    },
  };
}

async function readRange(read: Read, from: string | undefined, to: string): Promise<VersionRange | undefined> {
  if (from === undefined) {
    const commit = await read(Commit, "GET /repos/{owner}/{repo}/commits/{ref}", { ref: to });
    return commit && { is: "ahead", ...(await pullsOf(read, [to])), more: 0, files: [] };
  }
  const compared = await compare(read, from, to);
  if (!compared) return undefined;
  const { status, total_commits: total, commits } = compared;
  const newest = commits
    .map(({ sha }) => sha)
    .toReversed()
    .slice(0, COMMITS);
  const found = await pullsOf(read, newest);
  return {
    is: IS[status],
    ...found,
    more: Math.max(0, total - newest.length),
    files: filesOf(compared),
  };
}

function compare(read: Read, from: string, to: string) {
  return read(Comparison, "GET /repos/{owner}/{repo}/compare/{basehead}", { basehead: `${from}...${to}` });
}

function filesOf({ files }: z.infer<typeof Comparison>): string[] {
  return (files ?? []).map(({ filename }) => filename);
}

/** One request for each commit, a few at a time. */
async function readLanded(read: Read, shas: readonly string[]): Promise<Map<string, LandedPull[]>> {
  const found = new Map<string, LandedPull[]>();
  for (let at = 0; at < shas.length; at += LANDED_AT_ONCE) {
    const some = shas.slice(at, at + LANDED_AT_ONCE);
    await Promise.all(some.map(async (sha) => found.set(sha, (await mergedPullsOf(read, sha)).map(toLanded))));
  }
  return found;
}

const LANDED_AT_ONCE = 5;

async function mergedPullsOf(read: Read, sha: string) {
  const route = "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls";
  const pulls = (await read(PullsOfCommit, route, { commit_sha: sha, per_page: 100 })) ?? [];
  return pulls.filter(({ merged_at: at }) => at !== null && at !== undefined);
}

function toLanded(pull: z.infer<typeof PullsOfCommit>[number]): LandedPull {
  const { number, title, user, head, base, merge_commit_sha: as } = pull;
  return { number, title, author: user?.login ?? "ghost", head: head.sha, base: base.ref, mergedAs: as ?? undefined };
}

/** The merged pull requests that brought commits, newest first, and how many commits came by none. */
async function pullsOf(read: Read, shas: readonly string[]): Promise<Pick<VersionRange, "pulls" | "direct">> {
  const found = new Map<number, MergedPull>();
  let direct = 0;
  for (const sha of shas) {
    const merged = await mergedPullsOf(read, sha);
    if (merged.length === 0) direct += 1;
    for (const { number, title, user } of merged) found.set(number, { number, title, author: user?.login ?? "ghost" });
  }
  return { pulls: [...found.values()], direct };
}

type Clean = (text: string | null | undefined) => string | undefined;

/** Where GitHub did not tell which run it started, as older servers do not, the run is found by its marker. */
async function followDispatched(
  read: Read,
  step: PlannedStep,
  handle: StepHandle,
  startedAt: string,
  clean: Clean,
): Promise<FollowedStep> {
  if (handle.workflowRunId !== undefined) return { outcome: await followRun(read, handle, clean) };
  const since = sinceOnGitHub(startedAt);
  const wanted = { workflow_id: fileOf(step), event: "workflow_dispatch", created: `>=${since}`, per_page: 100 };
  const listed = await read(Runs, "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs", wanted);
  const { own, unnamed } = ownAmong(listed ?? [], step, since);
  if (own) return { outcome: await followRun(read, own, clean), handle: own };
  return { outcome: { is: "waiting" }, ...(unnamed > 0 ? { unclear: unclearRun(step) } : {}) };
}

const RunsOfCommit = z.object({ workflow_runs: z.array(z.object({ path: z.string(), created_at: z.string() })) });

/** A workflow that reacted to the deployment and says nothing on it may have deployed all the same. */
async function silent(read: Read, step: PlannedStep, startedAt: string): Promise<Pick<FollowedStep, "unclear">> {
  const since = sinceOnGitHub(startedAt);
  const wanted = { event: "deployment", head_sha: step.sha, created: `>=${since}`, per_page: 100 };
  const listed = await read(RunsOfCommit, "GET /repos/{owner}/{repo}/actions/runs", wanted).catch(unlessForbidden);
  const found = (listed?.workflow_runs ?? []).find(
    ({ path, created_at: at }) =>
      Date.parse(at) >= Date.parse(since) && [undefined, path.split("@")[0]].includes(step.workflow),
  );
  return found ? { unclear: silentRun(step, found.path.split("@")[0] ?? found.path) } : {};
}

/** Deployments are followed without the permission for workflows too. */
function unlessForbidden(error: unknown): undefined {
  if (error instanceof ForgeError && error.code === "github_forbidden") return;
  throw error;
}

/** The run of a workflow: its conclusion is the step's. */
async function followRun(read: Read, { workflowRunId }: StepHandle, clean: Clean): Promise<StepOutcome> {
  const run = await read(WorkflowRun, "GET /repos/{owner}/{repo}/actions/runs/{run_id}", { run_id: workflowRunId });
  if (!run) return { is: "failed", detail: "the run of the workflow is gone" };
  const logUrl = { logUrl: run.html_url };
  // GitHub's own reviewers are not passed by: they are waited for.
  if (run.status === "waiting")
    return { is: "running", detail: "it waits for the reviewers that GitHub asks", ...logUrl };
  if (run.status === "queued" || run.status === "pending" || run.status === "requested") {
    return { is: "waiting", ...logUrl };
  }
  if (run.status !== "completed") return { is: "running", ...logUrl };
  if (run.conclusion === "success") return { is: "done", ...logUrl };
  if (run.conclusion === "cancelled") return { is: "cancelled", ...logUrl };
  return { is: "failed", ...logUrl, ...defined({ detail: clean(`the workflow ended with ${run.conclusion}`) }) };
}

/**
 * The newest status of a deployment. Anybody with push can write one: where the step names its workflow, only what links to a run of that
 * workflow counts as done.
 */
async function followDeployment(
  read: Read,
  runs: Read,
  step: PlannedStep,
  deploymentId: number,
  clean: Clean,
): Promise<StepOutcome> {
  const route = "GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
  const statuses = await read(z.array(Status), route, { deployment_id: deploymentId, per_page: 100 });
  if (!statuses) return { is: "failed", detail: "the deployment is gone" };
  const newest = statuses.toSorted((one, other) => other.id - one.id).find(({ state }) => state !== "inactive");
  if (!newest) return { is: "waiting" };
  const { state, description, environment_url: url, log_url: logUrl } = newest;
  const said = defined({ detail: clean(description), url: url || undefined, logUrl: logUrl || undefined });
  switch (state) {
    case "success":
      return (await isOwnRun(runs, step, logUrl)) ? { is: "done", ...said } : { is: "foreign", ...said };
    case "failure":
    case "error":
      return { is: "failed", ...said };
    case "in_progress":
      return { is: "running", ...said };
    default:
      return { is: "waiting", ...said };
  }
}

/** Whether a status links to a run of the step's own workflow, on its commit. */
async function isOwnRun(
  read: Read,
  { workflow, sha }: PlannedStep,
  logUrl: string | null | undefined,
): Promise<boolean> {
  if (workflow === undefined) return true;
  const id = /\/actions\/runs\/(\d{1,15})(?:\/|$)/.exec(logUrl ?? "")?.[1];
  if (id === undefined) return false;
  const run = await read(WorkflowRun, "GET /repos/{owner}/{repo}/actions/runs/{run_id}", { run_id: Number(id) });
  return run?.path.split("@")[0] === workflow && run.head_sha === sha;
}
