import type { LoopState, Recorder } from "../../agents/library.ts";
import { applyCheckpoint, type Checkpoint, readLoopState } from "../../agents/library.ts";
import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { MakeId } from "../../domain/ids.ts";
import type { Phase } from "../../domain/phases.ts";
import { appendFacts } from "../../store/events/append-events.ts";
import { readCheckpoints, recordStep } from "../../store/events/steps.ts";
import type { Fence } from "../../store/jobs/fence.ts";
import type { WorkTree } from "../../store/runs/put-work-tree.ts";
import { readRun } from "../../store/runs/read-runs.ts";
import type { Store } from "../../store/store.ts";

/** Where the steps of a run's agents are kept, and where an agent goes on that was interrupted (PIPE-6, PIPE-7). */
export interface StepKeeper {
  /** Whether somebody takes the run up again later, and finds what was kept. */
  readonly outlives: boolean;
  /** @param agent which of the run's agents: `reviewer/1.1` */
  open(agent: string): Promise<{ readonly recorder: Recorder; readonly state?: LoopState }>;
  /** The result of an agent whose last step was recorded already. */
  note(events: readonly NewEvent[]): Promise<void>;
}

/** Nothing outlives the process: the command line. */
export const KEEP_NOTHING: StepKeeper = {
  outlives: false,
  open: async () => ({ recorder: { record: async () => {} } }),
  note: async () => {},
};

export interface StoredSteps {
  readonly store: Store;
  readonly runId: string;
  readonly fence: Fence;
  readonly now: () => string;
  readonly makeId: MakeId;
  /** Of the events; a review's when left out. */
  readonly phase?: Phase;
  /** The files that the agents of the run work on, as they are when a step is over: kept with it, so that both are of one moment (PIPE-6). */
  readonly workTree?: () => Promise<WorkTree | undefined>;
}

/** Each step is one transaction with its events in the log of the run. */
export function keepSteps({ store, runId, fence, now, makeId, phase = "review", workTree }: StoredSteps): StepKeeper {
  return {
    outlives: true,
    open: async (agent) => {
      const stored = await readCheckpoints(store, runId, agent);
      const record: Recorder["record"] = async (events, checkpoint) => {
        const tree = await workTree?.();
        await recordStep(store, {
          traceId: runId,
          agent,
          sequence: checkpoint.sequence,
          checkpoint,
          events: events.map((event) => ({ phase, ...event })),
          at: now(),
          makeId,
          source: "agents",
          fence,
          ...defined({ workTree: tree }),
        });
      };
      const state = restoreState(stored);
      return { recorder: { record }, ...defined({ state }) };
    },
    note: async (events) => {
      const source = "agents";
      const placed = events.map((event) => ({ phase, ...event }));
      if (placed.length > 0)
        await appendFacts(store, { traceId: runId, events: placed, at: now(), makeId, source, fence });
    },
  };
}

/** @throws what `readLoopState` throws */
export function restoreState(stored: readonly string[]): LoopState | undefined {
  if (stored.length === 0) return undefined;
  let state: LoopState | undefined;
  for (const content of stored) state = applyCheckpoint(state, JSON.parse(content) as Checkpoint);
  return readLoopState(state);
}

/**
 * Ends the work on a run that somebody stopped: looks after each recorded step and before each agent begins, so that a call in flight is
 * never paid in vain and a resumed run goes on exactly there.
 * @throws ForgeError `run_stopped` from `open` and `record`, for the whole of the run's work
 */
export function heedStop(keeper: StepKeeper, store: Store, runId: string): StepKeeper {
  const heed = async () => {
    if ((await readRun(store, runId))?.status !== "waiting") return;
    throw new ForgeError("run_stopped", "Somebody stopped this run; it keeps what it has.", {
      source: "logic",
      severity: "low",
      recoverability: "manual",
    });
  };
  return {
    ...keeper,
    open: async (agent) => {
      await heed();
      const { recorder, ...rest } = await keeper.open(agent);
      return {
        ...rest,
        recorder: {
          record: async (events, checkpoint) => {
            await recorder.record(events, checkpoint);
            await heed();
          },
        },
      };
    },
  };
}
