// https://docs.github.com/en/rest/apps/installations and https://docs.github.com/en/rest/apps/oauth-applications: what a person reaches
// through an App, and the end of it.
import { explicitRoleOf } from "../access/permissions.ts";
import { forbidden, notFound, Problem } from "../problem.ts";
import type { Account, App, Installation, Repository } from "../records.ts";
import { installationShape } from "../shapes/app.ts";
import { permissionFlags, repositoryShape } from "../shapes/repository.ts";
import { repositoriesOf, type World } from "../world.ts";
import { bodyOf, type Call, createRoutes, numberParameter, parameter } from "./call.ts";
import { pageOf } from "./pages.ts";

export function userAccessRoutes(world: World) {
  const routes = createRoutes();
  const reached = (installation: Installation, user: Account): Repository[] =>
    repositoriesOf(world, installation).filter((each) => explicitRoleOf(each, user) !== "none");
  const installationsFor = ({ app, user }: { app: App; user: Account }) =>
    world.installations.filter((each) => each.app === app && reached(each, user).length > 0);

  routes.get("/user/installations", (call) => {
    const all = installationsFor(requirePerson(call));
    const installations = pageOf(world, call, all).map((each) => installationShape(world, each));
    return call.json({ total_count: all.length, installations });
  });
  routes.get("/user/installations/:installation/repositories", (call) => {
    const person = requirePerson(call);
    const id = numberParameter(call, "installation");
    const installation = installationsFor(person).find((each) => each.id === id);
    if (!installation) throw notFound();
    const all = reached(installation, person.user);
    return call.json({
      total_count: all.length,
      repository_selection: installation.repositoryIds ? "selected" : "all",
      repositories: pageOf(world, call, all).map((each) => ({
        ...repositoryShape(world, each),
        permissions: permissionFlags(explicitRoleOf(each, person.user)),
      })),
    });
  });
  routes.delete("/applications/:client/token", (call) => {
    const caller = call.get("caller");
    if (caller.kind !== "client" || caller.app.clientId !== parameter(call, "client")) throw notFound();
    const secret = bodyOf<{ access_token: string }>(call).access_token;
    const token = world.tokens.get(secret);
    if (token?.kind !== "user" || token.app !== caller.app) throw new Problem(422, "Validation Failed");
    world.tokens.delete(secret);
    return call.body(null, 204);
  });
  return routes;
}

/** A person through an App: a token of their own is refused. */
function requirePerson(call: Call): { readonly app: App; readonly user: Account } {
  const caller = call.get("caller");
  if (caller.kind === "anonymous") throw new Problem(401, "Requires authentication");
  if (caller.kind === "user" && caller.app) return { app: caller.app, user: caller.user };
  throw forbidden(
    "You must authenticate with an access token authorized to a GitHub App in order to list installations",
  );
}
