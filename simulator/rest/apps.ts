// https://docs.github.com/en/rest/apps
import { randomBytes } from "node:crypto";
import { forbidden, notFound, Problem } from "../problem.ts";
import type { App, Installation, Repository } from "../records.ts";
import { publicUserShape } from "../shapes/account.ts";
import { appShape, installationShape } from "../shapes/app.ts";
import { repositoryShape } from "../shapes/repository.ts";
import { repositoriesOf, type World } from "../world.ts";
import { actorOf, bodyOf, type Call, createRoutes, numberParameter, parameter } from "./call.ts";
import { pageOf } from "./pages.ts";

const TOKEN_LIFETIME_MS = 60 * 60 * 1000;

export function requireJwt(call: Call): App {
  const caller = call.get("caller");
  if (caller.kind !== "app") throw new Problem(401, "A JSON web token could not be decoded");
  return caller.app;
}

export function appRoutes(world: World) {
  const routes = createRoutes();
  const installationsOf = (app: App) => world.installations.filter((each) => each.app === app);
  const installationOf = (call: Call): Installation => {
    const id = numberParameter(call, "installation");
    const found = installationsOf(requireJwt(call)).find((each) => each.id === id);
    if (!found) throw notFound();
    return found;
  };

  routes.get("/app", (call) => {
    const app = requireJwt(call);
    return call.json({ ...appShape(world, app), installations_count: installationsOf(app).length });
  });
  routes.get("/app/installations", (call) => {
    const page = pageOf(world, call, installationsOf(requireJwt(call)));
    return call.json(page.map((each) => installationShape(world, each)));
  });
  routes.get("/app/installations/:installation", (call) => call.json(installationShape(world, installationOf(call))));
  routes.post("/app/installations/:installation/access_tokens", (call) => {
    const installation = installationOf(call);
    if (installation.suspendedAt) throw forbidden("This installation has been suspended");
    return call.json(mintToken(world, installation, bodyOf<TokenRequest>(call)), 201);
  });
  routes.get("/installation/repositories", (call) => {
    const caller = call.get("caller");
    if (caller.kind !== "installation") throw forbidden("Resource not accessible by this credential");
    const { installation, repositoryIds } = caller;
    const all = repositoriesOf(world, installation).filter((each) => !repositoryIds || repositoryIds.has(each.id));
    const page = pageOf(world, call, all);
    return call.json({
      total_count: all.length,
      repository_selection: installation.repositoryIds ? "selected" : "all",
      repositories: page.map((each) => repositoryShape(world, each)),
    });
  });
  routes.delete("/installation/token", (call) => {
    actorOf(call);
    const secret = (call.req.header("authorization") ?? "").replace(/^\w+\s+/, "");
    world.tokens.delete(secret);
    return call.body(null, 204);
  });
  routes.get("/rate_limit", (call) => {
    const rate = { limit: 5000, used: 0, remaining: 5000, reset: Math.ceil(Date.now() / 1000) + 3600 };
    return call.json({ resources: { core: rate, search: rate, graphql: rate }, rate });
  });
  routes.get("/meta", (call) => call.json({ verifiable_password_authentication: false }));
  routes.get("/user", (call) => {
    const caller = call.get("caller");
    if (caller.kind === "installation") throw forbidden("Resource not accessible by integration");
    return call.json(publicUserShape(world, actorOf(call)));
  });
  routes.get("/users/:user", (call) => {
    const account = world.accounts.get(parameter(call, "user").toLowerCase());
    if (!account) throw notFound();
    return call.json(publicUserShape(world, account));
  });
  return routes;
}

interface TokenRequest {
  readonly repositories?: readonly string[];
  readonly repository_ids?: readonly number[];
  readonly permissions?: Readonly<Record<string, string>>;
}

/** https://docs.github.com/en/rest/apps/apps#create-an-installation-access-token-for-an-app */
function mintToken(world: World, installation: Installation, request: TokenRequest) {
  const granted = installation.accepted ?? installation.app.permissions;
  const permissions = request.permissions ?? granted;
  for (const [name, level] of Object.entries(permissions)) checkGranted(granted, name, level);
  const repositories = narrowTo(world, installation, request);
  const token = `ghs_${randomBytes(18).toString("hex")}`;
  const expiresAt = Date.now() + TOKEN_LIFETIME_MS;
  const repositoryIds = repositories && new Set(repositories.map((each) => each.id));
  world.tokens.set(token, { kind: "installation", installation, permissions, repositoryIds, expiresAt });
  return {
    token,
    expires_at: new Date(expiresAt).toISOString().replace(/\.\d+/, ""),
    permissions: { metadata: "read", ...permissions },
    repository_selection: repositories || installation.repositoryIds ? "selected" : "all",
    ...(repositories ? { repositories: repositories.map((each) => repositoryShape(world, each)) } : {}),
  };
}

function checkGranted(permissions: Readonly<Record<string, string>>, name: string, level: string): void {
  const granted = name === "metadata" ? "read" : permissions[name];
  if (!granted || (level === "write" && granted === "read"))
    throw new Problem(422, "The permissions requested are not granted to this installation.");
}

function narrowTo(world: World, installation: Installation, request: TokenRequest): Repository[] | null {
  const { repositories, repository_ids } = request;
  if (!repositories && !repository_ids) return null;
  const all = repositoriesOf(world, installation);
  const named = (repositories ?? []).map((name) => all.find((each) => each.name.toLowerCase() === name.toLowerCase()));
  const numbered = (repository_ids ?? []).map((id) => all.find((each) => each.id === id));
  return [...named, ...numbered].map((repository) => {
    if (repository) return repository;
    throw new Problem(
      422,
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  });
}
