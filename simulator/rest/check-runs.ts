// https://docs.github.com/en/rest/checks/runs
import { type CheckRunChange, createCheckRun, rerequestRun, updateCheckRun } from "../actions/check-runs.ts";
import { createSuite, suiteOf } from "../actions/check-suites.ts";
import { latestRuns, runsOn } from "../facts/latest-runs.ts";
import { commitOf } from "../git/bare-repository.ts";
import { forbidden, notFound, Problem } from "../problem.ts";
import type { CheckRun } from "../records.ts";
import { annotationShape, checkRunShape } from "../shapes/check.ts";
import type { World } from "../world.ts";
import {
  actorOf,
  bodyOf,
  type Call,
  createRoutes,
  numberParameter,
  parameter,
  repositoryOf,
  requireApp,
} from "./call.ts";
import { pageOf } from "./pages.ts";

export function checkRunRoutes(world: World) {
  const routes = createRoutes();
  const base = "/repos/:owner/:repo/check-runs";

  routes.post(base, async (call) => {
    const app = requireApp(call);
    const repository = repositoryOf(world, call, "checks", "write");
    const { head_sha, ...change } = bodyOf<CheckRunChange & { name: string; head_sha: string }>(call);
    const sha = await commitOf(repository.directory, head_sha);
    if (!sha) throw new Problem(422, `No commit found for SHA: ${head_sha}`);
    const suite =
      suiteOf(repository, app, sha) ?? (await createSuite(world, repository, app, { sha, branch: null, before: null }));
    return call.json(checkRunShape(world, createCheckRun(world, suite, change, actorOf(call))), 201);
  });
  routes.get(`${base}/:run`, (call) => call.json(checkRunShape(world, runOf(world, call, "read"))));
  routes.patch(`${base}/:run`, (call) => {
    const app = requireApp(call);
    const run = runOf(world, call, "write");
    if (run.suite.app !== app)
      throw forbidden(
        `Invalid app_id \`${app.appId}\` - check run can only be modified by the GitHub App that created it.`,
      );
    updateCheckRun(world, run, bodyOf<CheckRunChange>(call), actorOf(call));
    return call.json(checkRunShape(world, run));
  });
  routes.get(`${base}/:run/annotations`, (call) => {
    const run = runOf(world, call, "read");
    return call.json(pageOf(world, call, run.annotations).map((each) => annotationShape(world, run, each)));
  });
  routes.post(`${base}/:run/rerequest`, (call) => {
    rerequestRun(world, runOf(world, call, "write"), actorOf(call));
    return call.json({}, 201);
  });
  routes.get("/repos/:owner/:repo/commits/:ref{.+}/check-runs", async (call) => {
    const repository = repositoryOf(world, call, "checks", "read");
    const sha = await commitOf(repository.directory, parameter(call, "ref"));
    if (!sha) throw new Problem(422, `No commit found for SHA: ${parameter(call, "ref")}`);
    return call.json(listOf(world, call, runsOn(repository, sha)));
  });
  routes.get("/repos/:owner/:repo/check-suites/:suite/check-runs", (call) => {
    const repository = repositoryOf(world, call, "checks", "read");
    const suite = world.checkSuites.get(numberParameter(call, "suite"));
    if (!suite || suite.repository !== repository) throw notFound();
    return call.json(listOf(world, call, suite.runs));
  });
  return routes;
}

function runOf(world: World, call: Call, level: "read" | "write"): CheckRun {
  const repository = repositoryOf(world, call, "checks", level);
  const run = world.checkRuns.get(numberParameter(call, "run"));
  if (!run || run.suite.repository !== repository) throw notFound();
  return run;
}

/** The newest run of each name unless `filter=all`. */
function listOf(world: World, call: Call, runs: readonly CheckRun[]) {
  const { check_name, status, app_id, filter } = call.req.query();
  const matching = (filter === "all" ? runs : latestRuns(runs))
    .filter((run) => !check_name || run.name === check_name)
    .filter((run) => !status || run.status === status)
    .filter((run) => !app_id || run.suite.app.appId === Number(app_id));
  const page = pageOf(world, call, matching);
  return { total_count: matching.length, check_runs: page.map((run) => checkRunShape(world, run)) };
}
