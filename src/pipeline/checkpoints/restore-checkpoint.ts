import type { Actor } from "../../domain/subjects.ts";
import { readEvents } from "../../store/read-events.ts";
import { type HandleInputPorts, handleInput } from "../handle-input.ts";
import { replayImplementation } from "../implement/evolve.ts";
import { headOf, type Implementation } from "../implement/implementation.ts";
import { whyNotRestorable } from "./why-not-restorable.ts";

export type Restored =
  | { readonly restored: true; readonly warnings: readonly string[] }
  /** Why not, in words that follow "because". */
  | { readonly restored: false; readonly reason: string };

export interface RestoreRequest {
  readonly runId: string;
  /** Of a checkpoint of the log: `v12` is 12. */
  readonly version: number;
  readonly by: Actor;
  /** ISO 8601. */
  readonly at: string;
}

/**
 * Has a run on an issue that is not at work go on from an earlier point of itself (PIPE-6), by new events only. The commits stay as they are, so
 * only points of the present commit can be gone back to, and planning.
 * @throws ForgeError as `handleInput`
 */
export async function restoreCheckpoint(ports: HandleInputPorts, request: RestoreRequest): Promise<Restored> {
  const { runId, version, by, at } = request;
  const events = await readEvents(ports.store, runId);
  if (version < 1 || version > events.length)
    return { restored: false, reason: `the run has no checkpoint v${version}` };
  const then = replayImplementation(events.slice(0, version));
  const now = replayImplementation(events);
  const reason = whyNotRestorable(then, now);
  if (reason !== undefined || !then?.phase || !now) return { restored: false, reason: reason ?? "no phase had begun" };
  const { subject } = now;
  const { phase, plan, cause, feedback } = then;
  const { ignored } = await handleInput(ports, {
    ...{ type: "run.restored", runId, subject, by, at, newRunId: ports.makeId(), toVersion: version, phase },
    headSha: headOf(then),
    ...(plan ? { plan: { plan: plan.plan, estimate: plan.estimate } } : {}),
    ...(cause ? { back: { cause, feedback } } : {}),
  });
  return ignored === undefined
    ? { restored: true, warnings: lasting(then, now) }
    : { restored: false, reason: ignored };
}

/** What cannot be taken back. */
function lasting(then: Implementation, now: Implementation): string[] {
  const commits = (now.work?.commits.length ?? 0) - (then.work?.commits.length ?? 0);
  const spent = now.costUsd - then.costUsd;
  const tasks = now.tasksDone.length - then.tasksDone.length;
  return [
    ...(commits > 0 ? [`${commits} commits made since stay in the work${now.pushed ? " and on the branch" : ""}`] : []),
    ...(tasks > 0 ? [`${tasks} tasks done since stay done`] : []),
    ...(now.pull && !then.pull ? [`pull request #${now.pull.number} stays open`] : []),
    ...(spent > 0 ? [`$${spent.toFixed(2)} spent since stays spent`] : []),
    "comments and checks on GitHub stay as they are",
  ];
}
