import { expect, it } from "vitest";
import { createIdMaker } from "../../src/domain/ids.ts";
import { UNSAID_LEVEL } from "../../src/domain/ladder.ts";
import type { Suspicion } from "../../src/domain/production-feedback.ts";
import { type Subject, subjectKey } from "../../src/domain/subjects.ts";
import { learn } from "../../src/learning/learn.ts";
import { estimateTextTokens } from "../../src/llm/estimate-tokens.ts";
import { openMemory } from "../../src/memory/open-memory.ts";
import { runDeployment } from "../../src/pipeline/deploy/work/run-deployment.ts";
import { handleInput } from "../../src/pipeline/runs/handle-input.ts";
import type { JobContext } from "../../src/queue/ports.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { completeJob } from "../../src/store/jobs/held-job.ts";
import { readRepositoryFacts } from "../../src/store/runs/repository-facts.ts";
import { deployWorld, errors, NEW, OLD, PULL } from "../pipeline/deploy/deploy-world.ts";
import { A, finished, headChanged, observed } from "../pipeline/review/story.ts";

const world = deployWorld();
const makeId = createIdMaker();
const now = () => "2026-11-20T15:00:00.000Z";
const { repository } = PULL;
const redact = createRedactor([]);

function dependencies() {
  const { store } = world;
  const memory = openMemory({ store, redact, estimateTokens: estimateTextTokens, now });
  const deployHost = { readRange: async () => undefined };
  const host = { readPullRequest: async () => undefined };
  return { store, now, makeId, memory, redact, deployHost, host } as never;
}

async function setLevel(level: number): Promise<void> {
  const { changes: after = 0 } = (await readRepositoryFacts(world.store, repository.id)).level ?? {};
  const standing = { ...UNSAID_LEVEL, level, carries: { feature: level }, by: "ana", at: now() };
  const change = [{ kind: "levelled", subject: PULL, standing, after } as const];
  await commitDecision(world.store, { appends: [], repository: change, at: now(), makeId, source: "test" });
}
const level = async () => (await readRepositoryFacts(world.store, repository.id)).level;

/** Does the jobs that wait as a worker does, until none is left. */
async function work(): Promise<void> {
  for (;;) {
    const job = await claimJob(world.store, { workerId: "w", now: now(), leaseMs: 60_000, kinds: ["deploy", "learn"] });
    if (!job) return;
    const fence = { jobId: job.id, token: job.token };
    const context = { signal: new AbortController().signal, attempt: job.attempt, fence, job } as JobContext;
    if (job.kind === "learn") await learn(dependencies(), job.payload as never, context);
    else await runDeployment(dependencies(), job.payload as never, context).catch(() => {});
    await completeJob(world.store, job);
  }
}

/** A version goes out, and is worse than the one before. */
async function rolledBack(more: Parameters<typeof world.request>[0] = {}, facts = {}): Promise<string> {
  const runId = await world.request({ cause: "command", ...more });
  await world.observe({ ...facts, risk: "medium" });
  await world.tell({ type: "deploy.verified", runId, is: "passed", summary: "Passed." });
  await world.say("approve", {}, { login: "eva", id: 3 });
  await world.tell({ type: "deploy.stepped", runId, step: 0, outcome: { is: "done" } });
  for (let look = 0; look < 5; look += 1) {
    world.minutes += 1;
    await world.probe(0, errors([20_000, 2_000], [380_000, 760]));
  }
  await world.tell({ type: "deploy.stepped", runId, step: 1, outcome: { is: "done" } });
  expect((await world.standing()).end).toMatchObject({ outcome: "rolled_back" });
  return runId;
}

const demotions = async (subject: Subject) =>
  (await readEvents(world.store, subjectKey(subject))).filter(({ type }) => type === "level.demoted");

it("SAFE-4: a rollback takes the level down at once, and counts once however often a worker tells of it", async () => {
  await setLevel(4);
  const runId = await rolledBack();
  await work();
  expect(await level()).toMatchObject({ level: 3, miss: { is: "rolled_back", version: NEW } });
  expect(await world.planned()).toContain("comment.reply");
  const context = { signal: new AbortController().signal, attempt: 1, fence: undefined } as never;
  await runDeployment(dependencies(), { runId, subject: world.subject }, context);
  await work();
  expect(await level()).toMatchObject({ level: 3 });
  expect(await demotions(PULL)).toHaveLength(1);
});

it("SAFE-4: so does one of several pull requests and direct pushes, and one by a person; not one of a version that could not be put there", async () => {
  await setLevel(4);
  await rolledBack({}, { direct: 2 });
  await work();
  expect(await level()).toMatchObject({ level: 3 });
  await world.say("release");

  const failing = await world.request({ cause: "command", id: "again", sha: "c".repeat(40) });
  await world.observe({ sha: "c".repeat(40) }, { steps: [100] });
  await world.tell({ type: "deploy.verified", runId: failing, is: "passed", summary: "Passed." });
  await world.say("approve", {}, { login: "eva", id: 3 });
  await world.tell({ type: "deploy.stepped", runId: failing, step: 0, outcome: { is: "running" } });
  await world.say("rollback", { reason: "odd prices" });
  await world.tell({ type: "deploy.stepped", runId: failing, step: 1, outcome: { is: "done" } });
  await work();
  expect(await level()).toMatchObject({ level: 2, miss: { version: "c".repeat(40) } });
  await world.say("release");

  const broken = await world.request({ cause: "command", id: "broken", sha: "d".repeat(40) });
  await world.observe({ sha: "d".repeat(40) }, { steps: [50, 100], bake_minutes: 0 });
  await world.tell({ type: "deploy.verified", runId: broken, is: "passed", summary: "Passed." });
  await world.say("approve", {}, { login: "eva", id: 3 });
  await world.tell({ type: "deploy.stepped", runId: broken, step: 0, outcome: { is: "failed" } });
  await work();
  expect(await level()).toMatchObject({ level: 2 });
});

it("SAFE-4: an error that production ties to a run takes the level down, once for each version; a suspicion, and one behind which no run stands, does not", async () => {
  await setLevel(4);
  let times = 0;
  const tell = async (fingerprint: string, suspicion: Partial<Suspicion>) => {
    times += 1;
    const message = {
      is: "alert",
      id: `${times}`,
      fingerprint,
      name: "A",
      resolved: false,
      labels: {},
      summary: "",
    } as const;
    const known: Suspicion = { is: "caused", why: "after_and_on_line", sha: NEW, pull: PULL.number, ...suspicion };
    const suspicions = new Map([[fingerprint, known]]);
    await world.tell({ type: "feedback.received", messages: [message], suspicions });
    await work();
    return (await level())?.level;
  };
  expect(await tell("a", {})).toBe(4);
  for (const input of [headChanged(A), observed("run-a", A), finished("run-a", [])]) {
    await handleInput({ store: world.store, makeId }, { ...input, subject: PULL } as never);
  }
  expect(await tell("b", { is: "suspected" })).toBe(4);
  expect(await tell("c", {})).toBe(3);
  expect(await tell("d", {})).toBe(3);
  expect(await tell("e", { sha: OLD })).toBe(2);
  expect(await demotions(PULL)).toHaveLength(2);
});
