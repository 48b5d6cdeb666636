import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { pino } from "pino";
import { expect, it } from "vitest";
import type { DeployFacts } from "../../../src/domain/deployments.ts";
import { createIdMaker } from "../../../src/domain/ids.ts";
import { JOB_CATALOGUE } from "../../../src/domain/jobs.ts";
import { currentStep } from "../../../src/pipeline/deploy/deployment.ts";
import { replayDeployment } from "../../../src/pipeline/deploy/evolve.ts";
import type { DeployDependencies } from "../../../src/pipeline/deploy/work/deploy-job.ts";
import { doAfterwards } from "../../../src/pipeline/deploy/work/do-afterwards.ts";
import { followProgram } from "../../../src/pipeline/deploy/work/follow-program.ts";
import { createEffectDrain } from "../../../src/pipeline/runs/effects/drain-effects.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { claimJob } from "../../../src/store/jobs/claim-job.ts";
import { retryJob } from "../../../src/store/jobs/held-job.ts";
import { listStranded } from "../../../src/store/jobs/read-jobs.ts";
import { statement } from "../../../src/store/statement.ts";
import { createDeployProgram } from "../../../src/workspace/deploy-program.ts";
import { temporaryFolder } from "../../store/databases.ts";
import { deployWorld } from "./deploy-world.ts";

const world = deployWorld("staging");
const folder = temporaryFolder();
const AT = "2026-11-20T10:01:00.000Z";
/** The redactor takes a commit in a key for a secret, so the key is stored without it. */
const SHA = "52b0b98f7ced9145edea4ee81383c0310aa21936";
let runId = "";

/** An operator's program that logs what it is asked, and answers what a file says, for each of its two actions. */
function program() {
  const [file, log, says] = ["deploy.mjs", "log", "says.json"].map((name) => join(folder(), name)) as [
    string,
    string,
    string,
  ];
  const answers = JSON.stringify(says);
  const text = `#!${process.execPath}
import { appendFileSync, readFileSync } from "node:fs";
const { action, marker, repository } = JSON.parse(readFileSync(0, "utf8"));
appendFileSync(${JSON.stringify(log)}, [action, marker.step, repository].join(" ") + "\\n");
console.log(JSON.parse(readFileSync(${answers}, "utf8"))[action]);
`;
  writeFileSync(file, text, { mode: 0o755 });
  writeFileSync(log, "");
  return {
    run: createDeployProgram(file, (said) => said, {}),
    asked: () => readFileSync(log, "utf8").split("\n").filter(Boolean),
    says: (look: string, deploy = "running") => {
      const said = (state: string) => (state === "" ? "" : JSON.stringify({ state }));
      writeFileSync(says, JSON.stringify({ look: said(look), deploy: said(deploy) }));
    },
  };
}

async function deployment() {
  const run = replayDeployment(await readEvents(world.store, runId));
  const step = run && currentStep(run);
  if (!run || !step) throw new Error("no step was begun");
  return { run, step };
}

const effects = () =>
  world.store.read.all<{ kind: string; state: string; attempts: number; result: string | null }>(
    sql`select kind, state, attempts, result from effects where kind like 'deployment.%' order by sequence`,
  );

/** A worker takes the deployment up, does what follows with the program, and puts it off until the next look. */
async function work(runDeployProgram: ReturnType<typeof program>["run"] | undefined, at = AT): Promise<void> {
  const { store } = world;
  const job = await claimJob(store, { workerId: "w", now: at, leaseMs: 60_000, kinds: ["deploy"] });
  if (!job) throw new Error("no deployment waits for a worker");
  const payload = JOB_CATALOGUE.deploy.parse(job.payload);
  const dependencies = { store, makeId: createIdMaker(), now: () => at, ...(runDeployProgram && { runDeployProgram }) };
  const { run, step } = await deployment();
  const fence = { jobId: job.id, token: job.token };
  try {
    await followProgram(dependencies, { ...payload, fence, signal: new AbortController().signal }, run, step);
  } finally {
    await retryJob(store, job, { runAt: at, countsAsAttempt: false });
  }
}

/** A person let a version through to staging, and no worker has come yet. */
async function begin(more: Parameters<typeof world.request>[0] = {}, facts: Partial<DeployFacts> = {}): Promise<void> {
  runId = await world.request({ sha: SHA, ...more });
  await world.observe({ sha: SHA, ...facts }, { way: "program", steps: [100] });
  await world.tell({ type: "deploy.verified", runId, is: "passed", summary: "1 passed, 0 failed." });
  await world.say("approve", {}, { login: "eva", id: 3 });
}

it("DEP-2, GH-13: a step by the operator's program is an effect that is looked for before each doing, the first too, and is settled with the step", async () => {
  await begin();
  const { run, asked, says } = program();
  expect(await effects()).toEqual([{ kind: "deployment.run", state: "planned", attempts: 0, result: null }]);
  says("absent");
  await work(run);
  expect(asked()).toEqual(["look 0 ana/shop", "deploy 0 ana/shop"]);
  expect(await effects()).toMatchObject([{ state: "sending", attempts: 1 }]);
  expect((await deployment()).step.outcome).toEqual({ is: "running" });
  says("running");
  await work(run);
  says("done");
  await work(run);
  expect(asked().slice(2)).toEqual(["look 0 ana/shop", "look 0 ana/shop"]);
  expect(await effects()).toMatchObject([{ state: "done", attempts: 1, result: '{"outcome":{"is":"done"}}' }]);
  expect(await world.standing()).toMatchObject({ is: "baking" });
});

it("DEP-2: what a worker began that died is found and not done again, and what is not there any more is done again", async () => {
  await begin();
  const { run, asked, says } = program();
  const die = statement(sql`update effects set state = 'sending', sending_since = ${AT} where kind = 'deployment.run'`);
  await world.store.queue.together([die]);
  says("running");
  await work(run);
  expect(asked()).toEqual(["look 0 ana/shop"]);
  says("absent");
  await work(run);
  expect(asked().slice(1)).toEqual(["look 0 ana/shop", "deploy 0 ana/shop"]);
});

it("DEP-2: what does not end in time is over, and its effect with it", async () => {
  await begin();
  const { run, says } = program();
  says("absent", "absent");
  await work(run);
  expect(await effects()).toMatchObject([{ state: "sending", attempts: 1 }]);
  world.minutes += 11;
  await work(run, "2026-11-20T10:11:00.000Z");
  expect(await effects()).toMatchObject([{ state: "done", attempts: 2, result: '{"outcome":{"is":"never_started"}}' }]);
  expect(await world.standing()).toMatchObject({ is: "ended", end: { outcome: "failed" } });
});

it("DEP-2: a look that tells nothing leaves the step and its effect as they are: nothing is deployed on a guess", async () => {
  await begin();
  const { run, asked, says } = program();
  says("");
  await expect(work(run)).rejects.toThrow("did not answer with one line of JSON");
  expect(asked()).toEqual(["look 0 ana/shop"]);
  expect(await effects()).toMatchObject([{ state: "planned", attempts: 0 }]);
  expect(await world.standing()).toMatchObject({ is: "deploying" });
});

it("DEP-2: without a program on the worker the step is refused, and its effect has failed", async () => {
  await begin();
  await work(undefined);
  expect(await effects()).toMatchObject([{ state: "failed", attempts: 0 }]);
  expect(await world.standing()).toMatchObject({ is: "ended", end: { outcome: "failed" } });
});

it("DATA-1: a step that an earlier version began has no effect: it gets one and goes on", async () => {
  await begin();
  const { run, asked, says } = program();
  await world.store.queue.together([statement(sql`delete from effects where kind = 'deployment.run'`)]);
  says("absent", "done");
  await work(run);
  expect(asked()).toEqual(["look 0 ana/shop", "deploy 0 ana/shop"]);
  expect(await effects()).toMatchObject([{ kind: "deployment.run", state: "done", attempts: 1 }]);
});

it("DEP-1: when the deployment goes back, the step that it leaves is dropped, and the step back is done", async () => {
  await begin();
  const { run, asked, says } = program();
  says("absent");
  await work(run);
  await world.say("rollback", { reason: "it looks odd" }, { login: "eva", id: 3 });
  says("absent", "done");
  await work(run);
  expect(asked().slice(2)).toEqual(["look 1 ana/shop", "deploy 1 ana/shop"]);
  expect(await effects()).toMatchObject([{ state: "obsolete" }, { state: "done" }]);
  expect(await world.standing()).toMatchObject({ is: "ended", end: { outcome: "rolled_back" } });
});

it("DEP-1: of a deployment that is over nothing is left open, also where there is nothing to go back to", async () => {
  const { store } = world;
  await begin({ about: undefined }, { previous: undefined });
  await world.say("rollback", { reason: "it looks odd" }, { login: "eva", id: 3 });
  expect(await effects()).toMatchObject([{ kind: "deployment.run", state: "planned" }]);
  const { run } = await deployment();
  expect(run.end).toMatchObject({ outcome: "rollback_failed" });
  const job = await claimJob(store, { workerId: "w", now: AT, leaseMs: 60_000, kinds: ["deploy"] });
  const fence = { jobId: job!.id, token: job!.token };
  const dependencies = { store, makeId: createIdMaker(), now: () => AT } as unknown as DeployDependencies;
  await doAfterwards(dependencies, { runId, subject: world.subject, fence, signal: new AbortController().signal }, run);
  expect(await effects()).toMatchObject([{ state: "obsolete" }]);
});

it("GH-13: writes to GitHub do not wait for the program, and its effect alone strands no subject", async () => {
  await begin();
  const { store, subject } = world;
  const sent: string[] = [];
  const drain = createEffectDrain({
    ...{ store, makeId: createIdMaker(), now: () => AT, log: pino({ level: "silent" }) },
    send: async ({ kind }) => {
      sent.push(kind);
      return { kind: "done", result: {} };
    },
  });
  const job = await claimJob(store, { workerId: "w", now: AT, leaseMs: 60_000, kinds: ["effects"] });
  await drain(subject, { signal: new AbortController().signal, fence: { jobId: job!.id, token: job!.token } });
  expect(sent).toContain("deploy.check");
  await store.queue.together([statement(sql`delete from jobs where kind = 'effects'`)]);
  expect((await listStranded(store)).subjects.filter(({ kind }) => kind === "environment")).toEqual([]);
  expect(await effects()).toMatchObject([{ kind: "deployment.run", state: "planned" }]);
});
