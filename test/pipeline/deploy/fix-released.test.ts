import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createIdMaker } from "../../../src/domain/ids.ts";
import { type StandingLevel, UNSAID_LEVEL } from "../../../src/domain/ladder.ts";
import type { FeedbackStanding, ProductionFeedback, Suspicion } from "../../../src/domain/production-feedback.ts";
import { FORGE, type NumberedSubject, subjectKey } from "../../../src/domain/subjects.ts";
import { replayDeployment } from "../../../src/pipeline/deploy/evolve.ts";
import { receiveFeedback } from "../../../src/pipeline/deploy/feedback/receive-feedback.ts";
import { followFixes, followOneFault } from "../../../src/pipeline/deploy/work/follow-fault.ts";
import { commitDecision } from "../../../src/store/commit-decision.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { readRepositoryFacts } from "../../../src/store/runs/repository-facts.ts";
import { deployWorld, NEW, OLD, PULL } from "./deploy-world.ts";

const world = deployWorld();
const makeId = createIdMaker();
const { repository } = PULL;
const ISSUE: NumberedSubject = { kind: "issue", repository, number: 40 };
const { signal } = new AbortController();
const CAUSE: Suspicion = { is: "caused", why: "after_and_on_line", sha: OLD, pull: 9, file: "src/pay.js", line: 31 };
const DEPLOY = "deploy:\n  production: { way: deployment }\n";
const minute = (after: number) => new Date(Date.parse("2026-11-20T10:00:00.000Z") + after * 60_000).toISOString();

const OTHER = "c".repeat(40);
const SNAPSHOT = {
  ...{
    title: "In production: TypeError",
    body: { by: FORGE, role: "write", at: minute(0), text: "The error goes on." },
  },
  ...{ labels: [], comments: [], leftOut: { comments: 0, characters: 0 } },
};

let messages = 0;
/** Production tells of the same error. */
async function tell({ resolved = false }: { resolved?: boolean } = {}): Promise<void> {
  messages += 1;
  const feedback: ProductionFeedback = {
    ...{ is: "error", id: `m${messages}`, fingerprint: "f", type: "TypeError", message: "no card" },
    ...{ frames: [], resolved },
  };
  const dependencies = { store: world.store, makeId, now: () => minute(world.minutes), suspect: async () => CAUSE };
  await receiveFeedback(dependencies, repository, "production", [feedback]);
}

/** GitHub has opened the issue about it. */
async function opened(): Promise<void> {
  const result = JSON.stringify({ issueNumber: ISSUE.number });
  await world.store.queue.alone([
    { sql: "update effects set state = 'done', result = ? where kind = 'feedback.show'", args: [result] },
  ]);
}

async function shown(): Promise<FeedbackStanding | undefined> {
  const events = await readEvents(world.store, subjectKey(world.subject));
  const last = events.findLast(({ type }) => type === "feedback.received");
  return last?.type === "feedback.received" ? last.payload.standing : undefined;
}

/** A version whose only change is the work on that issue goes there and is healthy. */
async function released(): Promise<void> {
  const runId = await world.request({ id: `merged:${world.minutes}` });
  const fix = {
    number: 12,
    title: "Ask for the card",
    author: "forge",
    implements: { issue: ISSUE.number, runId: "w" },
  };
  await world.observe(
    { changes: [{ ...fix, open: 0, blocking: 0 }] },
    { steps: [100], watch_minutes: 0, quiet_minutes: 30 },
  );
  await world.tell({ type: "deploy.verified", runId, is: "passed", summary: "3 passed, 0 failed." });
  await world.say("approve", {}, { login: "eva", id: 3 });
  await world.tell({ type: "deploy.stepped", runId, step: 0, outcome: { is: "done" } });
  // It has no source to be judged by.
  await world.say("promote", { reason: "looked at it" });
  await world.probe(0, {});
}

async function fixes() {
  const [row] = await world.store.read.all<{ id: string }>(
    sql`select trace_id as id from runs where kind = 'deploy' order by started_at desc limit 1`,
  );
  const run = replayDeployment(await readEvents(world.store, row!.id));
  return followFixes(world.store, run!, minute(world.minutes));
}

/** A worker looks; the code of why it comes back later. */
async function look(payload: object, text = DEPLOY, is = "ahead"): Promise<string | undefined> {
  const host = {
    ...{ readFile: async () => text, readOrganisationFile: async () => undefined },
  };
  const issues = {
    readIssue: async () => ({ open: true, isPull: false }),
    readSnapshot: async () => SNAPSHOT,
  };
  const deployHost = { readRange: async () => ({ is }) };
  const dependencies = { store: world.store, makeId, now: () => minute(world.minutes), host, issues, deployHost };
  try {
    await followOneFault(dependencies as never, payload as never, { signal } as never);
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

it("PROD-1: the release of a fix closes the issue once it was quiet for the configured time, and not before", async () => {
  await tell();
  await opened();
  world.minutes = 10;
  await released();
  const [job] = await fixes();
  expect(job).toMatchObject({
    kind: "fault",
    payload: { fingerprint: "f", fix: { pull: 12, sha: NEW, quietMinutes: 30 } },
  });
  world.minutes = 39;
  expect(await look(job!.payload)).toBe("not_quiet");
  // A message starts the time again.
  await tell();
  world.minutes = 68;
  expect(await look(job!.payload)).toBe("not_quiet");
  expect(await shown()).toMatchObject({ resolved: false });
  world.minutes = 69;
  expect(await look(job!.payload)).toBeUndefined();
  expect(await shown()).toMatchObject({ resolved: true, times: 2, fixed: { pull: 12, sha: NEW } });
  expect(await look(job!.payload)).toBeUndefined();
  const events = await readEvents(world.store, subjectKey(world.subject));
  expect(events.filter(({ type }) => type === "feedback.received")).toHaveLength(2);

  // It is back: the issue is opened again, and says after what.
  await tell();
  expect(await shown()).toMatchObject({ resolved: false, backAfter: { pull: 12 } });
});

it.each([
  ["behind", false],
  ["ahead", true],
] as const)("PROD-1: where a version runs that is %s of the fix, the issue is closed: %s", async (is, closed) => {
  await tell();
  await opened();
  await released();
  const [job] = await fixes();
  expect((await world.environment()).running?.sha).toBe(NEW);
  world.minutes = 60;
  const runId = await world.request({ id: "another", sha: OTHER });
  await world.observe({ sha: OTHER, previous: NEW }, { steps: [100], watch_minutes: 0 });
  await world.tell({ type: "deploy.verified", runId, is: "passed", summary: "3 passed, 0 failed." });
  await world.say("approve", {}, { login: "eva", id: 3 });
  await world.tell({ type: "deploy.stepped", runId, step: 0, outcome: { is: "done" } });
  // It has no source to be judged by.
  await world.say("promote", { reason: "looked at it" });
  await world.probe(0, {});
  world.minutes = 120;
  expect(await look(job!.payload, DEPLOY, is)).toBeUndefined();
  expect((await shown())?.resolved).toBe(closed);
});

it("PROD-1: a version that went to another environment than the fault closes nothing", async () => {
  await tell();
  await opened();
  await released();
  const [row] = await world.store.read.all<{ id: string }>(sql`select trace_id as id from runs where kind = 'deploy'`);
  const run = replayDeployment(await readEvents(world.store, row!.id));
  const subject = { ...world.subject, environment: "staging" } as const;
  expect(await followFixes(world.store, { ...run!, subject }, minute(20))).toEqual([]);
});

it.each<[string, Partial<StandingLevel>, string, number]>([
  ["its own fixes carry level 3", { level: 3, own: { fix: 3 } }, DEPLOY, 1],
  ["only what people write carries level 3", { level: 3, carries: { fix: 3 } }, DEPLOY, 0],
  ["the configuration caps it", { level: 4, own: { fix: 4 } }, `${DEPLOY}safety: { automation_level: 2 }\n`, 0],
  ["nobody set a level", {}, DEPLOY, 0],
])("PROD-1, SAFE-4: where %s, Forge begins %j", async (_, standing, text, runs) => {
  const { changes: after = 0 } = (await readRepositoryFacts(world.store, repository.id)).level ?? {};
  const change = [{ kind: "levelled", subject: PULL, standing: { ...UNSAID_LEVEL, ...standing }, after } as const];
  await commitDecision(world.store, { appends: [], repository: change, at: minute(0), makeId, source: "test" });
  await tell();
  const payload = { subject: world.subject, fingerprint: "f" };
  if (runs > 0) expect(await look(payload, text)).toBe("issue_to_come");
  await opened();
  expect(await look(payload, text)).toBeUndefined();
  // Once, however often a worker looks.
  expect(await look(payload, text)).toBeUndefined();
  const rows = await world.store.read.all<{ id: string }>(
    sql`select trace_id as id from runs where kind = 'implement'`,
  );
  expect(rows).toHaveLength(runs);
  const [started] = rows[0] ? await readEvents(world.store, rows[0].id) : [];
  if (runs > 0)
    expect(started).toMatchObject({
      actor: { kind: "forge" },
      payload: { request: { reason: "faulted", automatic: true } },
    });
});
