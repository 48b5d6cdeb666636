import type { Job, Repository, WorkflowRun } from "../records.ts";
import { pullsOfCheck, type World } from "../world.ts";
import { userShape } from "./account.ts";
import { nodeId, repositoryApi, repositoryPage } from "./addresses.ts";
import { suiteState } from "./check.ts";
import { pullMiniatures, repositoryShape } from "./repository.ts";

export function runPage(world: World, { id, suite }: WorkflowRun): string {
  return `${repositoryPage(world, suite.repository)}/actions/runs/${id}`;
}

export function runApi(world: World, { id, suite }: WorkflowRun): string {
  return `${repositoryApi(world, suite.repository)}/actions/runs/${id}`;
}

export function workflowShape(
  world: World,
  { workflowId, name, path, createdAt }: Pick<WorkflowRun, "workflowId" | "name" | "path" | "createdAt">,
  repository: Repository,
) {
  const page = repositoryPage(world, repository);
  const file = path.split("/").at(-1);
  return {
    id: workflowId,
    node_id: nodeId("W", workflowId),
    name,
    path,
    state: "active",
    created_at: createdAt,
    updated_at: createdAt,
    url: `${repositoryApi(world, repository)}/actions/workflows/${workflowId}`,
    html_url: `${page}/blob/${repository.defaultBranch}/${path}`,
    badge_url: `${page}/actions/workflows/${file}/badge.svg`,
  };
}

export function workflowRunShape(world: World, run: WorkflowRun) {
  const { suite, actor, workflowId, again } = run;
  const { repository, headSha } = suite;
  const api = repositoryApi(world, repository);
  const url = runApi(world, run);
  const shape = repositoryShape(world, repository);
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId("WFR", run.id),
    head_branch: suite.headBranch,
    head_sha: headSha,
    path: run.path,
    display_title: run.title,
    run_number: run.runNumber,
    event: run.event,
    ...runState(run),
    workflow_id: workflowId,
    check_suite_id: suite.id,
    check_suite_node_id: nodeId("CS", suite.id),
    url,
    html_url: runPage(world, run),
    pull_requests: pullMiniatures(world, repository, pullsOfCheck(repository, headSha)),
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    actor: userShape(world, actor),
    run_attempt: again?.attempt ?? 1,
    referenced_workflows: [],
    run_started_at: run.createdAt,
    triggering_actor: userShape(world, again?.by ?? actor),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${api}/check-suites/${suite.id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: null,
    workflow_url: `${api}/actions/workflows/${workflowId}`,
    head_commit: suite.headCommit,
    repository: shape,
    head_repository: shape,
  };
}

/** As webhooks about deployments carry it: without its head commit. */
export function hookRunShape(world: World, run: WorkflowRun) {
  return { ...workflowRunShape(world, run), head_commit: null };
}

/** "pending" is behind another run of its concurrency group, "waiting" behind the rules of an environment. */
export function runState(run: WorkflowRun): { status: string; conclusion: string | null } {
  if (run.conclusion !== undefined) return { status: "completed", conclusion: run.conclusion };
  if (run.pending) return { status: "pending", conclusion: null };
  const state = suiteState(run.suite);
  const isUnderWay = run.jobs.some(({ check }) => check.status === "in_progress");
  if (state.status !== "in_progress" || isUnderWay) return state;
  return { status: run.jobs.some(({ waiting }) => waiting) ? "waiting" : "queued", conclusion: null };
}

export function jobShape(world: World, { check, workflowRun, steps, waiting }: Job) {
  const { suite } = workflowRun;
  const { repository } = suite;
  const api = repositoryApi(world, repository);
  const isDone = check.status === "completed";
  return {
    id: check.id,
    run_id: workflowRun.id,
    workflow_name: workflowRun.name,
    head_branch: suite.headBranch,
    run_url: `${api}/actions/runs/${workflowRun.id}`,
    run_attempt: workflowRun.again?.attempt ?? 1,
    node_id: nodeId("CR", check.id),
    head_sha: suite.headSha,
    url: `${api}/actions/jobs/${check.id}`,
    html_url: check.detailsUrl,
    status: waiting ? "waiting" : check.status,
    conclusion: check.conclusion,
    created_at: check.startedAt,
    started_at: check.startedAt,
    completed_at: check.completedAt,
    name: check.name,
    steps: steps.map(({ name, conclusion }, index) => ({
      name,
      status: "completed",
      conclusion,
      number: index + 1,
      started_at: check.startedAt,
      completed_at: check.completedAt,
    })),
    check_run_url: `${api}/check-runs/${check.id}`,
    labels: ["ubuntu-latest"],
    runner_id: isDone ? 1 : null,
    runner_name: isDone ? "GitHub Actions 1" : null,
    runner_group_id: isDone ? 0 : null,
    runner_group_name: isDone ? "GitHub Actions" : null,
  };
}
