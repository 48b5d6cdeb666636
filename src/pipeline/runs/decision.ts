import type { Answer, Pause } from "../../domain/answers.ts";
import type { CommandSource } from "../../domain/command-source.ts";
import { defined } from "../../domain/defined.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { LearntEvent, NewEvent, Others } from "../../domain/events.ts";
import type { StandingDismissal } from "../../domain/findings.ts";
import type { Hiding } from "../../domain/hiding.ts";
import type { LearningObserved, ProductionTraced } from "../../domain/inputs.ts";
import type { NewJob } from "../../domain/jobs.ts";
import { OUTCOME_DAYS, type StandingLevel } from "../../domain/ladder.ts";
import type { RunStatus } from "../../domain/phases.ts";
import type { ProductionFault, ReleasedFix } from "../../domain/production-feedback.ts";
import { type EnvironmentSubject, type Subject, subjectKey } from "../../domain/subjects.ts";
import type { FeedbackChange } from "../../store/feedback.ts";
import type { MemoryChange } from "../../store/memories/write-memories.ts";
import type { SubjectFacts } from "./subject-facts.ts";

/** What deciding may know of a subject, whatever kind of run it is about. */
export interface RunView<S> {
  /** The run that owns the subject now, if any. */
  readonly active?: S;
  /** The run that the input names. */
  readonly addressed?: S;
  /** The newest run, whatever became of it. */
  readonly latest?: S;
  /** The latest runs of the subject, newest first, at least those of the last day. */
  readonly recent: readonly RecentRun[];
  /** What belongs to the subject and to no run. */
  readonly facts: SubjectFacts;
  readonly repository: RepositoryFacts;
}

/** What people decided for the whole repository. */
export interface RepositoryFacts {
  readonly pause?: Pause;
  readonly dismissals: readonly StandingDismissal[];
  /** Classes of findings that learning hides, or would. */
  readonly hidings?: readonly Hiding[];
  /** The level at which it stands, where somebody said so, and how often that was changed. */
  readonly level?: StandingLevel & { readonly changes: number };
}

/** Whether Forge does nothing here but report: at level 0, by a person's word or by the configuration. */
export function onlyReports({ level }: RepositoryFacts, cap: number | undefined): boolean {
  return level?.level === 0 || cap === 0;
}

export interface RecentRun {
  readonly runId: string;
  readonly headSha: string;
  readonly requestId: string;
  readonly startedAt: string;
  readonly status: RunStatus;
  /** How it ended; absent while it is active and for a run that ended before any work began. */
  readonly conclusion?: string;
}

/** What follows from an input: everything is written in one transaction, or nothing is. */
export interface Decision {
  readonly appends: readonly {
    /** Of a run, or `subjectKey(subject)` for the subject's own log. */
    readonly runId: string;
    readonly expectedVersion: number;
    readonly events: NewEvent[];
  }[];
  readonly effects: readonly {
    readonly runId: string;
    readonly headSha: string;
    readonly effects: Effect[];
    /** Whose check it is, where that is another subject than the input's. */
    readonly subject?: Subject;
  }[];
  readonly jobs: readonly NewJob[];
  /** Memories that are learnt; what else changes about them follows from events. */
  readonly memories?: readonly MemoryChange[];
  /** What production told, as it is counted. */
  readonly feedback?: FeedbackChange;
  readonly cancelJobsOfRuns: readonly string[];
  /** Why nothing follows; the other members are empty then. */
  readonly ignored?: string;
}

export const NOTHING: Decision = { appends: [], effects: [], jobs: [], cancelJobsOfRuns: [] };

/** "Nothing to do" is a value with a reason, not an exception. */
export function ignore(reason: string): Decision {
  return { ...NOTHING, ignored: reason };
}

const ENDS: ReadonlySet<string> = new Set(["run.completed", "run.failed", "run.cancelled", "run.stopped"]);

/** Where in these events a run ends or is stopped; -1 where it does not. */
export function findEnd(events: readonly NewEvent[]): number {
  return events.findIndex(({ type }) => ENDS.has(type));
}

/** Joins what two parts of a decision want, in order. */
export function both(a: Decision, b: Decision): Decision {
  return {
    appends: [...a.appends, ...b.appends],
    effects: [...a.effects, ...b.effects],
    jobs: [...a.jobs, ...b.jobs],
    ...(a.memories || b.memories ? { memories: [...(a.memories ?? []), ...(b.memories ?? [])] } : {}),
    ...defined({ feedback: a.feedback ?? b.feedback }),
    cancelJobsOfRuns: [...a.cancelJobsOfRuns, ...b.cancelJobsOfRuns],
  };
}

/** The same with events for the subject's own log, which is appended to once. `version` is that of the log. */
export function withOwnEvents(
  { ignored: _nothing, ...rest }: Decision,
  { subject, version }: { readonly subject: Subject; readonly version: number },
  events: readonly NewEvent[],
): Decision {
  const runId = subjectKey(subject);
  const own = rest.appends.find((append) => append.runId === runId);
  const appends = own
    ? rest.appends.map((append) => (append === own ? { ...own, events: [...own.events, ...events] } : append))
    : [...rest.appends, { runId, expectedVersion: version, events: [...events] }];
  return { ...rest, appends };
}

type Note = Pick<Extract<LearntEvent, { type: "run.noted" }>["payload"], "what" | "phase">;

/** Names a note about a run for good (RUN-1): it is made once. */
export function causeOfNote(runId: string, { what, phase }: Note): string {
  return `noted:${runId}:${what}${phase === undefined ? "" : `:${phase}`}`;
}

/** What was learnt is written to the subject's own log, once for each cause. */
export function decideLearnt(
  { facts, repository }: { readonly facts: SubjectFacts; readonly repository: RepositoryFacts },
  { subject, cause, events, memories, at }: LearningObserved,
): Decision {
  if (facts.causes.has(cause)) return ignore("this was learnt from before");
  if (events.length === 0) return ignore("there is nothing to learn");
  if (events.some((event) => isLate(event, repository.hidings ?? [])))
    return ignore("this was said of the class before");
  const runId = subjectKey(subject);
  const answers = events.flatMap((event) => saidOf(event) ?? []);
  const effects = answers.map((answer, index): Effect => {
    const key = effectKey("comment.reply", runId, "", cause, index === 0 ? undefined : `${index}`);
    return { kind: "comment.reply", key, payload: { answer } };
  });
  const waits = events.some((event) => event.type === "run.outcome" && event.payload.outcome === "merged");
  const later = new Date(Date.parse(at) + OUTCOME_DAYS * DAY_MS).toISOString();
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: facts.version, events: [...events] }],
    effects: effects.length > 0 ? [{ runId, headSha: "", effects }] : [],
    jobs: [...(effects.length > 0 ? [applyEffects(subject, at)] : []), ...(waits ? [learnFrom(subject, later)] : [])],
    ...(memories ? { memories: memories.map((memory) => ({ kind: "stored", memory })) } : {}),
  };
}

const DAY_MS = 86_400_000;

/** Whether what was learnt of a class came too late: it is proposed already, or it hides nothing any more. */
function isLate(event: LearntEvent, hidings: readonly Hiding[]): boolean {
  if (event.type === "hiding.proposed") return hidings.some((one) => one.class.id === event.payload.class.id);
  if (event.type !== "hiding.ended") return false;
  return hidings.find((one) => one.class.id === event.payload.hidingId)?.state !== "on";
}

/** What people are told of what was learnt, where it was. */
function saidOf(event: LearntEvent): Answer | undefined {
  switch (event.type) {
    case "level.demoted": {
      const { from, level: to, miss } = event.payload;
      return { kind: "demoted", from, to, miss };
    }
    case "hiding.proposed":
      return { kind: "hiding_proposed", class: event.payload.class, replay: event.payload.replay };
    case "hiding.ended":
      return { kind: "hiding_ended", hidingId: event.payload.hidingId, wrong: event.payload.wrong };
    default:
      event.type satisfies Others<"hiding" | "level", "hiding.judged">;
      return undefined;
  }
}

/** Nobody waits for what is learnt. */
const LAST = 9;

/** The job that learns from what happened on a subject. */
export function learnFrom(subject: Subject, runAt: string, remark?: CommandSource): NewJob {
  const payload = remark ? { subject, remark } : { subject };
  return { kind: "learn", key: `learn:${subjectKey(subject)}`, payload, runAt, priority: LAST };
}

/**
 * The job that tells the run behind a fault of production, and learns from it. The level of the repository may fall by it, so it does not wait
 * behind others. @param subject the pull request that brought it; where that is not known, where people hear of it
 */
export function traceFault(subject: Subject, fault: ProductionFault, runAt: string): NewJob {
  return { kind: "learn", key: `learn:${subjectKey(subject)}`, payload: { subject, fault }, runAt };
}

/** The job that follows a fault of production that has an issue: until its work begins, or it is quiet after the release of a fix. */
export function followFault(
  environment: EnvironmentSubject,
  fingerprint: string,
  runAt: string,
  fix?: ReleasedFix,
): NewJob {
  const key = `fault:${subjectKey(environment)}:${fingerprint}`;
  return { kind: "fault", key, payload: { subject: environment, fingerprint, ...defined({ fix }) }, runAt };
}

/** Marks a run by a fault that production showed, once for each, whatever became of the run. */
export function decideTraced(
  {
    addressed: run,
  }: Pick<RunView<{ readonly version: number; readonly faults?: readonly ProductionFault[] }>, "addressed">,
  { runId, fault }: ProductionTraced,
): Decision {
  if (!run) return ignore("the run is not known");
  if (run.faults?.some(({ id }) => id === fault.id)) return ignore("the run is marked by that already");
  const event: NewEvent = { type: "production.traced", payload: { fault } };
  return { ...NOTHING, appends: [{ runId, expectedVersion: run.version, events: [event] }] };
}

/** The job that has a worker do what comes next in the work on an issue; other kinds of run have it go on too, where it waits for them. */
export function workOn({ runId, subject }: RunOn, runAt: string): NewJob {
  return { kind: "implement", key: subjectKey(subject), payload: { runId, subject }, runId, runAt };
}

/** The run that a job is for. */
export interface RunOn {
  readonly runId: string;
  readonly subject: Subject;
}

/** The job that applies the planned effects of a subject; one write at a time for each repository. */
export function applyEffects(subject: Subject, runAt: string): NewJob {
  return { kind: "effects", key: `effects:${subject.repository.id}`, payload: { subject }, runAt };
}
