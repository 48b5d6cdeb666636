import { type CommandSource, testsTrace } from "../../domain/command-source.ts";
import { defined } from "../../domain/defined.ts";
import { firstEnvironment } from "../../domain/deployments.ts";
import { type CheckReport, type Effect, type EffectKind, effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type {
  CommandGiven,
  HeadTested,
  Input,
  PullInput,
  QuestionSettled,
  ReviewCarried,
  ReviewFinished,
  TestsProgressed,
} from "../../domain/inputs.ts";
import type { Conclusion } from "../../domain/phases.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import { ownLevel, type RiskLevel } from "../../domain/risk.ts";
import { type Actor, type PullRequestEnds, type Subject, subjectKey } from "../../domain/subjects.ts";
import type { TestOutcome } from "../../domain/test-report.ts";
import { settleQuestion } from "../commands/acknowledge.ts";
import { applyEffects, both, type Decision, ignore, NOTHING, withOwnEvents } from "../runs/decision.ts";
import { type HeadTests, overrideOn, type SubjectFacts } from "../runs/subject-facts.ts";
import { reviseReview } from "./show-ledger.ts";
import type { SubjectView } from "./view.ts";

/** A head whose tests are wanted. */
export interface WantedTests {
  readonly subject: Subject;
  readonly at: string;
  /** Names the request. */
  readonly id: string;
  readonly ends: PullRequestEnds;
  /** The review that they follow, or the newest one. */
  readonly runId: string | undefined;
  readonly risk: RiskLevel | undefined;
  /** Their check appears with what they came to, and not at all where there is nothing to run. */
  readonly quiet?: true | undefined;
  readonly asked?: {
    readonly source: CommandSource;
    readonly index: number;
    readonly by: Actor;
    readonly thread?: number;
  };
}

/** Events of a decision for the subject's own log, which is appended to once. */
interface OwnPart {
  readonly events: readonly NewEvent[];
  readonly decision: Decision;
}

const NO_PART: OwnPart = { events: [], decision: NOTHING };

/**
 * What follows from an input for the tests of heads that people push (TEST-1): they begin when the review of a head has ended and its
 * repository wants them, and end where the head is not the one to be merged any more.
 */
export function withTests(view: SubjectView, input: PullInput, decision: Decision): Decision {
  const part = partOf(view, input, decision);
  if (part.events.length === 0) return decision;
  const own = { subject: input.subject, version: view.facts.version };
  return both(withOwnEvents(decision, own, part.events), part.decision);
}

/** Inputs from which nothing follows for the tests of a head by themselves; what commands want of them is decided with the command. */
type Unheard =
  | "review.observed"
  | "review.suspended"
  | "review.parked"
  | "review.progressed"
  | "review.failed"
  | "findings.posted"
  | "check.settled"
  | "effect.failed"
  | "request.made"
  | "commands.void"
  | "command.given"
  | "question.settled"
  | "head.tested"
  | "tests.progressed"
  | "verdict.given"
  | "head.judged"
  | "pull.readied"
  | "merge.observed"
  | "merge.settled"
  | "fixes.made"
  | "branch.pushed"
  | "learning.observed"
  | "production.traced"
  | "reply.read";

function partOf(view: SubjectView, input: PullInput, decision: Decision): OwnPart {
  const { tests } = view.facts;
  switch (input.type) {
    case "head.changed": {
      const { headSha, baseRef } = input.ends;
      const isSame = tests?.headSha === headSha && tests.baseRef === baseRef;
      if (decision.ignored !== undefined || isSame) return NO_PART;
      return cancelTests(view.facts, input, { reason: "superseded", byHead: headSha });
    }
    case "pull_request.closed":
      return cancelTests(view.facts, input, { reason: input.merged ? "merged" : "closed" });
    case "subject.gone":
      return cancelTests(view.facts, input, { reason: input.reason });
    case "review.finished":
    case "review.carried":
      return decision.ignored === undefined ? testsAfterReview(view, input) : NO_PART;
    default:
      input.type satisfies Unheard;
      return NO_PART;
  }
}

function testsAfterReview({ addressed: run, facts }: SubjectView, input: ReviewFinished | ReviewCarried): OwnPart {
  // What Forge wrote itself is tested by the work on it, and a group in a queue has no author who could mend anything.
  if (run?.status !== "running" || run.subject.kind !== "pull_request" || run.implements) return NO_PART;
  // As for a model's reading: a finding is no reason to run tests.
  const risk = input.risk && ownLevel(input.risk);
  if (!wantsTests(run.configuration, risk)) return NO_PART;
  const { ends, runId, request } = run;
  const known = facts.tests?.headSha === ends.headSha && facts.tests.baseRef === ends.baseRef ? facts.tests : undefined;
  const isAgain = request.reason === "rerequested" && known?.ended !== undefined;
  if (known && !known.ended?.cancelled && !isAgain) return NO_PART;
  // They were not asked for by name: a repository without tests is not to be told so on every head.
  const quiet = run.configuration.review.tests === "auto" || undefined;
  return requestTests(facts, { subject: run.subject, at: input.at, id: input.newRunId, ends, runId, risk, quiet });
}

/**
 * Whether the tests of a head are run without being asked for (TEST-1). For an unreadable change it is unknown which. What goes to an environment
 * by itself after the merge has to be tested before it (DEP-4), whatever its risk.
 */
function wantsTests({ review, deploy }: RepoConfig, risk: RiskLevel | undefined): boolean {
  if (review.tests !== "auto") return review.tests === "always";
  const first = firstEnvironment({ deploy });
  const isNeeded = first !== undefined && deploy[first]?.requires.includes("tests");
  return risk !== undefined && (risk !== "low" || isNeeded === true);
}

/** Has the tests of a head run by a worker; those of another one are not needed any more. */
export function requestTests(facts: SubjectFacts, wanted: WantedTests): OwnPart {
  const { subject, at, id, ends, risk, asked, quiet, runId = subjectKey(subject) } = wanted;
  const { headSha, baseRef } = ends;
  const traceId = testsTrace(id);
  const tests: HeadTests = { traceId, runId, headSha, baseRef, ...defined({ risk, asked, quiet }) };
  const before = cancelTests(facts, { subject, at }, { reason: "superseded", byHead: headSha });
  const key = keyOf(subject, tests);
  const openKey = key("check.open");
  const opened: Effect[] = [
    { kind: "check.open", key: openKey, payload: { check: "forge/tests", headSha } },
    { kind: "check.start", key: key("check.start"), payload: { check: "forge/tests", headSha, openKey } },
  ];
  const effects = quiet ? [] : opened;
  const job = {
    kind: "test",
    key: `test:${subjectKey(subject)}`,
    payload: { subject, traceId },
    runId: traceId,
  } as const;
  return {
    events: [...before.events, { type: "tests.requested", payload: { subject, ...tests } }],
    decision: both(before.decision, {
      ...NOTHING,
      effects: effects.length === 0 ? [] : [{ runId, headSha, effects }],
      jobs: [applyEffects(subject, at), { ...job, runAt: at }],
    }),
  };
}

function keyOf(subject: Subject, { headSha, traceId }: HeadTests) {
  return (kind: EffectKind, about?: string) => effectKey(kind, subjectKey(subject), headSha, traceId, about);
}

type Cancelled = NonNullable<NonNullable<HeadTests["ended"]>["cancelled"]>;

/** Ends tests that are at work without a result: their job goes, their check says so, and the person who asked is told. */
function cancelTests(
  facts: SubjectFacts,
  { subject, at }: Pick<Input, "subject" | "at">,
  cancelled: Cancelled,
): OwnPart {
  const { tests } = facts;
  if (!tests || tests.ended) return NO_PART;
  return endTests(facts, tests, { subject, at, conclusion: "cancelled", costUsd: 0, cancelled });
}

type Ending = Pick<HeadTested, "subject" | "at"> &
  NonNullable<HeadTests["ended"]> & { readonly outcome?: TestOutcome | undefined };

function endTests(facts: SubjectFacts, tests: HeadTests, { subject, at, outcome, ...ended }: Ending): OwnPart {
  const { traceId, runId, headSha, quiet } = tests;
  const report = reportOfTests({ ...tests, ...defined({ outcome }), ended });
  const overridden = overrideOn(facts, "forge/tests", headSha);
  const key = keyOf(subject, tests);
  const completed: Effect = {
    kind: "check.complete",
    key: key("check.complete"),
    payload: {
      ...{ check: "forge/tests", headSha, report, ...defined({ openKey: quiet ? undefined : key("check.open") }) },
      conclusion: overridden && outcome ? "success" : ended.conclusion,
      ...(outcome ? defined({ overridden }) : {}),
    },
  };
  const isGone = ended.cancelled?.reason === "installation_removed" || ended.cancelled?.reason === "repository_gone";
  const isUnseen = quiet && (ended.cancelled !== undefined || outcome?.nothingToRun === true);
  const shown: Decision =
    isGone || isUnseen
      ? NOTHING
      : { ...NOTHING, effects: [{ runId, headSha, effects: [completed] }], jobs: [applyEffects(subject, at)] };
  const answered =
    tests.asked && !isGone ? settleQuestion(facts, toQuestion(tests, { subject, at, outcome, ...ended })) : NOTHING;
  return {
    events: [
      ...(outcome ? testedEvents(outcome) : []),
      { type: "tests.ended", payload: { traceId, ...ended } },
      ...answered.appends.flatMap(({ events }) => events),
    ],
    decision: both(both(shown, { ...answered, appends: [] }), {
      ...NOTHING,
      cancelJobsOfRuns: ended.cancelled ? [traceId] : [],
    }),
  };
}

function testedEvents(outcome: TestOutcome): NewEvent[] {
  const type = ({ passed: "test.passed", failed: "test.failed", not_run: "test.skipped" } as const)[outcome.outcome];
  const phase = "testing";
  return [
    { type, phase, payload: outcome },
    ...outcome.flaky.map((name): NewEvent => ({ type: "test.flaky", phase, payload: { name } })),
  ];
}

/** The answer to the request for tests, where it was made. */
function toQuestion(tests: HeadTests, { subject, at, outcome, cancelled, error, costUsd }: Ending): QuestionSettled {
  const { source, index, by, thread } = tests.asked!;
  const refusal =
    cancelled?.reason === "superseded"
      ? ({ reason: "branch_moved", headSha: tests.headSha, movedTo: cancelled.byHead ?? null, name: "test" } as const)
      : cancelled
        ? ({ reason: "closed", name: "test" } as const)
        : ({ reason: "failed", code: error?.code ?? "unknown" } as const);
  return {
    ...{ type: "question.settled", subject, at, newRunId: "", source, index, by, costUsd },
    ...defined({ thread }),
    outcome: outcome ? { answer: { kind: "tested", outcome } } : { refusal },
  };
}

/** Tests are under way: their check says what they do (GH-12). Those that nobody asked for have no check before their end. */
export function progressTests({ tests }: SubjectFacts, { subject, traceId, activity, at }: TestsProgressed): Decision {
  if (!tests || tests.traceId !== traceId || tests.ended) return ignore("these tests have ended");
  if (tests.quiet) return ignore("their check is not there yet");
  const { headSha, runId } = tests;
  const key = keyOf(subject, tests);
  const shown: Effect = {
    kind: "check.progress",
    key: key("check.progress", at),
    payload: { check: "forge/tests", headSha, openKey: key("check.open"), activity },
  };
  return { ...NOTHING, effects: [{ runId, headSha, effects: [shown] }], jobs: [applyEffects(subject, at)] };
}

/** The tests of a head were run, could not be, or are not wanted any more: the check says so, and the risk knows what they reach. */
export function decideHeadTested(view: SubjectView, input: HeadTested): Decision {
  const { facts } = view;
  const { tests } = facts;
  if (!tests || tests.traceId !== input.traceId || tests.ended) return ignore("these tests have ended");
  const { subject, at, outcome, costUsd, cancelled, error } = input;
  const conclusion = cancelled ? "cancelled" : outcome ? concludeTests(outcome) : "action_required";
  const ended = { conclusion, costUsd, ...defined({ cancelled, error }) } as const;
  const { events, decision } = endTests(facts, tests, { subject, at, outcome, ...ended });
  const after: SubjectFacts = { ...facts, tests: { ...tests, ...defined({ outcome }), ended } };
  const revised = outcome?.coverage
    ? reviseReview(
        view,
        { subject, at, headSha: tests.headSha, cause: tests.traceId },
        { ledger: view.ledger, facts: after },
      )
    : NOTHING;
  const append = { runId: subjectKey(subject), expectedVersion: facts.version, events: [...events] };
  return both({ ...decision, appends: [append] }, revised);
}

/**
 * What the tests of people's heads come to. Only what the change broke makes the check red: what could not be run, what failed before and
 * what the machine lacks is not the change's fault, and whether a test that says less was meant is for people to judge.
 */
function concludeTests({ outcome, blameless, weakened }: TestOutcome): Conclusion {
  if (outcome === "failed") return blameless ? "neutral" : "failure";
  return outcome === "passed" && weakened.length === 0 ? "success" : "neutral";
}

function reportOfTests({ outcome, ended }: HeadTests): CheckReport {
  if (outcome) return { kind: "tested", outcome, costUsd: ended?.costUsd ?? 0 };
  if (ended?.cancelled) return { kind: "cancelled", ...ended.cancelled };
  const { message = "the tests could not be run", code = "unknown", attempts = 1 } = ended?.error ?? {};
  return { kind: "failed", message, code, attempts };
}

/** Says on the check of tests that have ended what it comes to after a command. */
export function reviseTests(tests: HeadTests, { subject, at, ...input }: CommandGiven, facts: SubjectFacts): Decision {
  const { headSha, runId, ended } = tests;
  const overridden = overrideOn(facts, "forge/tests", headSha);
  const key = keyOf(subject, tests);
  const revised: Effect = {
    kind: "check.revise",
    key: key("check.revise", `${input.source.kind}:${input.source.id}#${input.index}`),
    payload: {
      ...{ check: "forge/tests", headSha, openKey: key("check.open"), completeKey: key("check.complete") },
      conclusion: overridden ? "success" : (ended?.conclusion ?? "neutral"),
      report: reportOfTests(tests),
      ...defined({ overridden }),
    },
  };
  return { ...NOTHING, effects: [{ runId, headSha, effects: [revised] }], jobs: [applyEffects(subject, at)] };
}
