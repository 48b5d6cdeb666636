import { latestRuns } from "../facts/latest-runs.ts";
import type { Annotation, CheckRun, CheckSuite, Repository, Status } from "../records.ts";
import { fullName, pullsOfCheck, type World } from "../world.ts";
import { userShape } from "./account.ts";
import { nodeId, repositoryApi, repositoryPage } from "./addresses.ts";
import { appShape } from "./app.ts";
import { pullMiniatures, repositoryShape } from "./repository.ts";

export function checkRunShape(world: World, run: CheckRun) {
  const { suite } = run;
  const { repository } = suite;
  const api = `${repositoryApi(world, repository)}/check-runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId("CR", run.id),
    head_sha: suite.headSha,
    external_id: run.externalId,
    url: api,
    html_url: `${repositoryPage(world, repository)}/runs/${run.id}`,
    details_url: run.detailsUrl ?? `${world.origin}/apps/${suite.app.slug}`,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: { ...run.output, annotations_count: run.annotations.length, annotations_url: `${api}/annotations` },
    check_suite: { id: suite.id },
    app: appShape(world, suite.app),
    pull_requests: pullMiniatures(world, repository, pullsOfCheck(repository, suite.headSha)),
  };
}

export function hookCheckRunShape(world: World, run: CheckRun) {
  return { ...checkRunShape(world, run), check_suite: suiteMiniature(world, run.suite) };
}

export function annotationShape(world: World, run: CheckRun, annotation: Annotation) {
  const { repository, headSha } = run.suite;
  return {
    path: annotation.path,
    blob_href: `${world.origin}/${fullName(repository)}/blob/${headSha}/${encodeURI(annotation.path)}`,
    start_line: annotation.start_line,
    start_column: annotation.start_column ?? null,
    end_line: annotation.end_line,
    end_column: annotation.end_column ?? null,
    annotation_level: annotation.annotation_level,
    title: annotation.title ?? null,
    message: annotation.message,
    raw_details: annotation.raw_details ?? null,
  };
}

// The worst one decides: https://docs.github.com/en/rest/checks/suites (conclusion of a suite)
const WORST_FIRST = ["action_required", "timed_out", "cancelled", "failure", "success", "neutral", "skipped"];

export function suiteState(suite: CheckSuite): { status: string; conclusion: string | null } {
  const runs = latestRuns(suite.runs);
  if (runs.length === 0) return { status: "queued", conclusion: null };
  if (runs.some((run) => run.status !== "completed")) return { status: "in_progress", conclusion: null };
  const conclusion = WORST_FIRST.find((each) => runs.some((run) => run.conclusion === each)) ?? "success";
  return { status: "completed", conclusion };
}

function suiteMiniature(world: World, suite: CheckSuite) {
  const { repository } = suite;
  return {
    id: suite.id,
    node_id: nodeId("CS", suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    ...suiteState(suite),
    url: `${repositoryApi(world, repository)}/check-suites/${suite.id}`,
    before: suite.before,
    after: suite.headSha,
    pull_requests: pullMiniatures(world, repository, pullsOfCheck(repository, suite.headSha)),
    app: appShape(world, suite.app),
    created_at: suite.createdAt,
    updated_at: suite.createdAt,
  };
}

export function hookSuiteShape(world: World, suite: CheckSuite) {
  const miniature = suiteMiniature(world, suite);
  return {
    ...miniature,
    rerequestable: true,
    runs_rerequestable: true,
    latest_check_runs_count: latestRuns(suite.runs).length,
    check_runs_url: `${miniature.url}/check-runs`,
    head_commit: suite.headCommit,
  };
}

export function checkSuiteShape(world: World, suite: CheckSuite) {
  return { ...hookSuiteShape(world, suite), repository: repositoryShape(world, suite.repository) };
}

export function statusShape(world: World, repository: Repository, status: Status) {
  return {
    id: status.id,
    node_id: nodeId("SC", status.id),
    url: `${repositoryApi(world, repository)}/statuses/${status.sha}`,
    avatar_url: null,
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    creator: userShape(world, status.creator),
  };
}
