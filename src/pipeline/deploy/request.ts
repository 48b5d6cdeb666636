import { type DeployRequest, isByItself } from "../../domain/deployments.ts";
import type { NewEvent, PlacedEvent } from "../../domain/events.ts";
import type { DeployRequested } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { both, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import { DEPLOYMENT } from "./definition.ts";
import { deployOn } from "./deploy-on.ts";
import { type Deployment, isActive, stageOf } from "./deployment.ts";
import { evolveDeployment } from "./evolve.ts";
import { finish, moved } from "./move.ts";
import type { EnvironmentView } from "./view.ts";

type Requested = Pick<DeployRequested, "deploy" | "at" | "newRunId" | "subject">;

/** A version is wanted there: at once, or after what is under way (PIPE-3). */
export function decideRequested(
  view: Pick<EnvironmentView, "active" | "facts" | "recent" | "environment" | "workStopped">,
  requested: Requested,
): Decision {
  const { active, facts, recent, environment, workStopped } = view;
  const { deploy, at, newRunId, subject } = requested;
  if (recent.some(({ requestId }) => requestId === deploy.id)) return ignore("this was asked for before");
  const own = { runId: subjectKey(subject), expectedVersion: facts.version };
  const begun: Decision = { ...NOTHING, jobs: [deployOn({ runId: newRunId, subject }, at)] };
  // Forge only reports, and no person asked for it. The worker wakes the run that waits for its end.
  if (deploy.level === 0) {
    return { ...begun, appends: [unbegun(deploy, requested, { outcome: "refused", refusal: "level" })] };
  }
  if (isActive(active) && active.deploy.sha === deploy.sha) return ignore("this version is being deployed there");
  const isNext = environment.next?.id === deploy.id;
  const unqueued: NewEvent = { type: "environment.unqueued", payload: {} };
  if (workStopped) {
    const reason = "the work on the issue was stopped";
    const dropped = isNext ? [{ ...own, events: [unqueued] }] : [];
    return { ...begun, appends: [unbegun(deploy, requested, { outcome: "rejected", reason }), ...dropped] };
  }
  const yields = isActive(active) && !isByItself(deploy) && givesWay(active);
  if (isActive(active) && !yields) {
    if (isNext) return ignore("this is the next one there");
    const queued: NewEvent = { type: "environment.queued", payload: { deploy }, actor: deploy.by };
    const { next } = environment;
    const ended = next ? [unbegun(next, requested, { outcome: "superseded" })] : [];
    return { ...NOTHING, appends: [{ ...own, events: [queued] }, ...ended] };
  }
  const started: Decision = {
    ...begun,
    appends: [
      { runId: newRunId, expectedVersion: 0, events: [startedEvent(deploy, subject)] },
      ...(isNext ? [{ ...own, events: [unqueued] }] : []),
    ],
  };
  if (!yields) return started;
  const over = { ...finish(active, at, { outcome: "superseded" }), wake: true };
  return both(moved(active, facts.version, over, at), started);
}

/** A merge that still waits for people does not keep out what a person asks for. */
function givesWay(run: Deployment): boolean {
  return isByItself(run.deploy) && DEPLOYMENT.stages[stageOf(run)].waits === true;
}

function startedEvent(deploy: DeployRequest, subject: DeployRequested["subject"]): NewEvent {
  const task = `deploy ${deploy.sha.slice(0, 7)} to ${deploy.environment}`;
  return { type: "run.started", payload: { kind: "deploy", subject, deploy, task }, actor: deploy.by };
}

/** A run that ends as it starts, so that its comment says what became of the request. */
function unbegun(
  deploy: DeployRequest,
  { at, newRunId, subject }: Requested,
  end: Parameters<typeof finish>[2],
): Decision["appends"][number] {
  const started = startedEvent(deploy, subject);
  const run = evolveDeployment(undefined, { ...started, traceId: newRunId, version: 1, at } as PlacedEvent);
  return { runId: newRunId, expectedVersion: 0, events: [started, ...finish(run, at, end).events] };
}
