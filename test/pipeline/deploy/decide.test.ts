import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { StepOutcome } from "../../../src/domain/deployments.ts";
import type { Sample } from "../../../src/domain/samples.ts";
import { readStandings } from "../../../src/pipeline/deploy/read-standings.ts";
import { readGates } from "../../../src/pipeline/runs/gates/read-gates.ts";
import { deployWorld, errors, NEW, OLD, PULL } from "./deploy-world.ts";

const world = deployWorld();
let run = "";

const FINE = errors([20_000, 40], [380_000, 760]);
const BAD = errors([20_000, 4_000], [380_000, 760]);
const SILENT: Pick<Sample, "metrics"> = {
  metrics: FINE.metrics.map((one) => ({ ...one, canary: { is: "none", why: "unreachable" } })),
};

const stepped = (step: number, outcome: StepOutcome) =>
  world.tell({ type: "deploy.stepped", runId: run, step, outcome, handle: { deploymentId: 40 + step } });
/** What is said on deployments of ours, of the run at hand. */
async function said() {
  const rows = await world.store.read.all<{ payload: string }>(
    sql`select payload from effects where kind = 'deployment.say' and run_id = ${run} order by sequence`,
  );
  return rows.map(({ payload }) => JSON.parse(payload));
}
/** What is said at the end of the run. */
const became = async () =>
  (await said())
    .filter(({ step }) => step === undefined)
    .toSorted((one, other) => one.deploymentId - other.deploymentId);

/** A version that is healthy runs there. */
async function asBefore() {
  await world.request({ sha: OLD, id: "merged:11" });
  await world.observe({ sha: OLD, previous: undefined });
  const [first] = await world.store.read.all<{ id: string }>("select trace_id as id from runs");
  run = first?.id ?? "";
  await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "12 passed, 0 failed." });
  await world.say("approve", {}, { login: "eva", id: 3 });
  for (const step of [0, 1, 2]) {
    await stepped(step, { is: "done" });
    world.minutes += 11;
    await world.probe(step, FINE);
  }
  world.minutes += 61;
  await world.probe(2, FINE);
}

/** The next version, up to its gate. */
async function toGate() {
  run = await world.request();
  await world.observe();
  await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "12 passed, 0 failed." });
}

/** The next version with all traffic: its next look ends the bake, and the watch lasts an hour. */
async function toWatch() {
  run = await world.request();
  await world.observe({}, { steps: [100], bake_minutes: 0 });
  await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "" });
  await world.say("approve", {}, { login: "eva", id: 3 });
  await stepped(0, { is: "done" });
}

/** So many looks, so many minutes apart. */
async function look(times: number, sample: Pick<Sample, "metrics">, minutes = 10) {
  for (let done = 0; done < times; done += 1) {
    world.minutes += minutes;
    await world.probe(0, sample);
  }
}

beforeEach(asBefore);

describe("DEP-1: a deployment", () => {
  it("GH-8: has GitHub say how each step ended, where the version is and where its log is", async () => {
    await toGate();
    await world.say("approve", {}, { login: "eva", id: 3 });
    await stepped(0, { is: "running" });
    expect(await said()).toEqual([]);
    await stepped(0, { is: "done", url: "https://shop.example", logUrl: "https://github.com/ana/shop/actions/runs/1" });
    const first = {
      deploymentId: 40,
      became: "deployed",
      reason: "",
      logUrl: "https://github.com/ana/shop/actions/runs/1",
    };
    expect(await said()).toEqual([{ ...first, step: { is: "done", percentage: 5, url: "https://shop.example" } }]);
    world.minutes += 11;
    await world.probe(0, FINE);
    await stepped(1, { is: "cancelled" });
    expect((await said())[1]).toEqual({
      ...{ deploymentId: 41, became: "not_deployed", reason: "", step: { is: "cancelled", percentage: 25 } },
    });
  });

  it("is let through by a person, goes step by step, and is watched to its end", async () => {
    expect(await world.environment()).toMatchObject({ running: { sha: OLD }, healthy: OLD });
    await toGate();
    expect(await world.standing()).toMatchObject({ is: "asking", shares: [5, 25, 100], changes: [{ number: 12 }] });
    expect(await world.say("approve", {}, { login: "eva", id: 3 })).toBeUndefined();
    expect(await world.standing()).toMatchObject({
      is: "deploying",
      steps: [{ percentage: 5, sha: NEW, task: "deploy" }],
    });
    await stepped(0, { is: "running" });
    await stepped(0, { is: "done" });
    world.minutes += 1;
    await world.probe(0, FINE);
    // It bakes on, however good it looks.
    expect((await world.standing()).steps).toHaveLength(1);
    world.minutes += 10;
    await world.probe(0, FINE);
    expect((await world.standing()).steps).toMatchObject([{ percentage: 5 }, { percentage: 25 }]);
    await stepped(1, { is: "done" });
    world.minutes += 11;
    await world.probe(1, FINE);
    await stepped(2, { is: "done" });
    world.minutes += 11;
    await world.probe(2, FINE);
    expect(await world.standing()).toMatchObject({ is: "watching" });
    expect(await world.environment()).toMatchObject({ running: { sha: NEW }, healthy: OLD });
    world.minutes += 61;
    await world.probe(2, FINE);
    expect(await world.standing()).toMatchObject({ is: "ended", end: { outcome: "healthy" } });
    expect(await world.environment()).toMatchObject({ running: { sha: NEW }, healthy: NEW });
    expect(await became()).toMatchObject([
      { deploymentId: 40, became: "replaced" },
      { deploymentId: 41, became: "replaced" },
    ]);
  });

  it("DEP-3: goes back where it is worse twice, and the environment is held", async () => {
    await toGate();
    await world.say("approve", {}, { login: "eva", id: 3 });
    await stepped(0, { is: "done" });
    world.minutes += 1;
    await world.probe(0, errors([20_000, 44], [380_000, 760]));
    expect(await world.standing()).toMatchObject({ is: "baking" });
    for (let look = 0; look < 4; look += 1) {
      world.minutes += 1;
      await world.probe(0, BAD);
    }
    expect(await world.standing()).toMatchObject({
      is: "going_back",
      steps: [{ sha: NEW }, { sha: OLD, task: "rollback", percentage: 100 }],
    });
    await stepped(1, { is: "done" });
    expect(await world.standing()).toMatchObject({ is: "ended", end: { outcome: "rolled_back" } });
    expect(await world.environment()).toMatchObject({ running: { sha: OLD }, healthy: OLD, hold: { by: "forge" } });
    expect(await world.planned()).toEqual(expect.arrayContaining(["revert.open", "issue.open"]));
    expect(await became()).toEqual([
      { deploymentId: 40, became: "rolled_back", reason: expect.stringContaining("error") },
    ]);
    expect(await world.say("deploy")).toBe("environment_held");
    expect(await world.say("release")).toBeUndefined();
    expect(await world.say("deploy")).toBeUndefined();
  });

  it("MON-1: goes back at an alert that the repository names and that began with this version, and says so", async () => {
    const rule = { roll_back_on: ["HighErrorRate"] };
    const alert = (name: string, labels: Record<string, string> = {}, since = 0) => {
      const at = new Date(Date.parse("2026-11-20T10:00:00.000Z") + (world.minutes - since) * 60_000).toISOString();
      const feedback = { is: "alert", id: name, name, labels, resolved: false, startsAt: at } as const;
      const fingerprint = `${name}${JSON.stringify(labels)}${since}`;
      return world.tell({
        ...{ type: "feedback.received", suspicions: new Map() },
        messages: [{ ...feedback, id: fingerprint, fingerprint, summary: "5xx above 5 %" }],
      });
    };
    run = await world.request();
    await world.observe({}, rule);
    await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "" });
    await world.say("approve", {}, { login: "eva", id: 3 });
    await stepped(0, { is: "done" });
    world.minutes += 2;
    await alert("DiskFull");
    await alert("HighErrorRate", { version: OLD });
    await alert("HighErrorRate", {}, 3);
    expect(await world.standing()).toMatchObject({ is: "baking" });
    await alert("HighErrorRate", { version: NEW.slice(0, 7) });
    expect(await world.standing()).toMatchObject({
      is: "going_back",
      back: { to: OLD, why: "alert", reason: expect.stringContaining("the alert HighErrorRate began") },
    });
    await alert("HighErrorRate", { again: "1" });
    await stepped(1, { is: "done" });
    expect(await world.standing()).toMatchObject({ end: { outcome: "rolled_back" } });
    expect(await world.environment()).toMatchObject({ hold: { by: "forge" } });
    expect((await world.planned()).filter((kind) => kind === "feedback.show")).toHaveLength(5);
  });

  it("GH-4: is told to who asks on the pull request that it brings, and to nobody else", async () => {
    await toGate();
    const shown = (about = PULL) => readStandings(world.store, about);
    expect(await shown()).toMatchObject([{ environment: "production", is: "asking", runId: run }]);
    expect(await shown({ ...PULL, number: 99 })).toEqual([]);
    await world.say("reject", {}, { login: "eva", id: 3 });
    await world.say("hold", { environment: "production" });
    const [ended] = await shown();
    // What is held by somebody else's word is not this deployment's.
    expect([ended?.is, ended?.hold]).toEqual(["ended", undefined]);
  });

  it("says loudly when going back fails too, after a second try", async () => {
    await toGate();
    await world.say("approve", {}, { login: "eva", id: 3 });
    await stepped(0, { is: "failed", detail: "no space left" });
    expect((await world.standing()).steps).toMatchObject([{ task: "deploy" }, { task: "rollback" }]);
    await stepped(1, { is: "failed", detail: "no space left" });
    await stepped(2, { is: "failed", detail: "no space left" });
    expect(await world.standing()).toMatchObject({
      end: { outcome: "rollback_failed", reason: expect.stringContaining("no space left") },
    });
    expect(await world.environment()).toMatchObject({ hold: {} });
    expect(await became()).toMatchObject([{ deploymentId: 40, became: "still_there" }]);
  });

  it("is over without a rollback where nothing of it ever began", async () => {
    await toGate();
    await world.say("approve", {}, { login: "eva", id: 3 });
    await stepped(0, { is: "never_started" });
    expect(await world.standing()).toMatchObject({ end: { outcome: "failed" }, steps: [{ task: "deploy" }] });
    expect((await world.environment()).hold).toBeUndefined();
  });
});

describe("SAFE-3: the gate of a deployment", () => {
  it.each([
    ["somebody who may push", { login: "dan", id: 9, role: "write" as const }, "role"],
    ["maintain", { login: "eva", id: 3 }, undefined],
  ])("is answered by maintain: %s", async (_who, by, refusal) => {
    await toGate();
    expect(await world.say("approve", {}, by)).toBe(refusal);
  });

  it.each(["high", undefined] as const)(
    "at a high risk, or one that is not known, not by the only author: %s",
    async (risk) => {
      run = await world.request();
      await world.observe({ risk });
      await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "" });
      expect(await world.say("approve", {}, { login: "ben", id: 5 })).toBe("own_work");
      expect(await world.say("approve", {}, { login: "eva", id: 3 })).toBeUndefined();
    },
  );

  it("is never answered by silence", async () => {
    await toGate();
    world.minutes += 61;
    await world.tell({ type: "deploy.looked", runId: run });
    expect(await world.standing()).toMatchObject({ end: { outcome: "rejected" } });
    expect((await readGates(world.store, world.subject)).at(-1)).toMatchObject({
      standing: { is: "timed_out" },
      question: { verified: { is: "passed", summary: "12 passed, 0 failed." } },
    });
  });
});

describe("PIPE-4: nothing is deployed that is", () => {
  it.each([
    ["not merged", { merged: false }, "not_merged"],
    ["older than what runs there", { older: true }, "older"],
    ["what runs there", { sha: OLD, previous: OLD }, "same"],
  ] as const)("%s", async (_what, facts, refusal) => {
    run = await world.request({ id: "again" });
    await world.observe(facts);
    expect(await world.standing()).toMatchObject({ end: { outcome: "refused", refusal }, steps: [] });
  });
});

describe("PIPE-3: a second deployment", () => {
  it("waits for the first, and only the newest does", async () => {
    await toGate();
    const other = "c".repeat(40);
    await world.request({ sha: other, id: "merged:13" });
    await world.request({ sha: "d".repeat(40), id: "merged:14" });
    expect(await world.environment()).toMatchObject({ next: { id: "merged:14" } });
    // What it takes the place of has an end that people read.
    expect(await world.standing()).toMatchObject({ is: "ended", sha: other, end: { outcome: "superseded" } });
    expect((await world.planned()).filter((kind) => kind === "deploy.show").length).toBeGreaterThan(2);
    expect(await world.say("approve", {}, { login: "eva", id: 3 })).toBeUndefined();
  });

  it("of the same request is one", async () => {
    await toGate();
    expect(
      await world.tell({
        type: "deploy.requested",
        deploy: {
          environment: "production",
          sha: NEW,
          by: { login: "a", id: 1, kind: "user" },
          cause: "merge",
          id: "merged:12",
        },
      }),
    ).toBe("this was asked for before");
  });
});

describe("DEP-3: what cannot be told", () => {
  it("neither promotes nor rolls back: people are asked, and may promote", async () => {
    await toGate();
    await world.say("approve", {}, { login: "eva", id: 3 });
    await stepped(0, { is: "done" });
    const few = errors([3, 0], [57, 0]);
    for (let i = 0; i < 5; i += 1) {
      world.minutes += 11;
      await world.probe(0, few);
    }
    expect(await world.standing()).toMatchObject({
      is: "baking",
      steps: [{ unclear: true, verdict: { is: "cannot_tell" } }],
    });
    expect(await world.say("promote", {}, { login: "eva", id: 3 })).toBeUndefined();
    expect((await world.standing()).steps).toMatchObject([{ promoted: true }, { percentage: 25 }]);
  });

  it("makes no version healthy that a person let go on, so that nothing goes back to it by itself as to the last healthy one", async () => {
    run = await world.request();
    await world.observe({}, { steps: [100], watch_minutes: 0, ask_minutes: 0 });
    await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "" });
    await world.say("approve", {}, { login: "eva", id: 3 });
    await stepped(0, { is: "done" });
    world.minutes += 11;
    await world.probe(0, errors([3, 0], [57, 0]));
    expect(await world.say("promote", {}, { login: "eva", id: 3 })).toBeUndefined();
    expect(await world.standing()).toMatchObject({ end: { outcome: "unwatched" } });
    expect(await world.environment()).toMatchObject({ running: { sha: NEW }, healthy: OLD });
  });

  it("DEP-1: says that a version is degraded which is worse to the end, and not so much that it is taken back", async () => {
    await toWatch();
    await world.probe(0, FINE);
    expect(await world.standing()).toMatchObject({ is: "watching" });
    // Between 1.5 and 2 times the errors of the version before.
    const worse = errors([20_000, 680], [380_000, 7_600]);
    await look(7, worse);
    // The hour of the watch is over: for half an hour more it may get better.
    expect(await world.standing()).toMatchObject({ is: "watching", steps: [{ verdict: { is: "worse" } }] });
    await look(3, worse);
    expect(await world.standing()).toMatchObject({ is: "ended", end: { outcome: "degraded" } });
    expect(await world.environment()).toMatchObject({ running: { sha: NEW }, healthy: OLD });
  });

  it("DEP-3: ends the watch of a good version only after ten good looks in a row, so that neither silence nor luck has the last word", async () => {
    await toWatch();
    await world.probe(0, FINE);
    await look(5, FINE);
    await look(1, SILENT, 1);
    // The hour is over.
    await look(9, FINE, 1);
    expect(await world.standing()).toMatchObject({ is: "watching", steps: [{ verdict: { is: "better_or_equal" } }] });
    await look(1, FINE, 1);
    expect(await world.standing()).toMatchObject({ is: "ended", end: { outcome: "healthy" } });
  });

  it("DEP-3: ends a watch in which nobody can tell half an hour later", async () => {
    await toWatch();
    await world.probe(0, FINE);
    await look(8, SILENT);
    expect(await world.standing()).toMatchObject({ is: "watching" });
    await look(1, SILENT);
    expect(await world.standing()).toMatchObject({ is: "ended", end: { outcome: "unwatched" } });
  });

  it("DEP-3: waits no longer than the watch where a person let it go on without a verdict", async () => {
    await toWatch();
    await look(4, SILENT);
    expect(await world.standing()).toMatchObject({ is: "baking", steps: [{ unclear: true }] });
    expect(await world.say("promote", {}, { login: "eva", id: 3 })).toBeUndefined();
    await look(5, SILENT);
    expect(await world.standing()).toMatchObject({ is: "watching" });
    await look(1, SILENT);
    expect(await world.standing()).toMatchObject({ is: "ended", end: { outcome: "unwatched" } });
  });

  it("goes back by a person's word at any step", async () => {
    await toGate();
    await world.say("approve", {}, { login: "eva", id: 3 });
    await stepped(0, { is: "done" });
    expect(await world.say("rollback", { reason: "it looks odd" }, { login: "eva", id: 3 })).toBeUndefined();
    expect(await world.standing()).toMatchObject({ is: "going_back", back: { by: "eva", reason: "it looks odd" } });
    expect(await world.say("rollback")).toBe("going_back");
  });
});
