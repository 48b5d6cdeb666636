import { sql } from "drizzle-orm";
import type { Gate } from "../../src/domain/gates.ts";
import { type Subject, subjectKey } from "../../src/domain/subjects.ts";
import { listCheckpoints } from "../../src/pipeline/checkpoints/list-checkpoints.ts";
import { compareReplay } from "../../src/pipeline/compare-replay.ts";
import { readEnvironmentLog } from "../../src/pipeline/deploy/environment-log.ts";
import { replayDeployment } from "../../src/pipeline/deploy/evolve.ts";
import { standingOf } from "../../src/pipeline/deploy/standing-of.ts";
import { replayImplementation } from "../../src/pipeline/implement/evolve.ts";
import { statusOf } from "../../src/pipeline/implement/status-of.ts";
import type { KINDS } from "../../src/pipeline/kinds.ts";
import { replay } from "../../src/pipeline/review/evolve.ts";
import { evolveSubject, NO_FACTS } from "../../src/pipeline/runs/subject-facts.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { readLedger } from "../../src/store/runs/ledger.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import { readRepositoryFacts } from "../../src/store/runs/repository-facts.ts";
import type { Store } from "../../src/store/store.ts";

/**
 * What a database says, as plain JSON: of every run what its events come to when they are replayed and what stands in the tables, and what is
 * known of subjects and repositories beside. The names are this file's own, so that types may change while what they say may not.
 */
export async function factsOf(store: Store) {
  const rows = await listRuns(store, { limit: 1_000 });
  const runs: Record<string, unknown> = {};
  for (const row of rows.toReversed()) runs[row.traceId] = await factsOfRun(store, row);
  const subjects: Record<string, unknown> = {};
  for (const { subject } of rows) subjects[subjectKey(subject)] ??= await factsOfSubject(store, subject);
  const repositories: Record<string, unknown> = {};
  for (const { subject } of rows) {
    repositories[subject.repository.name] ??= await readRepositoryFacts(store, subject.repository.id);
  }
  const memories = await store.read.all(
    sql`select type, content, confidence, origin, archived from memories order by id`,
  );
  const spent = await store.read.all(sql`select state, count(*) as calls, sum(micros) as micros from spend group by 1`);
  const effects = await store.read.all(sql`select kind, state, count(*) as count from effects group by 1, 2`);
  return plain({ runs, subjects, repositories, memories, spent, effects });
}

type Row = Awaited<ReturnType<typeof listRuns>>[number];

async function factsOfRun(store: Store, { subject: _elsewhere, ...row }: Row) {
  const events = await readEvents(store, row.traceId);
  const { differences } = await compareReplay(store, row.traceId);
  const checkpoints = await listCheckpoints(store, row.traceId);
  return {
    ...{ row, events: events.length, differences },
    checkpoints: checkpoints.map(({ id, notRestorable }) => (notRestorable ? `${id}: ${notRestorable}` : id)),
    state: STATES[row.kind](events),
  };
}

type Events = Awaited<ReturnType<typeof readEvents>>;

function factsOfReview(events: Events) {
  const run = replay(events)!;
  const review = "review" in run ? run.review : undefined;
  return {
    ...{ status: run.status, head: run.ends.headSha, base: run.ends.baseSha, request: run.request, shown: run.shown },
    ...{ leftOut: run.leftOut, limits: run.endedAtLimits, implements: run.implements, instructions: run.instructions },
    gates: (run.gates ?? []).map(factsOfGate),
    outcome: "outcome" in run ? run.outcome : undefined,
    conclusion: "conclusion" in run ? run.conclusion : undefined,
    open: "open" in run ? run.open : undefined,
    reason: "reason" in run ? run.reason : undefined,
    review: review && { decision: review.decision, coverage: review.coverage, risk: review.risk },
    configuration: "configuration" in run ? run.configuration : undefined,
  };
}

function factsOfImplementation(events: Events) {
  const run = replayImplementation(events)!;
  return {
    ...{ status: run.status, shown: statusOf(run), base: run.base, phase: run.phase, took: run.took },
    ...{ requestedBy: run.requestedBy.login, issue: run.issue, instructions: run.instructions, planOnly: run.planOnly },
    ...{ plan: run.plan, changeWanted: run.changeWanted, tasksDone: run.tasksDone, work: run.work },
    ...{ feedback: run.feedback, cause: run.cause, roundDone: run.roundDone, roundFrom: run.roundFrom },
    ...{ answers: run.answers, branch: run.branch, taken: run.taken, pushed: run.pushed, heads: run.heads },
    ...{ toJoin: run.toJoin, pull: run.pull, readyHead: run.readyHead, leftDraft: run.leftDraft },
    ...{ reviewed: run.reviewed, tests: run.tests, signals: run.signals, heard: run.heard, resumes: run.resumes },
    ...{ stopped: run.stopped, skipped: run.skipped, end: run.end, endedAt: run.endedAt },
    gates: run.gates.map(factsOfGate),
    configuration: run.configuration,
  };
}

function factsOfDeployment(events: Events) {
  const run = replayDeployment(events)!;
  return {
    ...{ status: run.status, shown: standingOf(run), deploy: run.deploy, phases: run.phases, steps: run.steps },
    ...{ observed: run.observed, verified: run.verified, announced: run.announced, back: run.back, end: run.end },
    gates: run.gates.map(factsOfGate),
  };
}

/** A kind of run that is not here is a compile error. */
const STATES: Readonly<Record<keyof typeof KINDS, (events: Events) => unknown>> = {
  review: factsOfReview,
  implement: factsOfImplementation,
  deploy: factsOfDeployment,
};

function factsOfGate({ gate, question, headSha, deadline, needs, standing }: Gate) {
  return { gate, question, headSha, deadline, needs, standing };
}

async function factsOfSubject(store: Store, subject: Subject) {
  const facts = (await readEvents(store, subjectKey(subject))).reduce(evolveSubject, NO_FACTS);
  const ledger = await readLedger(store, subject);
  return {
    ...{ version: facts.version, taken: [...facts.taken], settled: [...facts.settled], answered: [...facts.answered] },
    ...{ closed: facts.closed, pause: facts.pause, trusted: facts.trusted, extensions: facts.extensions },
    ...{ overrides: facts.overrides, refusals: facts.refusals },
    ...(subject.kind === "environment" ? { environment: (await readEnvironmentLog(store, subject)).environment } : {}),
    ledger: ledger.map(({ finding, ...entry }) => ({ id: finding.id, severity: finding.severity, ...entry })),
  };
}

/** As it comes back from a JSON file. */
function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}
