import { sql } from "drizzle-orm";
import { ForgeError } from "../../domain/errors.ts";
import { redactStringsInTurns } from "../../safety/redact-value.ts";
import { moveOn } from "../jobs/fence.ts";
import { putWorkTree, type WorkTree } from "../runs/put-work-tree.ts";
import { statement } from "../statement.ts";
import type { Store } from "../store.ts";
import { appendFacts, type Facts } from "./append-facts.ts";

/** One step of an agent: what happened, and what its state became. */
export interface RecordedStep extends Facts {
  /** Which agent of the run: `reviewer/1`. */
  readonly agent: string;
  readonly sequence: number;
  /** What is new since the step before, as plain data: what was recorded is not redacted and written again. */
  readonly checkpoint: unknown;
  /** The files that the run works on, where they changed in this step. */
  readonly workTree?: WorkTree;
}

/**
 * Writes the events and the checkpoint of a step, both or none (PIPE-6).
 * @throws ForgeError `checkpoint_exists` where the same step was recorded before, and as `appendFacts`
 */
export async function recordStep(store: Store, step: RecordedStep): Promise<void> {
  const { traceId, agent, sequence, at } = step;
  // What a model wrote may hold a secret too, and the conversation is kept.
  const content = JSON.stringify(await redactStringsInTurns(step.checkpoint, store.redact));
  const checkpoint = statement(
    sql`insert into checkpoints (trace_id, agent, sequence, at, content)
        values (${traceId}, ${agent}, ${sequence}, ${at}, ${content})`,
    () => exists(step),
  );
  const tree = step.workTree ? [putWorkTree(traceId, step.workTree, at)] : [];
  await appendFacts(store, step, [checkpoint, ...tree, ...moveOn(step.fence)]);
}

function exists({ traceId, agent, sequence }: RecordedStep): ForgeError {
  return new ForgeError("checkpoint_exists", `Step ${sequence} of ${agent} in run ${traceId} was recorded before.`, {
    source: "logic",
    recoverability: "none",
    context: { traceId, agent, sequence },
  });
}
