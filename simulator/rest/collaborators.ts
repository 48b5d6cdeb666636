// https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user
import { foldRole, roleOf } from "../access/permissions.ts";
import { notFound } from "../problem.ts";
import { userShape } from "../shapes/account.ts";
import { permissionFlags } from "../shapes/repository.ts";
import type { World } from "../world.ts";
import { createRoutes, parameter, repositoryOf } from "./call.ts";

export function collaboratorRoutes(world: World) {
  const routes = createRoutes();
  routes.get("/repos/:owner/:repo/collaborators/:user/permission", (call) => {
    const repository = repositoryOf(world, call, "metadata", "read");
    const login = parameter(call, "user");
    const account = world.accounts.get(login.toLowerCase());
    // a bot has no role; this answer is not documented and could not be compared with the real service
    if (!account || account.type === "Bot") throw notFound(`${login} is not a user`);
    const role = roleOf(repository, account);
    return call.json({
      permission: foldRole(role),
      role_name: role,
      user: { ...userShape(world, account), permissions: permissionFlags(role), role_name: role },
    });
  });
  return routes;
}
