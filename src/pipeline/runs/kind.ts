import { ForgeError } from "../../domain/errors.ts";
import type { PlacedEvent } from "../../domain/events.ts";
import type { Input } from "../../domain/inputs.ts";
import type { MemoryChange } from "../../store/memories/write-memories.ts";
import type { LedgerChange } from "../../store/runs/ledger.ts";
import type { RepositoryChange } from "../../store/runs/repository-facts.ts";
import type { RunProjection } from "../../store/runs/upsert-runs.ts";
import type { Store } from "../../store/store.ts";
import type { Decision, RunView } from "./decision.ts";

/** The projection of events into tables that are easier to read; they can be made anew from the events at any time. */
export interface Projections {
  readonly run?: RunProjection;
  readonly ledger: readonly LedgerChange[];
  readonly repository: readonly RepositoryChange[];
  readonly memories: readonly MemoryChange[];
}

/** A kind of run, as the kernel knows it. `decide` and `evolve` are pure: no clock, no I/O, no randomness. */
export interface Kind<I extends Input, V extends RunView<S>, S extends { readonly runId: string }> {
  /** All that deciding about an input may know. */
  readonly load: (store: Store, input: I) => Promise<V>;
  /** What follows from an input, on events, effects and jobs. */
  readonly decide: (view: V, input: I) => Decision;
  /** Folds one event into a run. */
  readonly evolve: (state: S | undefined, event: PlacedEvent) => S;
  /** What events come to in the tables. `run` is what they make of it; it is undefined for those in the subject's own log. */
  readonly project: (view: V, input: I, events: readonly PlacedEvent[], run: S | undefined) => Projections;
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
  const { type, subject } = input as Pick<Input, "type" | "subject">;
  throw new ForgeError("input_misdirected", `The input ${type} is not for a subject of the kind ${subject.kind}.`, {
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
