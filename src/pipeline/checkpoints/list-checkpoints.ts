import { defined } from "../../domain/defined.ts";
import type { Others, PlacedEvent, RunEvent } from "../../domain/events.ts";
import { readEvents } from "../../store/events/read-events.ts";
import { readSteps, type StoredStep } from "../../store/events/steps.ts";
import type { Store } from "../../store/store.ts";
import { evolveRun, kindOfRun, type Replayed, replayRun } from "../kinds.ts";
import { whyNotRestorable } from "./restore-point.ts";
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
  const kind = kindOfRun(events);
  const now = replayRun(events);
  const listed: RunCheckpoint[] = [];
  let then: Then = { sums: NOTHING_YET, version: 0 };
  let next = 0;
  for (const [index, event] of events.entries()) {
    for (let step = steps[next]; step !== undefined && step.at < event.at; step = steps[++next]) {
      listed.push(ofStep(step, then));
    }
    then = { ...advance(then, event, kind), version: index + 1 };
    if (!isPoint(event)) continue;
    const notRestorable = now && whyNotBack(then.run, now);
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
  readonly run?: Replayed;
}

function advance({ sums, run }: Then, event: RunEvent, kind: Replayed["kind"] | undefined): Omit<Then, "version"> {
  const next = evolveRun(run, event as PlacedEvent, kind);
  return { sums: add(sums, event), ...defined({ run: next }) };
}

function whyNotBack(then: Replayed | undefined, now: Replayed): string | undefined {
  switch (now.kind) {
    case "review":
      return "it is a review: /forge review begins a new one";
    case "implement":
      return whyNotRestorable(then?.kind === "implement" ? then.state : undefined, now.state);
    case "deploy":
      return "it is a deployment: /forge deploy begins a new one, and /forge rollback goes back";
    default:
      return now satisfies never;
  }
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
  return { at, version: then.version, ...then.sums, outputs: outputsOf(then) };
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

/** What a run had come to after these events, by name: what its phases made, without what is counted or who asked. */
function outputsOf({ run }: Then): Readonly<Record<string, unknown>> {
  switch (run?.kind) {
    case undefined:
      return {};
    case "implement": {
      const { configuration, base, plan, tasksDone, work, branch, pushed, pull, reviewed, tests, answers, feedback } =
        run.state;
      const { instructions, gates } = run.state;
      return defined({
        ...{ configuration, base, plan, work, branch, pushed, pull, reviewed, tests },
        ...{ tasksDone: some(tasksDone), answers: some(answers), feedback: some(feedback) },
        ...{ instructions: some(instructions), gates: some(gates) },
      });
    }
    case "review": {
      const { state } = run;
      return defined({
        ends: state.ends,
        review: "review" in state ? state.review : undefined,
        risk: "risk" in state ? state.risk : undefined,
        gates: some(state.gates ?? []),
      });
    }
    case "deploy": {
      const { deploy, configuration, observed, verified, gates, steps, back, end } = run.state;
      return defined({
        ...{ deploy, configuration, observed, verified, back, end },
        ...{ gates: some(gates), steps: some(steps) },
      });
    }
    default:
      return run satisfies never;
  }
}

function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}
