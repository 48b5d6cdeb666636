import type { DeployRequest } from "../../domain/deployments.ts";
import type { NewEvent, PlacedEvent } from "../../domain/events.ts";
import type { DeployRequested } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { type Decision, deployOn, ignore, NOTHING } from "../runs/decision.ts";
import { isActive } from "./deployment.ts";
import { evolveDeployment } from "./evolve.ts";
import { finish } from "./move.ts";
import type { EnvironmentView } from "./view.ts";

/** A version is wanted there: at once, or after what is under way (PIPE-3). */
export function decideRequested(
  { active, facts, recent, environment }: Pick<EnvironmentView, "active" | "facts" | "recent" | "environment">,
  { deploy, at, newRunId, subject }: Pick<DeployRequested, "deploy" | "at" | "newRunId" | "subject">,
): Decision {
  if (recent.some(({ requestId }) => requestId === deploy.id)) return ignore("this was asked for before");
  const own = { runId: subjectKey(subject), expectedVersion: facts.version };
  if (isActive(active)) {
    if (active.deploy.sha === deploy.sha) return ignore("this version is being deployed there");
    if (environment.next?.id === deploy.id) return ignore("this is the next one there");
    const queued: NewEvent = { type: "environment.queued", payload: { deploy }, actor: deploy.by };
    const { next } = environment;
    const ended = next ? [superseded(next, { at, newRunId, subject })] : [];
    return { ...NOTHING, appends: [{ ...own, events: [queued] }, ...ended] };
  }
  const started = startedEvent(deploy, subject);
  const isNext = environment.next?.id === deploy.id;
  const unqueued: NewEvent = { type: "environment.unqueued", payload: {} };
  return {
    ...NOTHING,
    appends: [
      { runId: newRunId, expectedVersion: 0, events: [started] },
      ...(isNext ? [{ ...own, events: [unqueued] }] : []),
    ],
    jobs: [deployOn({ runId: newRunId, subject }, at)],
  };
}

function startedEvent(deploy: DeployRequest, subject: DeployRequested["subject"]): NewEvent {
  const task = `deploy ${deploy.sha.slice(0, 7)} to ${deploy.environment}`;
  return { type: "run.started", payload: { kind: "deploy", subject, deploy, task }, actor: deploy.by };
}

/** What waited and was never begun has an end all the same: whoever wants to know of it finds it where it is told of. */
function superseded(
  deploy: DeployRequest,
  { at, newRunId, subject }: Pick<DeployRequested, "at" | "newRunId" | "subject">,
): Decision["appends"][number] {
  const started = startedEvent(deploy, subject);
  const run = evolveDeployment(undefined, { ...started, traceId: newRunId, version: 1, at } as PlacedEvent);
  return {
    runId: newRunId,
    expectedVersion: 0,
    events: [started, ...finish(run, at, { outcome: "superseded" }).events],
  };
}
