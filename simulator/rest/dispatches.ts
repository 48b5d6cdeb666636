// What sets workflows off by request, and what ends them: https://docs.github.com/en/rest/actions/workflows
import { cancelRun, rerun, runnerOf } from "../actions/run-workflow.ts";
import { type Dispatch, dispatchRepository, dispatchWorkflow, workflowPath } from "../actions/set-off.ts";
import { workflowIdOf } from "../actions/workflow-runs.ts";
import { Problem } from "../problem.ts";
import { runApi, runPage, runState, workflowShape } from "../shapes/workflow.ts";
import { timeOf, type World } from "../world.ts";
import { listRuns, runOf } from "./actions.ts";
import { actorOf, bodyOf, createRoutes, parameter, repositoryOf } from "./call.ts";

export function dispatchRoutes(world: World) {
  const routes = createRoutes();
  const workflow = "/repos/:owner/:repo/actions/workflows/:workflow";

  routes.post("/repos/:owner/:repo/dispatches", async (call) => {
    const repository = repositoryOf(world, call, "contents", "write");
    await dispatchRepository(world, repository, bodyOf<{ event_type: string }>(call), actorOf(call));
    return call.body(null, 204);
  });
  routes.post(`${workflow}/dispatches`, async (call) => {
    const repository = repositoryOf(world, call, "actions", "write");
    const wanted = bodyOf<Dispatch & { return_run_details?: boolean }>(call);
    const run = await dispatchWorkflow(world, repository, parameter(call, "workflow"), wanted, actorOf(call));
    if (!wanted.return_run_details || !run) return call.body(null, 204);
    return call.json({ workflow_run_id: run.id, run_url: runApi(world, run), html_url: runPage(world, run) });
  });
  routes.get(workflow, async (call) => {
    const repository = repositoryOf(world, call, "actions", "read");
    const path = await workflowPath(world, repository, parameter(call, "workflow"));
    const facts = { workflowId: workflowIdOf(world, repository, path), name: path, path, createdAt: timeOf(world) };
    return call.json(workflowShape(world, facts, repository));
  });
  routes.get(`${workflow}/runs`, async (call) => {
    const repository = repositoryOf(world, call, "actions", "read");
    const path = await workflowPath(world, repository, parameter(call, "workflow"));
    return listRuns(world, call, repository, path);
  });
  routes.post("/repos/:owner/:repo/actions/runs/:run/cancel", (call) => {
    const repository = repositoryOf(world, call, "actions", "write");
    const going = runnerOf(world, repository).going.get(runOf(world, call).id);
    if (!going || runState(going.run).status === "completed")
      throw new Problem(409, "Cannot cancel a workflow run that is completed.");
    cancelRun(world, going);
    return call.json({}, 202);
  });
  routes.post("/repos/:owner/:repo/actions/runs/:run/rerun", (call) => {
    const repository = repositoryOf(world, call, "actions", "write");
    const going = runnerOf(world, repository).going.get(runOf(world, call).id);
    if (!going) throw new Problem(403, "Unable to re-run this workflow run");
    rerun(world, going, actorOf(call));
    return call.json({}, 201);
  });
  return routes;
}
