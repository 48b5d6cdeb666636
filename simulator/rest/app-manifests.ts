// https://docs.github.com/en/rest/apps/apps#create-a-github-app-from-a-manifest
import { notFound } from "../problem.ts";
import { appShape } from "../shapes/app.ts";
import type { World } from "../world.ts";
import { createRoutes, parameter } from "./call.ts";

export function appManifestRoutes(world: World) {
  const routes = createRoutes();
  routes.post("/app-manifests/:code/conversions", (call) => {
    const code = parameter(call, "code");
    const taken = world.manifestCodes.get(code);
    world.manifestCodes.delete(code);
    if (!taken || taken.until < Date.now()) throw notFound();
    const { app, pem } = taken;
    const secrets = {
      client_id: app.clientId,
      client_secret: app.clientSecret,
      webhook_secret: app.webhookSecret,
      pem,
    };
    return call.json({ ...appShape(world, app), ...secrets }, 201);
  });
  return routes;
}
