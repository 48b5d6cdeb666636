import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { RunEvent } from "../../domain/events.ts";
import type { MakeId } from "../../domain/ids.ts";
import type { Input } from "../../domain/inputs.ts";
import type { Subject } from "../../domain/subjects.ts";
import { commitDecision, type Decision as StoredDecision } from "../../store/commit-decision.ts";
import type { SettledEffect } from "../../store/effects/settle-effect.ts";
import type { Fence } from "../../store/jobs/fence.ts";
import type { Store } from "../../store/store.ts";
import { type Kinds, ownerOf } from "../kinds.ts";
import type { Decision } from "./decision.ts";
import type { Projections } from "./kind.ts";
import { SAID_ANEW } from "./said-anew.ts";

export interface HandleInputPorts {
  readonly store: Store;
  readonly makeId: MakeId;
  /** The kinds of run that there are; Forge's own when left out. */
  readonly kinds?: Kinds;
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
    const { decision, projections } = await ownerOf(input, ports.kinds).handle(ports.store, input);
    if (decision.ignored !== undefined) return { ignored: decision.ignored, events: [] };
    try {
      return { events: await commit(ports, input, decision, projections, { fence, settles }) };
    } catch (error) {
      const lostRace = error instanceof ForgeError && error.code === "version_conflict";
      if (!lostRace || attempt >= ATTEMPTS) throw error;
    }
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
    ...(fence ? { fence, moves: movesOf(input, decision) } : {}),
    ...defined({ settles, feedback: decision.feedback }),
  });
}

/** How far the job of a worker comes by an input. */
function movesOf({ type }: Input, { appends }: Decision): NonNullable<StoredDecision["moves"]> {
  const anew = SAID_ANEW[type];
  if (anew !== false) return anew === "by_clock" ? "nowhere" : "past_mark";
  // What work begins with is said anew too, unless a phase begins with it.
  const events = appends.flatMap((append) => append.events);
  const isFurther = type !== "work.observed" || events.some((event) => event.type === "phase.entered");
  return isFurther ? "on" : "past_mark";
}
