// https://docs.github.com/en/rest/actions/workflow-runs and https://docs.github.com/en/rest/actions/workflow-jobs
import { randomBytes } from "node:crypto";
import { forbidden, notFound } from "../problem.ts";
import type { Job, Repository, WorkflowRun } from "../records.ts";
import { jobShape, runState, workflowRunShape } from "../shapes/workflow.ts";
import type { World } from "../world.ts";
import { type Call, createRoutes, numberParameter, repositoryOf } from "./call.ts";
import { pageOf } from "./pages.ts";

/** https://docs.github.com/en/rest/actions/workflow-jobs#download-job-logs-for-a-workflow-run */
const LINK_LIFETIME_MS = 60_000;

export function actionsRoutes(world: World) {
  const routes = createRoutes();
  const base = "/repos/:owner/:repo/actions";

  routes.get(`${base}/runs`, (call) => listRuns(world, call, repositoryOf(world, call, "actions", "read")));
  routes.get(`${base}/runs/:run`, (call) => call.json(workflowRunShape(world, runOf(world, call))));
  routes.get(`${base}/runs/:run/jobs`, (call) => {
    const { jobs } = runOf(world, call);
    const page = pageOf(world, call, jobs);
    return call.json({ total_count: jobs.length, jobs: page.map((job) => jobShape(world, job)) });
  });
  routes.get(`${base}/jobs/:job`, (call) => call.json(jobShape(world, jobOf(world, call))));
  routes.get(`${base}/jobs/:job/logs`, (call) => {
    const { log } = jobOf(world, call);
    refuseWithoutPermission(call);
    // while a job is under way there is nothing to download
    if (log === null) throw notFound();
    const secret = randomBytes(16).toString("hex");
    world.downloads.set(secret, { text: log, until: Date.now() + LINK_LIFETIME_MS });
    return call.redirect(`${world.origin}/-/downloads/${secret}`, 302);
  });
  return routes;
}

/** Logs ask for the permission here even where the repository is public, which was not compared with the real service. */
function refuseWithoutPermission(call: Call): void {
  const caller = call.get("caller");
  if (caller.kind === "user" || (caller.kind === "installation" && caller.permissions.actions)) return;
  throw forbidden(
    caller.kind === "installation" ? "Resource not accessible by integration" : "Must have admin rights to Repository.",
  );
}

export function runOf(world: World, call: Call): WorkflowRun {
  const repository = repositoryOf(world, call, "actions", "read");
  const run = world.workflowRuns.get(numberParameter(call, "run"));
  if (run?.suite.repository !== repository) throw notFound();
  return run;
}

function jobOf(world: World, call: Call): Job {
  const repository = repositoryOf(world, call, "actions", "read");
  const job = world.jobs.get(numberParameter(call, "job"));
  if (job?.check.suite.repository !== repository) throw notFound();
  return job;
}

export function listRuns(world: World, call: Call, repository: Repository, path?: string): Response {
  const { head_sha, branch, event, status, check_suite_id, actor, created } = call.req.query();
  const runs = [...world.workflowRuns.values()]
    .filter(({ suite }) => suite.repository === repository)
    .filter((run) => path === undefined || run.path === path)
    .filter((run) => !actor || run.actor.login === actor)
    .filter((run) => !created || isWithin(run.createdAt, created))
    .filter(({ suite }) => !head_sha || suite.headSha === head_sha)
    .filter(({ suite }) => !branch || suite.headBranch === branch)
    .filter(({ suite }) => !check_suite_id || suite.id === Number(check_suite_id))
    .filter((run) => !event || run.event === event)
    .filter((run) => !status || Object.values(runState(run)).includes(status))
    .reverse();
  const page = pageOf(world, call, runs);
  return call.json({ total_count: runs.length, workflow_runs: page.map((run) => workflowRunShape(world, run)) });
}

/** A time or day, alone or after <, <=, > or >=, or two with ".." between, of which one may be "*".
 * https://docs.github.com/en/search-github/getting-started-with-searching-on-github/understanding-the-search-syntax#query-for-dates */
function isWithin(time: string, range: string): boolean {
  const at = Date.parse(time);
  const [from = "", to] = range.split("..");
  if (to !== undefined) return (from === "*" || at >= Date.parse(from)) && (to === "*" || at <= Date.parse(to));
  const [, sign = "", given = ""] = /^([<>]=?)?(.*)$/.exec(range) ?? [];
  const bound = Date.parse(given);
  if (sign === "") return time.startsWith(given.replace(/Z$|\+.*$/, ""));
  return at === bound ? sign.endsWith("=") : sign.startsWith("<") ? at < bound : at > bound;
}
