import { and, asc, eq, min, sql } from "drizzle-orm";
import { ForgeError } from "../../domain/errors.ts";
import { redactStringsInTurns } from "../../safety/redact-value.ts";
import { moveOn } from "../jobs/fence.ts";
import { putWorkTree, type WorkTree } from "../runs/put-work-tree.ts";
import { checkpoints } from "../schema.ts";
import { statement } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import { appendFacts, type Facts } from "./append-events.ts";

/** The JSON of an agent's checkpoints in their order; none for an agent that has not begun. */
export async function readCheckpoints(store: Store, traceId: string, agent: string): Promise<string[]> {
  const rows = await reading(
    store.read
      .select({ content: checkpoints.content })
      .from(checkpoints)
      .where(and(eq(checkpoints.traceId, traceId), eq(checkpoints.agent, agent)))
      .orderBy(asc(checkpoints.sequence)),
  );
  return rows.map(({ content }) => content);
}

/** The agents of a run that recorded steps, in the order of their first. */
export async function listRecordedAgents(store: Store, traceId: string): Promise<string[]> {
  const rows = await reading(
    store.read
      .select({ agent: checkpoints.agent })
      .from(checkpoints)
      .where(eq(checkpoints.traceId, traceId))
      .groupBy(checkpoints.agent)
      .orderBy(asc(min(checkpoints.at)), asc(checkpoints.agent)),
  );
  return rows.map(({ agent }) => agent);
}

/** One step of an agent as it was stored; `content` is the JSON of its checkpoint. */
export interface StoredStep {
  readonly agent: string;
  readonly sequence: number;
  /** ISO 8601. */
  readonly at: string;
  readonly content: string;
}

/** The steps of all agents of a run, each agent's in order. */
export function readSteps(store: Store, traceId: string): Promise<StoredStep[]> {
  const { agent, sequence, at, content } = checkpoints;
  return reading(
    store.read
      .select({ agent, sequence, at, content })
      .from(checkpoints)
      .where(eq(checkpoints.traceId, traceId))
      .orderBy(asc(agent), asc(sequence)),
  );
}

/** One step of an agent: what happened, and what its state became. */
export interface RecordedStep extends Facts {
  /** Which agent of the run: `reviewer/1`. */
  readonly agent: string;
  readonly sequence: number;
  /** The difference to the step before, as plain data: recorded parts are not redacted and written again. */
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

/** What was said in a step: the JSON of its messages; null where that is longer than was asked for. */
export interface SaidInStep extends Omit<StoredStep, "content"> {
  readonly messages: string | null;
}

/** The latest steps of all agents of a run, the newest first. @param characters of the JSON of one step's messages, at most */
export async function readLatestSteps(
  store: Store,
  traceId: string,
  { most, characters }: { readonly most: number; readonly characters: number },
): Promise<SaidInStep[]> {
  // First which they are, by columns that stand before what is large.
  return reading(
    store.read.all<SaidInStep>(sql`
      select agent, sequence, at, case when length(messages) <= ${characters} then messages end as messages
      from (
        select latest.agent, latest.sequence, latest.at, json_extract(content, '$.messages') as messages
        from (
          select agent, sequence, at from checkpoints where trace_id = ${traceId}
          order by at desc, sequence desc, agent limit ${most}) as latest
        join checkpoints on checkpoints.trace_id = ${traceId} and checkpoints.agent = latest.agent
          and checkpoints.sequence = latest.sequence)
      order by at desc, sequence desc, agent`),
  );
}
