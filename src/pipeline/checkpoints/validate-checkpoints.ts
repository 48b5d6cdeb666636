import { errorFacts, ForgeError } from "../../domain/errors.ts";
import { readEvents, verifyRun } from "../../store/events/read-events.ts";
import { readSteps, type StoredStep } from "../../store/events/steps.ts";
import type { Store } from "../../store/store.ts";
import { restoreState } from "../ai/step-keeper.ts";

export interface CheckpointProblem {
  /** `log`, or which agent of the run. */
  readonly where: string;
  /** One sentence. */
  readonly what: string;
}

/** Whether a run could go on from what is stored: the chain of its log, every event, and the states of its agents without a gap (PIPE-6). */
export async function validateCheckpoints(store: Store, runId: string): Promise<CheckpointProblem[]> {
  const problems: CheckpointProblem[] = [];
  const { brokenAt } = await verifyRun(store, runId);
  if (brokenAt !== undefined) problems.push({ where: "log", what: `Event ${brokenAt} is not as it was written.` });
  try {
    await readEvents(store, runId);
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    problems.push({ where: "log", what: error.message });
  }
  for (const [agent, steps] of Map.groupBy(await readSteps(store, runId), (step) => step.agent)) {
    const what = problemOf(steps);
    if (what !== undefined) problems.push({ where: agent, what });
  }
  return problems;
}

function problemOf(steps: readonly StoredStep[]): string | undefined {
  const gap = steps.findIndex(({ sequence }, index) => sequence !== index + 1);
  if (gap !== -1) return `Step ${gap + 1} is missing.`;
  try {
    restoreState(steps.map(({ content }) => content));
    return undefined;
  } catch (error) {
    if (error instanceof ForgeError) return error.message;
    return `What was stored is no state of an agent: ${errorFacts(error).message.split("\n", 1)[0]}`;
  }
}
