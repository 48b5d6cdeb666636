import { ForgeError } from "../domain/errors.ts";
import type { PlacedEvent, RunEvent } from "../domain/events.ts";
import type { MakeId } from "../domain/ids.ts";
import type { Input } from "../domain/inputs.ts";
import { commitDecision } from "../store/commit-decision.ts";
import type { Fence } from "../store/fence.ts";
import { readEvents } from "../store/read-events.ts";
import { readLedger } from "../store/read-ledger.ts";
import { findActiveRun, listRunsOfSubject } from "../store/read-runs.ts";
import type { SettledEffect } from "../store/settle-effect.ts";
import type { Store } from "../store/store.ts";
import { decide } from "./decide.ts";
import type { Decision, RecentRun, SubjectView } from "./decision.ts";
import { evolve, replay } from "./evolve.ts";
import { projectLedger, projectRun } from "./project.ts";
import type { RunState } from "./run-state.ts";

export interface HandleInputPorts {
  readonly store: Store;
  readonly makeId: MakeId;
}

export interface Handled {
  /** Why nothing followed from the input. */
  readonly ignored?: string;
  readonly events: readonly RunEvent[];
}

/** Two inputs on one subject at once: the second decides anew on what the first wrote. More than this is a bug, not a race. */
const ATTEMPTS = 8;
const DAY_MS = 24 * 3_600_000;

/**
 * The one way in: loads what is known of the subject, decides, and writes events, projections, effects and jobs in one transaction.
 * With a `fence` nothing is written when the job that it names was taken over by another worker. `settles` names the effect whose end the
 * input tells: it is settled with the rest, and not when the input is ignored.
 * @throws ForgeError `lease_lost`, `storage_full`, or `version_conflict` after 8 lost races.
 */
export async function handleInput(
  ports: HandleInputPorts,
  input: Input,
  fence?: Fence,
  settles?: SettledEffect,
): Promise<Handled> {
  for (let attempt = 1; ; attempt += 1) {
    const view = await loadView(ports.store, input);
    const decision = decide(view, input);
    if (decision.ignored !== undefined) return { ignored: decision.ignored, events: [] };
    try {
      return { events: await commit(ports, input, view, decision, { fence, settles }) };
    } catch (error) {
      const lostRace = error instanceof ForgeError && error.code === "version_conflict";
      if (!lostRace || attempt >= ATTEMPTS) throw error;
    }
  }
}

async function loadView(store: Store, input: Input): Promise<SubjectView> {
  const { subject } = input;
  const since = new Date(Date.parse(input.at) - DAY_MS).toISOString();
  const [row, recent, ledger] = await Promise.all([
    findActiveRun(store, subject, "review"),
    listRunsOfSubject(store, subject, { since }),
    readLedger(store, subject),
  ]);
  const active = row ? replay(await readEvents(store, row.traceId)) : undefined;
  const named = "runId" in input ? input.runId : undefined;
  const addressed = named === active?.runId ? active : named ? replay(await readEvents(store, named)) : undefined;
  return {
    ...(active ? { active } : {}),
    ...(addressed ? { addressed } : {}),
    recent: recent.map(toRecentRun),
    ledger,
  };
}

function toRecentRun(row: Awaited<ReturnType<typeof listRunsOfSubject>>[number]): RecentRun {
  const { traceId: runId, headSha, requestId, startedAt, status, conclusion } = row;
  return { runId, headSha, requestId, startedAt, status, ...(conclusion ? { conclusion } : {}) };
}

async function commit(
  { store, makeId }: HandleInputPorts,
  input: Input,
  view: SubjectView,
  decision: Decision,
  { fence, settles }: { readonly fence: Fence | undefined; readonly settles: SettledEffect | undefined },
): Promise<RunEvent[]> {
  const { subject, at } = input;
  const projections = decision.appends.map((append) => project(view, append, at));
  return commitDecision(store, {
    appends: decision.appends.map(({ runId, ...append }) => ({ traceId: runId, ...append })),
    run: projections.map(({ run }) => run),
    ledger: projections.flatMap(({ ledger }) => ledger),
    effects: decision.effects.map((planned) => ({ subject, ...planned })),
    jobs: decision.jobs,
    cancelJobsOfRuns: decision.cancelJobsOfRuns,
    at,
    makeId,
    source: input.type,
    ...(fence ? { fence } : {}),
    ...(settles ? { settles } : {}),
  });
}

/** What the new events of a run come to in the tables that are easier to read. */
function project(view: SubjectView, append: Decision["appends"][number], at: string) {
  const { runId, expectedVersion, events } = append;
  const placed = events.map((event, i): PlacedEvent => {
    return { ...event, traceId: runId, version: expectedVersion + i + 1, at };
  });
  const before = [view.active, view.addressed].find((run) => run?.runId === runId);
  const run = placed.reduce<RunState | undefined>(evolve, before)!;
  return { run: projectRun(run), ledger: projectLedger(run, placed, view.ledger) };
}
