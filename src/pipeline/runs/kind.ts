import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { PlacedEvent } from "../../domain/events.ts";
import type { NotRestorable, RestorePoint } from "../../domain/implementation.ts";
import type { Input } from "../../domain/inputs.ts";
import type { NewJob } from "../../domain/jobs.ts";
import type { RunKind } from "../../domain/phases.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import { subjectKey } from "../../domain/subjects.ts";
import type { MemoryChange } from "../../store/memories/write-memories.ts";
import type { LedgerChange } from "../../store/runs/ledger.ts";
import type { RepositoryChange } from "../../store/runs/repository-facts.ts";
import type { RunProjection } from "../../store/runs/upsert-runs.ts";
import type { Store } from "../../store/store.ts";
import type { Decision, RunOn, RunView } from "./decision.ts";

/** The projection of events into tables that are easier to read; they can be made anew from the events at any time. */
export interface Projections {
  readonly run?: RunProjection;
  readonly ledger: readonly LedgerChange[];
  readonly repository: readonly RepositoryChange[];
  readonly memories: readonly MemoryChange[];
}

/** What the kernel has to know of a kind of run that is the same for all of its runs. */
export interface KindFacts {
  readonly name: RunKind;
  /** What one of its runs is called in a sentence, with its article. */
  readonly called: string;
  /** Who hears that something could not be written: the subject of the run, or the subject where it was to be written. */
  readonly hears: "own_subject" | "where_written";
  /** Something may be harmed while nobody looks after a run of it: one without a job is taken up within a minute. */
  readonly urgent: boolean;
  /** A person asked for something to be made: it counts as a request in the metrics, and a model looks back at it (RUN-1). */
  readonly request: boolean;
  /** A run of it that stopped or waits is taken up where it was, also on a checkout: `forge run --resume` (CLI-4). */
  readonly resumable?: true;
  /** A run of it judges a change: what the history of its repository says of changes is worked out for it (RISK-1). */
  readonly judges?: true;
  /** USD that a run may cost. */
  readonly ceilingUsd: (configuration: RepoConfig) => number;
  /** The job that has a worker go on with a run. */
  readonly wake: (run: RunOn, runAt: string) => NewJob;
  /** For `/forge retry v<n>`: what a run goes back to, where runs of this kind can. */
  readonly restore?: (events: readonly PlacedEvent[], version: number) => RestorePoint | NotRestorable;
}

/** A kind of run, as its folder describes it. `owns`, `decide` and `evolve` are pure: no clock, no I/O, no randomness. */
export interface Kind<I extends Input, V extends RunView<S>, S extends { readonly runId: string }> extends KindFacts {
  /** Whether an input is for this kind; each is for exactly one. */
  readonly owns: (input: Input) => input is I;
  /** All that deciding about an input may know. */
  readonly load: (store: Store, input: I) => Promise<V>;
  /** What follows from an input, on events, effects and jobs. */
  readonly decide: (view: V, input: I) => Decision;
  /** Folds one event into a run. @throws ForgeError `run_without_start` */
  readonly evolve: (state: S | undefined, event: PlacedEvent) => S;
  /** The row of a run, as status and history list it. */
  readonly show: (run: S) => RunProjection;
  /** What events come to in the other tables. `run` is what they make of it; it is undefined for those in the subject's own log. */
  readonly project: (view: V, input: I, events: readonly PlacedEvent[], run: S | undefined) => Omit<Projections, "run">;
  readonly checkpoint: {
    /** What a run had come to, by name: what its phases made, without what is counted or who asked. */
    readonly outputs: (run: S) => Readonly<Record<string, unknown>>;
    /** Why a run cannot be taken back to what it was then, in words that follow "because"; undefined where it can. */
    readonly whyNotBack: (then: S | undefined, now: S) => string | undefined;
  };
}

/** A decision of a kind of run, and what it comes to in the tables. */
export interface Decided {
  readonly decision: Decision;
  readonly projections: readonly Projections[];
}

/** What a run was after some of its events. */
export interface KnownCheckpoint {
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly notRestorable?: string;
}

/** A kind of run with its types closed over, so that one list can hold all kinds. */
export interface KindRow extends KindFacts {
  readonly owns: (input: Input) => boolean;
  /** Loads what is known, and decides. @param input one that it owns @throws ForgeError `input_misdirected` */
  readonly handle: (store: Store, input: Input) => Promise<Decided>;
  /** The row that these events of one run come to; undefined where there are none. @throws ForgeError `run_without_start` */
  readonly replay: (events: readonly PlacedEvent[]) => RunProjection | undefined;
  /** What a run was after so many of these events, all of it. @throws ForgeError `run_without_start` */
  readonly checkpoints: (events: readonly PlacedEvent[]) => (version: number) => KnownCheckpoint;
}

/** Closes a kind over its types. */
export function rowOf<I extends Input, V extends RunView<S>, S extends { readonly runId: string }>(
  kind: Kind<I, V, S>,
): KindRow {
  const { owns, load, decide, evolve, show, project, checkpoint, ...facts } = kind;
  return {
    ...facts,
    owns,
    handle: async (store, input) => {
      if (!owns(input)) throw misdirectedTo(input);
      const view = await load(store, input);
      const decision = decide(view, input);
      const projections = decision.appends.map((append): Projections => {
        const events = placeEvents(append, input.at);
        const isOwn = append.runId === subjectKey(input.subject);
        const run = isOwn ? undefined : events.reduce<S | undefined>(evolve, runOf(view, append.runId));
        return { ...defined({ run: run && show(run) }), ...project(view, input, events, run) };
      });
      return { decision, projections };
    },
    replay: (events) => {
      const run = replayBy(evolve, events);
      return run && show(run);
    },
    checkpoints: (events) => {
      const states: S[] = [];
      for (const event of events) states.push(evolve(states.at(-1), event));
      const now = states.at(-1);
      return (version) => {
        const then = states[version - 1];
        const notRestorable = now && checkpoint.whyNotBack(then, now);
        return { outputs: then ? checkpoint.outputs(then) : {}, ...defined({ notRestorable }) };
      };
    },
  };
}

/** The run of a view that has this id, where it is known. */
export function runOf<S extends { readonly runId: string }>(view: RunView<S>, runId: string): S | undefined {
  return [view.active, view.addressed, view.latest].find((run) => run?.runId === runId);
}

/** Events with their places in the log, as they will stand there. */
export function placeEvents(
  { runId, expectedVersion, events }: Decision["appends"][number],
  at: string,
): PlacedEvent[] {
  return events.map((event, i) => ({ ...event, traceId: runId, version: expectedVersion + i + 1, at }));
}

/** The state of a run from its events alone (EVT-3: snapshot); undefined for a run that never was. */
export function replayBy<S>(
  evolve: (state: S | undefined, event: PlacedEvent) => S,
  events: readonly PlacedEvent[],
): S | undefined {
  return events.reduce<S | undefined>(evolve, undefined);
}

export function runWithoutStart(runId: string): ForgeError {
  return new ForgeError("run_without_start", `The log of run ${runId} does not begin with run.started.`, {
    source: "logic",
    severity: "high",
    recoverability: "manual",
  });
}

/**
 * Ends a switch over the inputs of a kind of run. The compiler asks for each input there is; an input for another kind of subject, which
 * `handleInput` cannot tell by its type, fails here.
 * @throws ForgeError `input_misdirected`
 */
export function misdirected(input: never): never {
  throw misdirectedTo(input);
}

/** Says that nobody takes an input. */
export function misdirectedTo({ type, subject }: Pick<Input, "type" | "subject">): ForgeError {
  return new ForgeError("input_misdirected", `The input ${type} is not for a subject of the kind ${subject.kind}.`, {
    source: "logic",
    severity: "high",
    recoverability: "none",
  });
}

/** Milliseconds between two ISO 8601 times, never below 0: clocks of two machines differ, and one may be set back. */
export function elapsedMs(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

/** Whether one moment (ISO 8601) is before the other; where one is not known it is not. */
export function isOlder(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && Date.parse(one) < Date.parse(other);
}
