import type { z } from "zod";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import { type Payload, parsePayload, RepositoryEvent, repositoryRef, WorkflowRunEvent } from "./payloads.ts";

/** `deployment_status.created`: whoever says it, it is a hint that a worker should look now (GH-8). What it says is not believed here. */
export async function handleDeploymentStatus(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"deployment_status.created">,
) {
  return heard(dependencies, parsePayload(RepositoryEvent, payload));
}

/** What deployments of ours are answered with: a workflow that was started, or that a deployment set off. */
const DEPLOYING = ["workflow_dispatch", "deployment"];

/** `workflow_run` in_progress or completed: a hint as well. */
export async function handleWorkflowRun(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"workflow_run.in_progress"> | Payload<"workflow_run.completed">,
) {
  const event = parsePayload(WorkflowRunEvent, payload);
  if (!DEPLOYING.includes(event.workflow_run.event)) return { ignored: "the workflow deploys nothing of Forge" };
  return heard(dependencies, event);
}

async function heard(
  dependencies: HandlerDependencies,
  event: z.infer<typeof RepositoryEvent>,
): Promise<{ readonly ignored?: string }> {
  const { id: repositoryId, installationId } = repositoryRef(event);
  const active = await dependencies.activeSubjects({ installationId, repositoryId });
  const environments = active.filter((subject) => subject.kind === "environment");
  let last: { readonly ignored?: string } = { ignored: "nothing is deployed here now" };
  for (const subject of environments) {
    const common = { subject, at: dependencies.now(), newRunId: dependencies.makeId() };
    last = await dependencies.submit({ ...common, type: "deploy.heard" });
  }
  return last;
}
