import { and, asc, eq, min } from "drizzle-orm";
import { checkpoints } from "../schema.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

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
