// https://docs.github.com/en/rest/commits/statuses
import { createStatus } from "../actions/statuses.ts";
import { commitOf } from "../git/bare-repository.ts";
import { notFound, Problem } from "../problem.ts";
import type { Status } from "../records.ts";
import { repositoryApi } from "../shapes/addresses.ts";
import { statusShape } from "../shapes/check.ts";
import { repositoryShape } from "../shapes/repository.ts";
import type { World } from "../world.ts";
import { actorOf, bodyOf, createRoutes, parameter, repositoryOf } from "./call.ts";

interface NewStatus {
  readonly state: Status["state"];
  readonly context?: string;
  readonly description?: string | null;
  readonly target_url?: string | null;
}

const WORST_FIRST = ["error", "failure", "pending"] as const;

export function statusRoutes(world: World) {
  const routes = createRoutes();
  routes.post("/repos/:owner/:repo/statuses/:sha", async (call) => {
    const repository = repositoryOf(world, call, "statuses", "write");
    const sha = await commitOf(repository.directory, parameter(call, "sha"));
    if (!sha) throw new Problem(422, `No commit found for SHA: ${parameter(call, "sha")}`);
    const { state, context = "default", description = null, target_url = null } = bodyOf<NewStatus>(call);
    const wanted = { sha, state, context, description, targetUrl: target_url };
    const status = await createStatus(world, repository, wanted, actorOf(call));
    return call.json(statusShape(world, repository, status), 201);
  });
  routes.get("/repos/:owner/:repo/commits/:ref{.+}/status", async (call) => {
    const repository = repositoryOf(world, call, "statuses", "read");
    const sha = await commitOf(repository.directory, parameter(call, "ref"));
    if (!sha) throw notFound();
    const newest = new Map(repository.statuses.filter((each) => each.sha === sha).map((each) => [each.context, each]));
    const statuses = [...newest.values()];
    const worst = WORST_FIRST.find((state) => statuses.some((each) => each.state === state));
    const api = repositoryApi(world, repository);
    return call.json({
      state: statuses.length === 0 ? "pending" : worst === "error" ? "failure" : (worst ?? "success"),
      statuses: statuses.map((each) => statusShape(world, repository, each)),
      sha,
      total_count: statuses.length,
      repository: repositoryShape(world, repository),
      commit_url: `${api}/commits/${sha}`,
      url: `${api}/commits/${sha}/status`,
    });
  });
  return routes;
}
