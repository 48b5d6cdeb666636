import { pino } from "pino";
import { expect, it } from "vitest";
import { errorFacts, ForgeError } from "../../../src/domain/errors.ts";
import { createIdMaker } from "../../../src/domain/ids.ts";
import type { Subject } from "../../../src/domain/subjects.ts";
import { createEffectDrain } from "../../../src/pipeline/runs/effects/drain-effects.ts";
import { handleInput } from "../../../src/pipeline/runs/handle-input.ts";
import { markEffectSending } from "../../../src/store/effects/settle-effect.ts";
import { claimJob } from "../../../src/store/jobs/claim-job.ts";
import { completeJob } from "../../../src/store/jobs/held-job.ts";
import { deployWorld, OLD, PULL } from "./deploy-world.ts";

const world = deployWorld();
const EARLIER = "2026-11-20T11:00:00.000Z";
const AT = "2026-11-20T12:00:00.000Z";

/** As a worker does that may die with it. */
async function claim(now: string) {
  const job = await claimJob(world.store, { workerId: "w", now, leaseMs: 60_000, kinds: ["effects"] });
  if (!job) throw new Error("no effect waits for a worker");
  return { job, fence: { jobId: job.id, token: job.token } };
}

/** What a worker sends of what waits for a subject: GitHub takes all of it. */
async function drain(subject: Subject): Promise<string[]> {
  const { store } = world;
  const sent: string[] = [];
  const drained = createEffectDrain({
    ...{ store, makeId: () => "id", now: () => AT, log: pino({ level: "silent" }) },
    send: async (effect) => {
      const about = effect.kind === "deployment.begin" ? ` ${effect.payload.step.task}` : "";
      const is =
        effect.kind === "deploy.show" || effect.kind === "deploy.check" ? ` ${effect.payload.standing.is}` : "";
      sent.push(`${effect.kind}${about}${is}`);
      return { kind: "done", result: {} };
    },
  });
  const { job, fence } = await claim(AT);
  await drained(subject, { signal: new AbortController().signal, fence });
  await completeJob(store, job);
  return sent;
}

/** A person let it through, and no worker came to write anything yet. */
async function letThrough(): Promise<void> {
  const runId = await world.request();
  await world.observe();
  await world.tell({ type: "deploy.verified", runId, is: "passed", summary: "1 passed, 0 failed." });
  await world.say("approve", {}, { login: "eva", id: 3 });
}

const goBack = () => world.say("rollback", { reason: "it looks odd" }, { login: "eva", id: 3 });

it("GH-15: of how far a deployment is only the latest is written, and a step that was not begun when it goes back is not begun", async () => {
  await letThrough();
  await goBack();
  const onEnvironment = await drain(world.subject);
  expect(onEnvironment).toEqual(["deployment.begin rollback", "deploy.check going_back"]);
  expect((await drain(PULL)).filter((kind) => kind.startsWith("deploy.show"))).toEqual(["deploy.show going_back"]);
  expect((await world.standing()).steps).toMatchObject([{ task: "deploy" }, { task: "rollback", sha: OLD }]);
});

it("GH-13: a step that was being begun when its worker died is seen to its end, and then the one that goes back", async () => {
  await letThrough();
  const [begin] = await world.store.read.all<{ key: string }>(
    "select key from effects where kind = 'deployment.begin'",
  );
  const { fence } = await claim(EARLIER);
  await markEffectSending(world.store, { key: begin!.key, first: true }, EARLIER, fence);
  await goBack();
  const sent = await drain(world.subject);
  expect(sent.filter((kind) => kind.startsWith("deployment.begin"))).toEqual([
    "deployment.begin deploy",
    "deployment.begin rollback",
  ]);
});

it("DEP-1: where GitHub refuses a step that was left by going back, the step back is begun as it was planned", async () => {
  await letThrough();
  const [left] = await world.store.read.all<{ key: string }>("select key from effects where kind = 'deployment.begin'");
  await goBack();
  const effect = { key: left!.key, kind: "deployment.begin" } as const;
  const error = errorFacts(new ForgeError("deployment_refused", "GitHub refused it.", { source: "validation" }));
  const { runId } = await world.standing();
  const failed = {
    type: "effect.failed",
    runId,
    effect,
    error,
    subject: world.subject,
    at: AT,
    newRunId: "n",
  } as const;
  await handleInput({ store: world.store, makeId: createIdMaker() }, failed);
  expect(await world.standing()).toMatchObject({
    is: "going_back",
    steps: [{ task: "deploy" }, { task: "rollback", sha: OLD, outcome: { is: "waiting" } }],
  });
});
