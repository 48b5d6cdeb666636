import { defined } from "../../domain/defined.ts";
import type { Others, PlacedEvent, RunEvent } from "../../domain/events.ts";
import { readEvents } from "../../store/events/read-events.ts";
import { readSteps, type StoredStep } from "../../store/events/steps.ts";
import type { Store } from "../../store/store.ts";
import { kindOfRun } from "../kinds.ts";
import type { KnownCheckpoint } from "../runs/kind.ts";
import type { RunCheckpoint } from "./run-checkpoint.ts";

/**
 * The checkpoints of a run, oldest first: one for every transition and every gate, from the log, and one for every step of an agent (PIPE-6).
 * Expired ones (DATA-2) are not listed.
 */
export async function listCheckpoints(store: Store, runId: string): Promise<RunCheckpoint[]> {
  const events = await readEvents(store, runId);
  const steps = (await readSteps(store, runId)).toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const last = new Map<string, number>();
  for (const { agent, sequence } of steps) last.set(agent, Math.max(sequence, last.get(agent) ?? sequence));
  const ofStep = (step: StoredStep, then: Then) => checkpointOfStep(step, then, last.get(step.agent) === step.sequence);
  const known = kindOfRun(events)?.checkpoints(events);
  const listed: RunCheckpoint[] = [];
  let then: Then = { sums: NOTHING_YET, version: 0, known: { outputs: {} } };
  let next = 0;
  for (const [index, event] of events.entries()) {
    for (let step = steps[next]; step !== undefined && step.at < event.at; step = steps[++next]) {
      listed.push(ofStep(step, then));
    }
    const version = index + 1;
    then = { sums: add(then.sums, event), version, known: known?.(version) ?? then.known };
    if (!isPoint(event)) continue;
    const { notRestorable } = then.known;
    listed.push({
      ...{ id: `v${event.version}`, reason: event.type },
      ...common(event.at, then),
      ...defined({ notRestorable }),
    });
  }
  return [...listed, ...steps.slice(next).map((step) => ofStep(step, then))];
}

/** A run as it was after some of its events. */
interface Then {
  readonly sums: Sums;
  /** How many events there were. */
  readonly version: number;
  readonly known: KnownCheckpoint;
}

type Sums = Pick<
  RunCheckpoint,
  "phasesEntered" | "phasesCompleted" | "bounces" | "costByPhase" | "costUsd" | "tokens"
> &
  Pick<RunCheckpoint, "phase">;

const NOTHING_YET: Sums = {
  ...{ phasesEntered: [], phasesCompleted: [], bounces: {}, costByPhase: {}, costUsd: 0, tokens: 0 },
};

/** A transition of the run or of its phases, or something about a gate. */
function isPoint({ type }: RunEvent): boolean {
  return /^(?:run|phase|gate)\./.test(type);
}

function add(sums: Sums, event: RunEvent): Sums {
  const { cost, phase: of = "other" } = event;
  const paid = cost
    ? {
        costUsd: sums.costUsd + cost.usd,
        tokens: sums.tokens + cost.tokens,
        costByPhase: { ...sums.costByPhase, [of]: (sums.costByPhase[of] ?? 0) + cost.usd },
      }
    : {};
  return { ...sums, ...paid, ...transition(sums, event as PlacedEvent) };
}

function transition(sums: Sums, event: PlacedEvent): Partial<Sums> {
  switch (event.type) {
    case "phase.entered": {
      const phase = "ends" in event.payload ? "review" : event.payload.phase;
      return { phase, phasesEntered: [...sums.phasesEntered, phase] };
    }
    case "phase.completed":
      return { phasesCompleted: [...sums.phasesCompleted, event.payload.phase] };
    case "phase.bounced":
      return { bounces: { ...sums.bounces, [event.payload.cause]: event.payload.bounce } };
    default: {
      event.type satisfies Others<"phase", "phase.failed" | "phase.skipped">;
      return {};
    }
  }
}

function common(at: string, then: Then) {
  return { at, version: then.version, ...then.sums, outputs: then.known.outputs };
}

function checkpointOfStep(step: StoredStep, then: Then, isLast: boolean): RunCheckpoint {
  const { agent, sequence, at, content } = step;
  const schemaVersion = versionIn(content);
  const notRestorable = isLast
    ? "an agent goes on from its last step by itself, when the run is resumed"
    : "the files of that moment are gone: only those of the last step are kept";
  return {
    ...{ id: `${agent}#${sequence}`, reason: `step ${sequence} of ${agent}`, agent },
    ...common(at, then),
    ...defined({ schemaVersion }),
    notRestorable,
  };
}

function versionIn(content: string): number | undefined {
  try {
    const { version } = (JSON.parse(content) as { core?: { version?: unknown } }).core ?? {};
    return typeof version === "number" ? version : undefined;
  } catch {
    // Validation says what is wrong with it.
    return undefined;
  }
}
