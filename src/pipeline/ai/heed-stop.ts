import { ForgeError } from "../../domain/errors.ts";
import { readRun } from "../../store/read-runs.ts";
import type { Store } from "../../store/store.ts";
import type { StepKeeper } from "./step-keeper.ts";

/**
 * Ends the work on a run that somebody stopped: looks after each recorded step and before each agent begins, so that a call in flight is
 * never paid in vain and whoever resumes goes on exactly there.
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
