import { ENVIRONMENTS, type Environment, environmentSubject } from "../../../domain/deployments.ts";
import { answeredAt } from "../../../domain/event-catalogue.ts";
import { type Gate, isOpenGate } from "../../../domain/gates.ts";
import { type Subject, subjectKey } from "../../../domain/subjects.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import { findActiveRun } from "../../../store/runs/read-runs.ts";
import type { Store } from "../../../store/store.ts";
import { evolveGates } from "./evolve-gates.ts";

/** The open gate of a deployment. An environment has one at most, because one deployment at a time is under way there. */
export interface DeployGate {
  readonly environment: Environment;
  readonly gate: Gate;
}

/**
 * The open gates of the deployments whose comments are here. Their numbers count for the environment and for this conversation, so its own
 * gates must not have the same ones.
 * @param places the issue or pull request; of a pull request by Forge also the issue that it implements
 */
export async function readDeployGates(store: Store, places: readonly [Subject, ...Subject[]]): Promise<DeployGate[]> {
  const [{ repository }] = places;
  const here = new Set(places.map(subjectKey));
  const found = await Promise.all(
    ENVIRONMENTS.map(async (environment): Promise<DeployGate[]> => {
      const run = await findActiveRun(store, environmentSubject(repository, environment));
      if (!run) return [];
      const events = await readEvents(store, run.traceId);
      const [started] = events;
      const about = started?.type === "run.started" && answeredAt(started.payload);
      // A deployment without a comment can be answered everywhere.
      if (about && !here.has(subjectKey(about))) return [];
      const open = events.reduce<readonly Gate[]>(evolveGates, []).filter(isOpenGate);
      return open.map((gate) => ({ environment, gate }));
    }),
  );
  return found.flat();
}
