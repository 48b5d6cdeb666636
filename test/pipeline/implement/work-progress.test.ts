import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { LoopEvent } from "../../../src/agents/library.ts";
import type { Activity } from "../../../src/domain/activity.ts";
import { createIdMaker } from "../../../src/domain/ids.ts";
import type { IssueInput } from "../../../src/domain/inputs.ts";
import { reportProgress } from "../../../src/pipeline/ai/report-progress.ts";
import type { WorkDependencies, WorkJob } from "../../../src/pipeline/implement/work/work-job.ts";
import { handleInput, submit } from "../../../src/pipeline/runs/handle-input.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { type ClaimedJob, claimJob } from "../../../src/store/jobs/claim-job.ts";
import { closeStore, openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { actorOf, BEN, ISSUE, SNAPSHOT } from "../../simulation/cast.ts";
import { temporaryFolder } from "../../store/databases.ts";
import { observed, RUN } from "./story.ts";

const folder = temporaryFolder();
const makeId = createIdMaker();
const start = Date.parse("2026-11-01T10:00:00.000Z");
/** Milliseconds since a phase of the run began: nobody waits for them. */
let elapsed: number;
let store: Store;
const now = () => new Date(start + elapsed).toISOString();

beforeEach(async () => {
  elapsed = 0;
  store = await openStore({ url: `file:${join(folder(), "forge.db")}` });
});
afterEach(() => closeStore(store));

const claim = async (): Promise<ClaimedJob> => {
  const claimed = await claimJob(store, { workerId: "a", now: now(), leaseMs: 1_000 });
  return claimed ?? expect.unreachable("there is no job");
};

/** A run whose plan is being made, by a worker that reports. */
async function begin({ spentUsd = async () => 0.25, stopped = new AbortController().signal } = {}) {
  const parsed = { command: { name: "implement" } } as const;
  const asked: IssueInput = {
    ...{ type: "command.given", subject: ISSUE, source: { kind: "issue_comment", id: "1" }, index: 0, parsed },
    ...{ by: actorOf(BEN), role: BEN.role, alone: true, plain: false, issue: { open: true, snapshot: SNAPSHOT } },
    ...{ at: now(), newRunId: RUN },
  };
  await handleInput({ store, makeId }, asked);
  const { id: jobId, token } = await claim();
  const written: Promise<unknown>[] = [];
  const job: WorkJob = {
    ...{ runId: RUN, subject: ISSUE, attempt: 1, signal: stopped, fence: { jobId, token } },
    afterwards: (work) => void written.push(work),
  };
  const dependencies = { store, makeId, now } as WorkDependencies;
  await submit(dependencies, job, observed());
  const sleeps: (() => void)[] = [];
  const clock = { now: () => elapsed, sleep: () => new Promise<void>((resolve) => void sleeps.push(resolve)) };
  const { afterwards, signal } = job;
  const tell = async (activity: Activity) => {
    const told = { ...activity, costUsd: await spentUsd() };
    await submit(dependencies, job, { type: "work.progressed", runId: RUN, progress: told });
  };
  const { heard, say, end } = reportProgress({
    firstMs: 20_000,
    tell,
    purposeOf: () => "plan",
    afterwards,
    clock,
    signal,
  });
  return {
    ...{ say, end },
    /** The clock of the reporter goes on without an event of the loop. */
    waits: async (seconds: number) => {
      elapsed = seconds * 1_000;
      for (const wake of sleeps.splice(0)) wake();
      await new Promise(setImmediate);
      await Promise.all(written);
    },
    /** The loop tells this when so many seconds of the phase are over. */
    at: async (seconds: number, ...events: readonly LoopEvent[]) => {
      elapsed = seconds * 1_000;
      for (const event of events) heard("planner", event);
      await Promise.all(written);
    },
    told: async () => {
      const events = await readEvents(store, RUN);
      return events.flatMap((event) =>
        event.type === "work.progressed" ? [[(Date.parse(event.at) - start) / 1_000, event.payload]] : [],
      );
    },
  };
}

const thinks: LoopEvent = { type: "step_started", step: 1, model: "m" };
const runsTests: LoopEvent = { type: "tool_started", callId: "c", tool: "run_tests", input: {} };
const others: readonly LoopEvent[] = [
  { type: "text", text: "so" },
  { type: "tool_output", callId: "c", chunk: "." },
  { type: "step_ended", step: 1, costUsd: 0.1, ms: 3 },
];

it("GH-12: the status moves after 20 seconds of a phase, and then at most once a minute, with the cost so far", async () => {
  let usd = 0;
  const phase = await begin({ spentUsd: async () => usd });
  await phase.at(0, thinks);
  await phase.at(19.9, thinks, runsTests);
  expect(await phase.told()).toEqual([]);
  usd = 0.5;
  await phase.at(20, ...others, thinks, runsTests, ...Array.from({ length: 500 }, () => thinks));
  const asking = { doing: "thinking", model: "m", purpose: "plan" };
  expect(await phase.told()).toEqual([[20, { ...asking, costUsd: 0.5 }]]);
  usd = 0.75;
  await phase.at(79.9, thinks, runsTests);
  await phase.at(80, ...others);
  expect(await phase.told()).toHaveLength(1);
  await phase.at(81, runsTests, thinks);
  await phase.at(140.9, thinks);
  phase.say({ doing: "checking" });
  await phase.at(141, thinks);
  expect((await phase.told()).slice(1)).toEqual([
    [81, { doing: "tool", tool: "run_tests", costUsd: 0.75 }],
    [141, { ...asking, costUsd: 0.75 }],
  ]);
});

const reads = (path: string): LoopEvent => ({ type: "tool_started", callId: "c", tool: "read_file", input: { path } });
const runs: LoopEvent = { ...runsTests, tool: "run_command", input: { program: "npm", args: ["run", "secret"] } };

it("GH-12: the files that an agent reads are counted, and what it put into a command is not told", async () => {
  const phase = await begin();
  await phase.at(10, reads("a.ts"), thinks, reads("b.ts"), reads("a.ts"));
  await phase.at(30, reads("c.ts"));
  await phase.at(100, thinks);
  await phase.at(170, runs);
  await phase.at(240, reads("a.ts"));
  expect((await phase.told()).map(([, told]) => told)).toMatchObject([
    { doing: "tool", tool: "read_file", about: "c.ts", files: 3 },
    { doing: "thinking", model: "m", files: 3 },
    { doing: "tool", tool: "run_command" },
    { doing: "tool", tool: "read_file", files: 1 },
  ]);
  expect(JSON.stringify(await phase.told())).not.toContain("secret");
});

it("GH-12: an early activity is reported when the time has come, once, and never after the end of its phase", async () => {
  const phase = await begin();
  phase.say({ doing: "testing", testFiles: 46 });
  await phase.waits(20.05);
  await phase.waits(200);
  expect(await phase.told()).toEqual([[20.05, { doing: "testing", testFiles: 46, costUsd: 0.25 }]]);
  await phase.at(201, thinks, runsTests);
  phase.end();
  await phase.waits(300);
  expect(await phase.told()).toHaveLength(2);
});

it("GH-12: what is said right before a timer ends is reported when the next minute is over", async () => {
  const phase = await begin();
  phase.say({ doing: "checking" });
  await phase.at(20.02, thinks);
  phase.say({ doing: "testing", testFiles: 46 });
  await phase.waits(20.05);
  await phase.waits(80.1);
  expect((await phase.told()).map(([second]) => second)).toEqual([20.02, 80.1]);
});

it("PIPE-7: a report comes when some time has passed: workers that die at the same place died of the same, whatever they reported before", async () => {
  const marks = () => store.read.all<{ marks: number }>("select marks from jobs where state = 'running'");
  const phase = await begin();
  const before = await marks();
  await phase.at(30, thinks);
  expect(await phase.told()).toHaveLength(1);
  expect(await marks()).toEqual(before);
});

it("GH-12: what a run cost cannot be told: it goes on without the courtesy", async () => {
  const phase = await begin({ spentUsd: () => Promise.reject(new Error("the database is away")) });
  await phase.at(30, thinks);
  expect(await phase.told()).toEqual([]);
});

it("GH-12: somebody else has the run by now: it goes on without the courtesy", async () => {
  const phase = await begin();
  elapsed = 40_000;
  await claim();
  await phase.at(41, thinks);
  expect(await phase.told()).toEqual([]);
});

it("GH-12: nothing is said of a run that is being stopped", async () => {
  const phase = await begin({ stopped: AbortSignal.abort() });
  await phase.at(30, thinks);
  expect(await phase.told()).toEqual([]);
});
