import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { RunEvent } from "../../domain/events.ts";
import type { MakeId } from "../../domain/ids.ts";
import type { CommonInput, Input, IssueInput, PullInput } from "../../domain/inputs.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { commitDecision } from "../../store/commit-decision.ts";
import type { SettledEffect } from "../../store/effects/settle-effect.ts";
import type { Fence } from "../../store/jobs/fence.ts";
import type { Store } from "../../store/store.ts";
import type { EnvironmentInput } from "../deploy/view.ts";
import { DEPLOYMENTS, IMPLEMENTATIONS, REVIEWS, RULES } from "../kinds.ts";
import type { Decision, RunView } from "./decision.ts";
import { type Kind, type Projections, placeEvents, runOf } from "./kind.ts";
import { SAID_ANEW } from "./said-anew.ts";

export interface HandleInputPorts {
  readonly store: Store;
  readonly makeId: MakeId;
}

/** The same for callers whose inputs say when they are of. */
export interface InputDependencies extends HandleInputPorts {
  /** ISO 8601. */
  readonly now: () => string;
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
    const { decision, projections } = await decideInput(ports.store, input);
    if (decision.ignored !== undefined) return { ignored: decision.ignored, events: [] };
    try {
      return { events: await commit(ports, input, decision, projections, { fence, settles }) };
    } catch (error) {
      const lostRace = error instanceof ForgeError && error.code === "version_conflict";
      if (!lostRace || attempt >= ATTEMPTS) throw error;
    }
  }
}

/**
 * The kind of subject chooses the kind of run. The casts rest on the subject; an input that does not belong to its subject fails in the switch of
 * that kind's decisions (`misdirected`).
 */
function decideInput(store: Store, input: Input): ReturnType<typeof decideBy> {
  if (input.type === "rule.observed") return decideBy(RULES, store, input);
  const { kind } = input.subject;
  switch (kind) {
    case "environment":
      return decideBy(DEPLOYMENTS, store, input as EnvironmentInput);
    case "issue":
      return decideBy(IMPLEMENTATIONS, store, input as IssueInput | CommonInput);
    case "pull_request":
    case "merge_group":
      return decideBy(REVIEWS, store, input as PullInput);
    default:
      return kind satisfies never;
  }
}

type Fields<T> = T extends Input ? Omit<T, "subject" | "at" | "newRunId"> : never;

/** Tells what the work of a job came to, as long as the job is the worker's. `about` is another subject than that of the job. */
export function submit(
  dependencies: InputDependencies,
  { subject, fence }: { readonly subject: Subject; readonly fence: Fence },
  fields: Fields<Input>,
  about: Subject = subject,
): Promise<Handled> {
  const input = { ...fields, subject: about, at: dependencies.now(), newRunId: dependencies.makeId() } as Input;
  return handleInput(dependencies, input, fence);
}

/** A decision of a kind of run, and what it comes to in the tables. */
async function decideBy<I extends Input, V extends RunView<S>, S extends { readonly runId: string }>(
  kind: Kind<I, V, S>,
  store: Store,
  input: I,
): Promise<{ readonly decision: Decision; readonly projections: readonly Projections[] }> {
  const view = await kind.load(store, input);
  const decision = kind.decide(view, input);
  const projections = decision.appends.map((append) => {
    const events = placeEvents(append, input.at);
    const isOwn = append.runId === subjectKey(input.subject);
    const run = isOwn ? undefined : events.reduce<S | undefined>(kind.evolve, runOf(view, append.runId));
    return kind.project(view, input, events, run);
  });
  return { decision, projections };
}

async function commit(
  { store, makeId }: HandleInputPorts,
  input: Input,
  decision: Decision,
  projections: readonly Projections[],
  { fence, settles }: { readonly fence: Fence | undefined; readonly settles: SettledEffect | undefined },
): Promise<RunEvent[]> {
  const { subject, at } = input;
  return commitDecision(store, {
    appends: decision.appends.map(({ runId, ...append }) => ({ traceId: runId, ...append })),
    run: projections.flatMap(({ run }) => (run ? [run] : [])),
    ledger: projections.flatMap(({ ledger }) => ledger),
    repository: projections.flatMap(({ repository }) => repository),
    memories: [...(decision.memories ?? []), ...projections.flatMap(({ memories }) => memories)],
    effects: decision.effects.map((planned) => ({ subject, ...planned })),
    jobs: decision.jobs,
    cancelJobsOfRuns: decision.cancelJobsOfRuns,
    at,
    makeId,
    source: input.type,
    ...(fence ? { fence, movesOn: comesFurther(input, decision) } : {}),
    ...defined({ settles, feedback: decision.feedback }),
  });
}

function comesFurther({ type }: Input, { appends }: Decision): boolean {
  if (SAID_ANEW[type]) return false;
  // What work begins with is said anew too, unless a phase begins with it.
  const events = appends.flatMap((append) => append.events);
  return type !== "work.observed" || events.some((event) => event.type === "phase.entered");
}
