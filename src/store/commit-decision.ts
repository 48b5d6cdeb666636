import { sql } from "drizzle-orm";
import { type Effect, isEffectKey } from "../domain/effects.ts";
import type { RunEvent } from "../domain/events.ts";
import type { MakeId } from "../domain/ids.ts";
import type { NewJob } from "../domain/jobs.ts";
import { type Subject, subjectKey } from "../domain/subjects.ts";
import type { Redact } from "../safety/redact.ts";
import { redactStringsInTurns } from "../safety/redact-value.ts";
import { type SettledEffect, settleEffectStatement } from "./effects/settle-effect.ts";
import { type Append, insertEvents, sealAppends } from "./events/append-events.ts";
import { changeFeedback, type FeedbackChange } from "./feedback.ts";
import { enqueueJobs } from "./jobs/add-jobs.ts";
import { type Fence, guardFence, moveOn, passMark } from "./jobs/fence.ts";
import { changeMemories, type MemoryChange } from "./memories/write-memories.ts";
import { type LedgerChange, upsertFindings } from "./runs/ledger.ts";
import { changeRepository, type RepositoryChange } from "./runs/repository-facts.ts";
import { type RunProjection, upsertRuns } from "./runs/upsert-runs.ts";
import { portions, type Statement, statement } from "./statement.ts";
import type { Store } from "./store.ts";

/** Everything that one decision changes. */
export interface Decision {
  readonly appends: readonly Append[];
  readonly run?: readonly RunProjection[];
  readonly ledger?: readonly LedgerChange[];
  readonly repository?: readonly RepositoryChange[];
  readonly memories?: readonly MemoryChange[];
  readonly feedback?: FeedbackChange;
  readonly effects?: readonly PlannedEffects[];
  readonly jobs?: readonly NewJob[];
  readonly cancelJobsOfRuns?: readonly string[];
  /** The effect whose end this tells: that it ended and what follows are one fact. */
  readonly settles?: SettledEffect;
  /** The moment the events carry. */
  readonly at: string;
  readonly makeId: MakeId;
  /** Which part of Forge it was, for the events. */
  readonly source: string;
  /** Given by a worker: the decision counts only while its job is still its own. */
  readonly fence?: Fence;
  /** Whether the job of the fence comes further by it: `past_mark` is for what each worker says that takes up the job, and the default. */
  readonly moves?: "on" | "past_mark" | "nowhere";
}

/**
 * Writes a decision, all of it or nothing, and then tells the subscribers. Returns the events as they are stored.
 * @throws ForgeError `version_conflict` when a run moved on or its subject got another active run: load, decide again.
 * @throws ForgeError `lease_lost` when the job of `fence` is held by somebody else.
 * @throws ForgeError `finding_id_taken`, `event_invalid`, `storage_full`, `database_unreachable`.
 */
export async function commitDecision(store: Store, decision: Decision): Promise<RunEvent[]> {
  const sealed = await sealAppends(store, decision.appends, decision);
  const { redact } = store;
  const ledger = await redactStringsInTurns(decision.ledger ?? [], redact);
  const repository = await redactStringsInTurns(decision.repository ?? [], redact);
  const effects = await redactEffects(decision.effects ?? [], redact);
  const statements = [
    ...(decision.fence ? [guardFence(decision.fence)] : []),
    ...insertEvents(sealed),
    ...upsertRuns(decision.run ?? []),
    ...upsertFindings(ledger),
    ...changeRepository(repository),
    ...changeMemories(decision.memories ?? [], decision.at),
    ...(decision.feedback ? changeFeedback(decision.feedback, decision.at) : []),
    ...effects.flatMap((planned) => planEffects(planned, decision.at)),
    ...(decision.settles ? [settleEffectStatement(decision.settles, decision.at)] : []),
    // Before the new jobs: a run may replace its own.
    ...cancelJobsOfRuns(decision.cancelJobsOfRuns ?? []),
    ...enqueueJobs(decision.jobs ?? []),
    ...movement(decision),
  ];
  if (statements.length > 0) await store.queue.alone(statements);
  for (const event of sealed) for (const hear of [...store.eventListeners]) hear(event);
  const cancelled = decision.cancelJobsOfRuns ?? [];
  if (cancelled.length > 0) for (const listener of store.cancelListeners) listener(cancelled);
  const keys = (decision.jobs ?? []).map(({ key }) => key);
  if (keys.length > 0) for (const listener of store.jobListeners) listener(keys);
  return sealed;
}

function movement({ moves = "past_mark", fence }: Decision): Statement[] {
  if (moves === "nowhere") return [];
  return moves === "on" ? moveOn(fence) : passMark(fence);
}

/** Jobs that wait are gone at once; a running one is asked to stop at its next heartbeat. */
export function cancelJobsOfRuns(runIds: readonly string[]): Statement[] {
  if (runIds.length === 0) return [];
  const ids = JSON.stringify(runIds);
  return [
    statement(sql`delete from jobs where state = 'queued' and run_id in (select value from json_each(${ids}))`),
    statement(
      sql`update jobs set cancel_requested = 1 where state = 'running' and run_id in (select value from json_each(${ids}))`,
    ),
  ];
}

interface PlannedEffects {
  readonly runId: string;
  readonly subject: Subject;
  readonly headSha: string;
  readonly effects: readonly Effect[];
}

/**
 * Redacts what effects say, and leaves keys, subjects and heads as they are: those are names that Forge made, and two of them that became
 * one by it would lose an effect (GH-13).
 */
async function redactEffects(planned: readonly PlannedEffects[], redact: Redact): Promise<PlannedEffects[]> {
  const clean = await redactStringsInTurns(
    planned.map(({ effects }) => effects.map(({ payload }) => payload)),
    redact,
  );
  return planned.map((one, index) => ({
    ...one,
    effects: one.effects.map((effect, at) => {
      const keys = Object.entries(effect.payload).filter(([member]) => isEffectKey(member));
      return { ...effect, payload: { ...clean[index]![at], ...Object.fromEntries(keys) } } as Effect;
    }),
  }));
}

/** One whose key is there already was decided before and stays as it is (GH-13). */
function planEffects({ runId, subject, headSha, effects }: PlannedEffects, at: string): Statement[] {
  return portions(effects).map((portion) =>
    statement(sql`
      insert into effects
      (key, kind, payload, run_id, subject_key, subject, installation_id, head_sha, state, planned_at)
      values ${sql.join(
        portion.map(
          ({ key, kind, payload }) =>
            sql`(${key}, ${kind}, ${JSON.stringify(payload)}, ${runId}, ${subjectKey(subject)}, ${JSON.stringify(subject)},
              ${subject.repository.installationId}, ${headSha}, 'planned', ${at})`,
        ),
        sql`, `,
      )}
      on conflict (key) do nothing`),
  );
}
