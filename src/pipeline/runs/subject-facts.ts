import type { Pause } from "../../domain/answers.ts";
import type { RunLimit } from "../../domain/command-arguments.ts";
import { type CommandSource, commandKey, sourceKey } from "../../domain/command-source.ts";
import type { Others, PlacedEvent } from "../../domain/events.ts";
import type { MergeStanding } from "../../domain/merging.ts";
import type { CheckName } from "../../domain/phases.ts";
import type { Refusal } from "../../domain/refusals.ts";
import type { Judgement, Override } from "../../domain/review-report.ts";
import { type Actor, FORGE } from "../../domain/subjects.ts";
import type { DiffCoverage, TestOutcome } from "../../domain/test-report.ts";

/** What is known of a subject beside its runs: its own log has the id `subjectKey(subject)`. */
export interface SubjectFacts {
  /** Number of events folded so far: the version that an append expects. */
  readonly version: number;
  /** Sources whose comment was taken. */
  readonly taken: ReadonlySet<string>;
  /** Commands that were carried out or refused, as `commandKey` names them. */
  readonly settled: ReadonlySet<string>;
  /** Questions whose work is over, as `commandKey` names them. */
  readonly answered: ReadonlySet<string>;
  /** The `/forge fix` that is at work. */
  readonly fixing?: Fixing;
  /** The pull request is open no more. */
  readonly closed?: boolean;
  readonly pause?: Pause;
  /** Somebody let the AI layer run on an outsider's change (GH-8c). */
  readonly trusted?: boolean;
  /** What people said about a head when Forge last looked. */
  readonly judged?: Judgement & { readonly headSha: string };
  /** Forge's own verdict on GitHub, and the head that it was given to. */
  readonly verdict?: EventOf<"verdict.set">["payload"];
  /** Where its merging by Forge itself stands. */
  readonly merging?: MergeStanding;
  /** The newest tests that were wanted for a head that people pushed. */
  readonly tests?: HeadTests;
  /** What people added to the limits of this run; only the newest run that was extended is remembered. */
  readonly extensions?: Extensions & { readonly runId: string };
  readonly overrides: readonly (Override & { readonly check: CheckName; readonly headSha: string })[];
  /** What was learnt from already: causes of `learning.observed`. */
  readonly causes: ReadonlySet<string>;
  /** The latest refusals, newest first. */
  readonly refusals: readonly { readonly login: string; readonly refusal: Refusal }[];
}

/** A `/forge fix` from when it was taken until it is settled. */
export interface Fixing {
  /** As `commandKey` names it. */
  readonly key: string;
  /** When it was given; ISO 8601. */
  readonly since: string;
  /** Its commit, which is made and not known to be pushed. */
  readonly prepared?: EventOf<"fix.prepared">["payload"] & { readonly by: Actor };
}

/** Tests of a head that people pushed, from when they are wanted. */
export type HeadTests = Omit<EventOf<"tests.requested">["payload"], "subject"> & {
  readonly outcome?: TestOutcome;
  /** How they ended. */
  readonly ended?: Omit<EventOf<"tests.ended">["payload"], "traceId">;
};

type EventOf<T extends PlacedEvent["type"]> = Extract<PlacedEvent, { type: T }>;

/** Added to the limits of a run: USD, calls of a model, minutes of work. */
export type Extensions = Readonly<Record<RunLimit, number>>;

const NO_EXTENSIONS: Extensions = { usd: 0, iterations: 0, minutes: 0 };

export const NO_FACTS: SubjectFacts = {
  version: 0,
  taken: new Set(),
  settled: new Set(),
  answered: new Set(),
  overrides: [],
  causes: new Set(),
  refusals: [],
};

/** How many refusals `/forge status` can tell. */
const REFUSALS_KEPT = 3;

/** Folds one event of a subject's own log: pure, so that the same events always give the same facts. */
export function evolveSubject(facts: SubjectFacts, event: PlacedEvent): SubjectFacts {
  return { ...withCause(change(facts, event), event.payload), version: event.version };
}

/** Of all events of a subject's own log those that were learnt have a cause. */
function withCause(facts: SubjectFacts, payload: PlacedEvent["payload"]): SubjectFacts {
  if (!("cause" in payload) || payload.cause === undefined || facts.causes.has(payload.cause)) return facts;
  return { ...facts, causes: new Set([...facts.causes, payload.cause]) };
}

function change(facts: SubjectFacts, event: PlacedEvent): SubjectFacts {
  const by = event.actor?.login ?? "forge";
  switch (event.type) {
    case "comment.taken":
      return { ...facts, taken: new Set([...facts.taken, sourceKey(event.payload.source)]) };
    case "command.received": {
      const { source, index, command } = event.payload;
      const fixing = command.name === "fix" ? { fixing: { key: commandKey(source, index), since: event.at } } : {};
      return { ...settle(facts, event.payload), ...fixing };
    }
    case "fix.prepared": {
      const key = commandKey(event.payload.source, event.payload.index);
      return {
        ...facts,
        fixing: {
          key,
          since: facts.fixing?.since ?? event.at,
          prepared: { ...event.payload, by: event.actor ?? FORGE },
        },
      };
    }
    case "fix.settled": {
      const { fixing: _over, ...rest } = facts;
      const { refusal } = event.payload;
      return refusal ? withRefusal(rest, by, refusal) : rest;
    }
    case "command.refused":
      return withRefusal(settle(facts, event.payload), by, event.payload.refusal);
    case "question.settled": {
      const { source, index, refusal } = event.payload;
      const answered = new Set([...facts.answered, commandKey(source, index)]);
      return refusal ? withRefusal({ ...facts, answered }, by, refusal) : { ...facts, answered };
    }
    case "subject.closed":
      return { ...facts, closed: true };
    case "subject.reopened":
      return { ...facts, closed: false };
    case "subject.paused":
      return event.payload.scope === "subject" ? { ...facts, pause: { scope: "subject", by, at: event.at } } : facts;
    case "subject.unpaused": {
      const { pause: _ended, ...rest } = facts;
      return event.payload.scope === "subject" ? rest : facts;
    }
    case "subject.trusted":
      return { ...facts, trusted: true };
    case "subject.untrusted":
      return { ...facts, trusted: false };
    case "limit.extended": {
      const { runId, limit, amount } = event.payload;
      const before = extensionsOf(facts, runId);
      return { ...facts, extensions: { ...before, runId, [limit]: before[limit] + amount } };
    }
    case "verdict.set":
      return { ...facts, verdict: event.payload };
    case "merge.set":
      return { ...facts, merging: event.payload.standing };
    case "head.judged": {
      const { subject: _known, ...judged } = event.payload;
      return { ...facts, judged };
    }
    case "tests.requested": {
      const { subject: _known, ...tests } = event.payload;
      return { ...facts, tests };
    }
    case "test.passed":
    case "test.failed":
    case "test.skipped":
      return facts.tests ? { ...facts, tests: { ...facts.tests, outcome: event.payload } } : facts;
    case "tests.ended": {
      const { traceId, ...ended } = event.payload;
      return facts.tests?.traceId === traceId ? { ...facts, tests: { ...facts.tests, ended } } : facts;
    }
    case "check.overridden": {
      const { check, headSha, reason } = event.payload;
      return { ...facts, overrides: [...facts.overrides, { check, headSha, by, at: event.at, reason }] };
    }
    default:
      event.type satisfies Others<
        | "comment"
        | "command"
        | "fix"
        | "question"
        | "subject"
        | "limit"
        | "verdict"
        | "merge"
        | "head"
        | "test"
        | "tests",
        "test.flaky"
      >;
      return facts;
  }
}

function withRefusal(facts: SubjectFacts, login: string, refusal: Refusal): SubjectFacts {
  return { ...facts, refusals: [{ login, refusal }, ...facts.refusals].slice(0, REFUSALS_KEPT) };
}

function settle(facts: SubjectFacts, { source, index }: { source: CommandSource; index: number }): SubjectFacts {
  return { ...facts, settled: new Set([...facts.settled, commandKey(source, index)]) };
}

/** What people added to the limits of a run (`/forge extend`). */
export function extensionsOf({ extensions }: SubjectFacts, runId: string): Extensions {
  return extensions?.runId === runId ? extensions : NO_EXTENSIONS;
}

/** Who passed the check on this head, if anybody did. */
export function overrideOn(facts: SubjectFacts, check: CheckName, headSha: string): Override | undefined {
  const found = facts.overrides.findLast((one) => one.check === check && one.headSha === headSha);
  return found && { by: found.by, at: found.at, reason: found.reason };
}

/** What tests reached of the change on this head, where they were run and it was measured. */
export function coverageOn({ tests }: SubjectFacts, headSha: string): DiffCoverage | undefined {
  return tests?.headSha === headSha ? tests.outcome?.coverage : undefined;
}
