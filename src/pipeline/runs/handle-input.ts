import { ForgeError } from "../../domain/errors.ts";
import type { RunEvent } from "../../domain/events.ts";
import type { MakeId } from "../../domain/ids.ts";
import type { CommonInput, Input, IssueInput, PullInput } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import type { RepositoryChange } from "../../store/change-repository.ts";
import { commitDecision } from "../../store/commit-decision.ts";
import type { Fence } from "../../store/fence.ts";
import type { SettledEffect } from "../../store/settle-effect.ts";
import type { Store } from "../../store/store.ts";
import type { LedgerChange } from "../../store/upsert-findings.ts";
import type { RunProjection } from "../../store/upsert-runs.ts";
import { decideIssue } from "../implement/decide.ts";
import { evolveImplementation } from "../implement/evolve.ts";
import type { Implementation } from "../implement/implementation.ts";
import { loadIssueView } from "../implement/load-issue.ts";
import { projectImplementation } from "../implement/project-implementation.ts";
import type { IssueView } from "../implement/view.ts";
import { decide } from "../review/decide.ts";
import { evolve } from "../review/evolve.ts";
import { loadView } from "../review/load-view.ts";
import { projectLedger, projectRepository, projectRun } from "../review/project.ts";
import type { RunState } from "../review/run-state.ts";
import type { Decision, SubjectView } from "./decision.ts";
import { placeEvents } from "./place-events.ts";

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
    const { decision, project } = isAboutIssue(input)
      ? await decideOnIssue(ports.store, input)
      : await decideOnPull(ports.store, input as PullInput);
    if (decision.ignored !== undefined) return { ignored: decision.ignored, events: [] };
    try {
      return { events: await commit(ports, input, decision, project, { fence, settles }) };
    } catch (error) {
      const lostRace = error instanceof ForgeError && error.code === "version_conflict";
      if (!lostRace || attempt >= ATTEMPTS) throw error;
    }
  }
}

/** What new events come to in the tables that are easier to read. */
type Project = (append: Decision["appends"][number]) => {
  readonly run?: RunProjection | undefined;
  readonly ledger: readonly LedgerChange[];
  readonly repository: readonly RepositoryChange[];
};

/** What is about an issue is decided by what is known of the issue; all else is about a pull request or a group of a merge queue. */
function isAboutIssue(input: Input): input is IssueInput | CommonInput {
  return input.subject.kind === "issue";
}

async function decideOnIssue(store: Store, input: IssueInput | CommonInput) {
  const view = await loadIssueView(store, input);
  const project: Project = (append) => projectIssue(view, input, append);
  return { decision: decideIssue(view, input), project };
}

async function decideOnPull(store: Store, input: PullInput) {
  const view = await loadView(store, input);
  const project: Project = (append) => projectPull(view, input, append);
  return { decision: decide(view, input), project };
}

async function commit(
  { store, makeId }: HandleInputPorts,
  input: Input,
  decision: Decision,
  project: Project,
  { fence, settles }: { readonly fence: Fence | undefined; readonly settles: SettledEffect | undefined },
): Promise<RunEvent[]> {
  const { subject, at } = input;
  const projections = decision.appends.map(project);
  return commitDecision(store, {
    appends: decision.appends.map(({ runId, ...append }) => ({ traceId: runId, ...append })),
    run: projections.flatMap(({ run }) => (run ? [run] : [])),
    ledger: projections.flatMap(({ ledger }) => ledger),
    repository: projections.flatMap(({ repository }) => repository),
    effects: decision.effects.map((planned) => ({ subject, ...planned })),
    jobs: decision.jobs,
    cancelJobsOfRuns: decision.cancelJobsOfRuns,
    at,
    makeId,
    source: input.type,
    ...(fence ? { fence, movesOn: comesFurther(input, decision) } : {}),
    ...(settles ? { settles } : {}),
  });
}

/** Said each time a job is taken up, however far it came before. */
const SAID_ANEW: ReadonlySet<Input["type"]> = new Set([
  "review.observed",
  "review.failed",
  "review.parked",
  "work.failed",
  "work.parked",
]);

function comesFurther({ type }: Input, { appends }: Decision): boolean {
  if (SAID_ANEW.has(type)) return false;
  // What work begins with is said anew too, unless a phase begins with it.
  const events = appends.flatMap((append) => append.events);
  return type !== "work.observed" || events.some((event) => event.type === "phase.entered");
}

function projectPull(
  view: SubjectView,
  { subject, at }: Input,
  append: Decision["appends"][number],
): ReturnType<Project> {
  const { runId } = append;
  const placed = placeEvents(append, at);
  if (runId === subjectKey(subject)) {
    const ledger = projectLedger(subject, "", placed, view.ledger);
    return { ledger, repository: projectRepository(subject, placed, view.ledger) };
  }
  const before = [view.active, view.addressed, view.latest].find((run) => run?.runId === runId);
  const run = placed.reduce<RunState | undefined>(evolve, before)!;
  return {
    run: projectRun(run),
    ledger: projectLedger(run.subject, run.ends.headSha, placed, view.ledger),
    repository: [],
  };
}

function projectIssue(
  view: IssueView,
  { subject, at }: Input,
  append: Decision["appends"][number],
): ReturnType<Project> {
  const { runId } = append;
  const placed = placeEvents(append, at);
  if (runId === subjectKey(subject)) return { ledger: [], repository: projectRepository(subject, placed, []) };
  const before = [view.active, view.addressed, view.latest].find((run) => run?.runId === runId);
  const run = placed.reduce<Implementation | undefined>(evolveImplementation, before)!;
  return { run: projectImplementation(run), ledger: [], repository: [] };
}
