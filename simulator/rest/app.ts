// The REST API under /api/v3: what happens around every handler.
import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import { Problem } from "../problem.ts";
import type { World } from "../world.ts";
import { actionsRoutes } from "./actions.ts";
import { appManifestRoutes } from "./app-manifests.ts";
import { appRoutes } from "./apps.ts";
import { branchProtectionRoutes } from "./branch-protection.ts";
import { type Call, createRoutes, type Environment } from "./call.ts";
import { checkRunRoutes } from "./check-runs.ts";
import { checkSuiteRoutes } from "./check-suites.ts";
import { collaboratorRoutes } from "./collaborators.ts";
import { commitRoutes } from "./commits.ts";
import { contentRoutes } from "./contents.ts";
import { deploymentRoutes } from "./deployments.ts";
import { dispatchRoutes } from "./dispatches.ts";
import { environmentRoutes } from "./environments.ts";
import { applyFault } from "./faults.ts";
import { gitDataRoutes } from "./git-data.ts";
import { hookDeliveryRoutes } from "./hook-deliveries.ts";
import { issueCommentRoutes } from "./issue-comments.ts";
import { issueRoutes } from "./issues.ts";
import { labelRoutes } from "./labels.ts";
import { observe } from "./observe.ts";
import { pullRoutes } from "./pulls.ts";
import { reactionRoutes } from "./reactions.ts";
import { repositoryRoutes } from "./repositories.ts";
import { reviewCommentRoutes } from "./review-comments.ts";
import { reviewRoutes } from "./reviews.ts";
import { statusRoutes } from "./statuses.ts";
import { userAccessRoutes } from "./user-access.ts";

const AREAS = [
  appRoutes,
  appManifestRoutes,
  userAccessRoutes,
  hookDeliveryRoutes,
  repositoryRoutes,
  collaboratorRoutes,
  branchProtectionRoutes,
  contentRoutes,
  gitDataRoutes,
  commitRoutes,
  statusRoutes,
  labelRoutes,
  issueCommentRoutes,
  issueRoutes,
  reactionRoutes,
  reviewCommentRoutes,
  pullRoutes,
  reviewRoutes,
  checkRunRoutes,
  checkSuiteRoutes,
  actionsRoutes,
  deploymentRoutes,
  dispatchRoutes,
  environmentRoutes,
];

const HOURLY_LIMIT = 5000;

export function createApi(world: World): Hono<Environment> {
  const api = createRoutes();
  api.use("/api/*", async (call, next) => observe(world, call, () => applyFault(world, call, next)));
  api.use("/api/*", async (call, next) => {
    await next();
    addHeaders(world, call);
  });
  for (const area of AREAS) api.route("/api/v3", area(world));
  // GraphQL's library and schema take a third of a second to load, so only those who ask wait for them
  api.post("/api/graphql", async (call) => (await import("../graphql/serve-graphql.ts")).serveGraphql(world, call));
  api.onError((error, call) => answerProblem(error, call));
  api.notFound((call) => {
    const operation = call.get("facts")?.operation;
    const detail = "this operation is described but not mounted";
    if (operation) world.referee?.report({ where: "response", operation, detail, fatal: true });
    return answerProblem(new Problem(404, "Not Found"), call);
  });
  return api;
}

function answerProblem(error: Error, call: Call): Response {
  const known = error instanceof Problem ? error : null;
  // a bug of the simulator itself must not look like an answer of GitHub
  if (!known) console.error("simulator bug at", call.req.method, call.req.path, error);
  const status = known?.status ?? 500;
  const body = {
    message: known ? known.message : `simulator bug: ${error.message}`,
    ...(known?.errors ? { errors: known.errors } : {}),
    documentation_url: "https://docs.github.com/rest",
    status: String(status),
  };
  return Response.json(body, { status });
}

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#checking-the-status-of-your-rate-limit */
function addHeaders(world: World, call: Call): void {
  const payer = call.req.header("authorization") ?? "anonymous";
  const used = (world.rateLimits.get(payer) ?? 0) + 1;
  world.rateLimits.set(payer, used);
  const headers: Record<string, string> = {
    "x-github-enterprise-version": "3.19.0",
    "x-github-request-id": randomBytes(8).toString("hex").toUpperCase(),
    "x-ratelimit-limit": String(HOURLY_LIMIT),
    "x-ratelimit-remaining": String(Math.max(0, HOURLY_LIMIT - used)),
    "x-ratelimit-used": String(used),
    "x-ratelimit-reset": String(Math.ceil(Date.now() / 1000) + 3600),
    "x-ratelimit-resource": call.req.path === "/api/graphql" ? "graphql" : "core",
  };
  for (const [name, value] of Object.entries(headers)) call.res.headers.set(name, value);
}
