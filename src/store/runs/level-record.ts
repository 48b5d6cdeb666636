import { and, desc, eq, gt, sql } from "drizzle-orm";
import { type LevelFacts, RunOutcome } from "../../domain/ladder.ts";
import { Subject } from "../../domain/subjects.ts";
import { levelActions, levels, runOutcomes } from "../schema.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** More outcomes than any level asks for. */
const MOST_OUTCOMES = 2_000;

/** One outcome with the pull request that it is about. */
export interface KeptOutcome {
  readonly subject: Subject;
  readonly outcome: RunOutcome;
  /** When the first was known of it; ISO 8601. */
  readonly at: string;
}

/** What became of runs in a repository since the last miss, newest first, at most 2,000. */
export async function readOutcomes(store: Store, repositoryId: number): Promise<KeptOutcome[]> {
  const since = sql<number>`coalesce((select ${levels.afterOutcome} from ${levels} where ${levels.repositoryId} = ${repositoryId}), 0)`;
  const rows = await reading(
    store.read
      .select()
      .from(runOutcomes)
      .where(and(eq(runOutcomes.repositoryId, repositoryId), gt(runOutcomes.sequence, since)))
      .orderBy(desc(runOutcomes.sequence))
      .limit(MOST_OUTCOMES),
  );
  return rows.map(({ subject, outcome, at }) => ({
    subject: Subject.parse(JSON.parse(subject)),
    outcome: RunOutcome.parse(JSON.parse(outcome)),
    at,
  }));
}

/** How often Forge did something by itself in a repository, by level. */
export async function countActions(store: Store, repositoryId: number): Promise<LevelFacts["actions"]> {
  const { level, action } = levelActions;
  return reading(
    store.read
      .select({ level, action, count: sql<number>`count(*)` })
      .from(levelActions)
      .where(eq(levelActions.repositoryId, repositoryId))
      .groupBy(level, action)
      .orderBy(level, action),
  );
}

/** Runs whose agents and analysers tell what works now. */
const LATEST_RUNS = 20;

/**
 * Models, prompts and analysers behind runs, by name, in the version that was used last: of one run, or of the latest runs of a repository.
 * An agent counts with the model that it began with.
 */
export async function readBasis(
  store: Store,
  of: { readonly runId: string } | { readonly repositoryId: number },
): Promise<Record<string, string>> {
  const runs =
    "runId" in of
      ? sql`select ${of.runId} as trace_id`
      : sql`select trace_id from runs where repository_id = ${of.repositoryId} order by started_at desc limit ${LATEST_RUNS}`;
  const rows = await reading(
    store.read.all<{ type: string; payload: string }>(sql`
      select type, payload from events where trace_id in (select trace_id from (${runs}))
        and type in ('agent.started', 'agent.reasoned', 'review.completed', 'phase.entered', 'work.observed')
      order by at, trace_id, version`),
  );
  const basis: Record<string, string> = {};
  const names = new Map<string, string>();
  for (const { type, payload } of rows) {
    const said = JSON.parse(payload);
    if (type === "agent.started") {
      names.set(said.agent.id, said.agent.name);
      basis[`prompt ${said.agent.name}`] = said.agent.promptVersion;
    } else if (type === "agent.reasoned") {
      const name = names.get(said.agentId);
      names.delete(said.agentId);
      if (name !== undefined) basis[`model ${name}`] = said.model;
    } else if (type === "review.completed") {
      for (const { tools } of said.coverage.layers) {
        for (const { name, version } of tools) basis[`analyser ${name}`] = version;
      }
    } else if (said.configuration?.llm) basis["configured models"] = JSON.stringify(said.configuration.llm);
  }
  return basis;
}
