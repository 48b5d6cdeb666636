// https://docs.github.com/en/rest/deployments/deployments and https://docs.github.com/en/rest/deployments/statuses
import {
  createDeploymentStatus,
  deleteDeployment,
  deploymentsOf,
  type NewDeployment,
  type NewDeploymentStatus,
} from "../actions/deployments.ts";
import { requestDeployment } from "../actions/request-deployment.ts";
import { notFound } from "../problem.ts";
import type { Deployment } from "../records.ts";
import { deploymentShape, deploymentStatusShape } from "../shapes/deployment.ts";
import type { World } from "../world.ts";
import { authorOf, bodyOf, type Call, createRoutes, numberParameter, repositoryOf } from "./call.ts";
import { pageOf } from "./pages.ts";

/** What a filter says when it is none. */
const ANY = "none";

export function deploymentRoutes(world: World) {
  const routes = createRoutes();
  const base = "/repos/:owner/:repo/deployments";
  const find = (call: Call, level: "read" | "write"): Deployment => {
    const repository = repositoryOf(world, call, "deployments", level);
    const found = world.deployments.get(numberParameter(call, "deployment"));
    if (found?.repository !== repository) throw notFound();
    return found;
  };

  routes.get(base, (call) => {
    const repository = repositoryOf(world, call, "deployments", "read");
    const { sha = ANY, ref = ANY, task = ANY, environment = ANY } = call.req.query();
    const found = deploymentsOf(world, repository)
      .filter((each) => sha === ANY || each.sha === sha)
      .filter((each) => ref === ANY || each.ref === ref)
      .filter((each) => task === ANY || each.task === task)
      .filter((each) => environment === ANY || each.environment === environment)
      .reverse();
    return call.json(pageOf(world, call, found).map((each) => deploymentShape(world, each)));
  });
  routes.post(base, async (call) => {
    const repository = repositoryOf(world, call, "deployments", "write");
    const made = await requestDeployment(world, repository, bodyOf<NewDeployment>(call), authorOf(call));
    if ("merged" in made) return call.json({ message: made.merged }, 202);
    return call.json(deploymentShape(world, made.deployment), 201);
  });
  routes.get(`${base}/:deployment`, (call) => call.json(deploymentShape(world, find(call, "read"))));
  routes.delete(`${base}/:deployment`, (call) => {
    deleteDeployment(world, find(call, "write"));
    return call.body(null, 204);
  });
  routes.get(`${base}/:deployment/statuses`, (call) => {
    const { statuses } = find(call, "read");
    const page = pageOf(world, call, statuses.toReversed());
    return call.json(page.map((status) => deploymentStatusShape(world, status)));
  });
  routes.post(`${base}/:deployment/statuses`, (call) => {
    const deployment = find(call, "write");
    const status = createDeploymentStatus(world, deployment, bodyOf<NewDeploymentStatus>(call), authorOf(call));
    return call.json(deploymentStatusShape(world, status), 201);
  });
  routes.get(`${base}/:deployment/statuses/:status`, (call) => {
    const status = find(call, "read").statuses.find(({ id }) => id === numberParameter(call, "status"));
    if (!status) throw notFound();
    return call.json(deploymentStatusShape(world, status));
  });
  return routes;
}
