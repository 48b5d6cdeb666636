import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { isGitPath, serveGit } from "./git/serve-git.ts";
import { pageRoutes } from "./pages/routes.ts";
import { createApi } from "./rest/app.ts";
import { redirectOf, withPresentName } from "./rest/redirects.ts";
import type { World } from "./world.ts";

/** Listens on 127.0.0.1 and tells the world its origin. Port 0 takes a free one. */
export async function listen(world: World, port: number): Promise<Server> {
  const api = createApi(world);
  const pages = pageRoutes(world);
  const answer = getRequestListener((request, environment) => {
    if (!new URL(request.url).pathname.startsWith("/api/")) return pages.fetch(request);
    const redirect = redirectOf(world, request);
    return redirect ?? api.fetch(withPresentName(world, request), environment as HttpBindings);
  });
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    if (!isGitPath(request.url ?? "")) return void answer(request, response);
    serveGit(world, request, response).catch((error: unknown) => {
      // a bug of the simulator itself must not look like an answer of GitHub
      console.error("simulator bug at", request.url, error);
      request.socket.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  world.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return server;
}
