import { listEffectsOfRun } from "../../../src/store/effects/read-effects.ts";
import { verifyRun } from "../../../src/store/events/read-events.ts";
import { countJobsByKind } from "../../../src/store/jobs/read-jobs.ts";
import { listRuns } from "../../../src/store/runs/read-runs.ts";
import type { Store } from "../../../src/store/store.ts";
import { listDeadJobs } from "../../store/list-dead-jobs.ts";
import type { ChaosWorld } from "../chaos-world.ts";
import { deliveryFaults, differences, isSetAside } from "../violations.ts";
import type { DeployWorld } from "./deploy-world.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import type { Told } from "./tell-deployments.ts";

/** Everything that is not as it has to be after the story, whoever was killed meanwhile; empty when all is well. */
export async function deployFaults(world: DeployWorld, told: Told, expected: Outcome): Promise<string[]> {
  const { chaos } = world;
  const seen = await outcomeOf(world, told.merged);
  return [
    ...told.faults,
    ...Object.entries(seen).flatMap(([part, texts]) => partFaults(part, expected[part] ?? [], texts)),
    ...chaos.github.referee.findings.map(({ detail }) => `referee: ${detail}`),
    ...(await chaos.read((store) => storeFaults(store, chaos))),
  ];
}

function partFaults(part: string, expected: readonly string[], seen: readonly string[]): string[] {
  const found = differences(part, expected, seen).filter((text) => !text.includes(" twice: "));
  if (found.length > 0 || JSON.stringify(expected) === JSON.stringify(seen)) return found;
  return [`${part} are there more or less often, or in another order: ${JSON.stringify(seen)}`];
}

async function storeFaults(store: Store, chaos: ChaosWorld): Promise<string[]> {
  const faults = await deliveryFaults(store, chaos);
  const { counts } = await countJobsByKind(store, new Date().toISOString());
  for (const { kind, state, count } of counts) {
    // What became of a merged change is looked at again after a month.
    const isLater = kind === "learn" && state === "queued";
    if (!isLater && state !== "dead") faults.push(`${count} jobs (${kind}) are ${state}`);
  }
  for (const { kind, error } of await listDeadJobs(store)) {
    // Of a webhook that was being read each time when another job's point came nobody waits for anything.
    if (kind !== "delivery" || !isSetAside(error)) faults.push(`dead ${kind}: ${error}`);
  }
  for (const { traceId, kind, status } of await listRuns(store, { limit: 1_000 })) {
    if (status !== "completed") faults.push(`a run (${kind}) is ${status}`);
    const { brokenAt } = await verifyRun(store, traceId);
    if (brokenAt !== undefined) faults.push(`the log of ${traceId} is broken at ${brokenAt}`);
    for (const { key, state, error } of await listEffectsOfRun(store, traceId)) {
      if (state !== "done" && state !== "obsolete") faults.push(`${key} is ${state}: ${error ?? ""}`);
    }
  }
  return faults;
}
