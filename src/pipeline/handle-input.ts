import { ForgeError } from "../domain/errors.ts";
import type { PlacedEvent, RunEvent } from "../domain/events.ts";
import type { MakeId } from "../domain/ids.ts";
import type { Input } from "../domain/inputs.ts";
import { type Subject, subjectKey } from "../domain/subjects.ts";
import { commitDecision } from "../store/commit-decision.ts";
import type { Fence } from "../store/fence.ts";
import type { SettledEffect } from "../store/settle-effect.ts";
import type { Store } from "../store/store.ts";
import { decide } from "./decide.ts";
import type { Decision, SubjectView } from "./decision.ts";
import { evolve } from "./evolve.ts";
import { loadView } from "./load-view.ts";
import { projectLedger, projectRepository, projectRun } from "./project.ts";
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

async function commit(
  { store, makeId }: HandleInputPorts,
  input: Input,
  view: SubjectView,
  decision: Decision,
  { fence, settles }: { readonly fence: Fence | undefined; readonly settles: SettledEffect | undefined },
): Promise<RunEvent[]> {
  const { subject, at } = input;
  const projections = decision.appends.map((append) => project(view, subject, append, at));
  return commitDecision(store, {
    appends: decision.appends.map(({ runId, ...append }) => ({ traceId: runId, ...append })),
    run: projections.flatMap(({ run }) => (run ? [projectRun(run)] : [])),
    ledger: projections.flatMap(({ ledger }) => ledger),
    repository: projections.flatMap(({ repository }) => repository),
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

/** What new events come to in the tables that are easier to read. */
function project(view: SubjectView, subject: Subject, append: Decision["appends"][number], at: string) {
  const { runId, expectedVersion, events } = append;
  const placed = events.map((event, i): PlacedEvent => {
    return { ...event, traceId: runId, version: expectedVersion + i + 1, at };
  });
  if (runId === subjectKey(subject)) {
    const ledger = projectLedger(subject, "", placed, view.ledger);
    return { run: undefined, ledger, repository: projectRepository(subject, placed, view.ledger) };
  }
  const before = [view.active, view.addressed, view.latest].find((run) => run?.runId === runId);
  const run = placed.reduce<RunState | undefined>(evolve, before)!;
  return { run, ledger: projectLedger(run.subject, run.ends.headSha, placed, view.ledger), repository: [] };
}
