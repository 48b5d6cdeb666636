// https://docs.github.com/en/rest/checks/suites
import { createSuite, rerequestSuite, suiteOf } from "../actions/check-suites.ts";
import { commitOf } from "../git/bare-repository.ts";
import { notFound, Problem } from "../problem.ts";
import type { CheckSuite } from "../records.ts";
import { checkSuiteShape } from "../shapes/check.ts";
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

export function checkSuiteRoutes(world: World) {
  const routes = createRoutes();
  const base = "/repos/:owner/:repo/check-suites";

  routes.post(base, async (call) => {
    const app = requireApp(call);
    const repository = repositoryOf(world, call, "checks", "write");
    const { head_sha } = bodyOf<{ head_sha: string }>(call);
    const sha = await commitOf(repository.directory, head_sha);
    if (!sha) throw new Problem(422, `No commit found for SHA: ${head_sha}`);
    const found = suiteOf(repository, app, sha);
    const suite = found ?? (await createSuite(world, repository, app, { sha, branch: null, before: null }));
    return call.json(checkSuiteShape(world, suite), found ? 200 : 201);
  });
  routes.get(`${base}/:suite`, (call) => call.json(checkSuiteShape(world, checkSuiteOf(world, call, "read"))));
  routes.post(`${base}/:suite/rerequest`, (call) => {
    rerequestSuite(world, checkSuiteOf(world, call, "write"), actorOf(call));
    return call.json({}, 201);
  });
  routes.get("/repos/:owner/:repo/commits/:ref{.+}/check-suites", async (call) => {
    const repository = repositoryOf(world, call, "checks", "read");
    const sha = await commitOf(repository.directory, parameter(call, "ref"));
    const { app_id } = call.req.query();
    const suites = repository.checkSuites
      .filter((suite) => suite.headSha === sha)
      .filter((suite) => !app_id || suite.app.appId === Number(app_id));
    const page = pageOf(world, call, suites);
    return call.json({ total_count: suites.length, check_suites: page.map((suite) => checkSuiteShape(world, suite)) });
  });
  return routes;
}

function checkSuiteOf(world: World, call: Call, level: "read" | "write"): CheckSuite {
  const repository = repositoryOf(world, call, "checks", level);
  const suite = world.checkSuites.get(numberParameter(call, "suite"));
  if (!suite || suite.repository !== repository) throw notFound();
  return suite;
}
