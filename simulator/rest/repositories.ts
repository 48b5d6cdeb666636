// https://docs.github.com/en/rest/repos/repos
import { roleOf } from "../access/permissions.ts";
import { notFound } from "../problem.ts";
import type { Role } from "../records.ts";
import { installationShape } from "../shapes/app.ts";
import { fullRepositoryShape } from "../shapes/repository.ts";
import { covers, type World } from "../world.ts";
import { requireJwt } from "./apps.ts";
import { createRoutes, parameter, repositoryOf } from "./call.ts";

export function repositoryRoutes(world: World) {
  const routes = createRoutes();
  routes.get("/repos/:owner/:repo", (call) => {
    const repository = repositoryOf(world, call, "metadata", "read");
    const caller = call.get("caller");
    // an installation's flags say what its token may do, not what a person may
    const contents = caller.kind === "installation" ? caller.permissions.contents : undefined;
    const ofToken: Role = contents === "write" ? "write" : "read";
    return call.json(
      fullRepositoryShape(world, repository, caller.kind === "user" ? roleOf(repository, caller.user) : ofToken),
    );
  });
  routes.get("/repos/:owner/:repo/installation", (call) => {
    const app = requireJwt(call);
    const name = `${parameter(call, "owner")}/${parameter(call, "repo")}`.toLowerCase();
    const repository = world.repositories.get(name);
    const installation = repository && world.installations.find((each) => each.app === app && covers(each, repository));
    if (!installation) throw notFound();
    return call.json(installationShape(world, installation));
  });
  return routes;
}
