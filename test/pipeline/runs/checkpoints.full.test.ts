import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkpointOf, readLoopState } from "../../../src/agents/loop/checkpoint.ts";
import { type LoopState, newLoopState } from "../../../src/agents/loop/loop-state.ts";
import { runCheckpoints } from "../../../src/cli/checkpoints.ts";
import type { Answer } from "../../../src/domain/answers.ts";
import { createIdMaker } from "../../../src/domain/ids.ts";
import type { IssueCommandGiven } from "../../../src/domain/inputs.ts";
import type { Refusal } from "../../../src/domain/refusals.ts";
import { listCheckpoints } from "../../../src/pipeline/checkpoints/list-checkpoints.ts";
import { readRestorePoint } from "../../../src/pipeline/checkpoints/read-restore-point.ts";
import { compareCheckpoints } from "../../../src/pipeline/checkpoints/run-checkpoint.ts";
import { validateCheckpoints } from "../../../src/pipeline/checkpoints/validate-checkpoints.ts";
import { replayImplementation } from "../../../src/pipeline/implement/evolve.ts";
import { handleInput } from "../../../src/pipeline/runs/handle-input.ts";
import { nextEffects } from "../../../src/store/effects/read-effects.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { recordStep } from "../../../src/store/events/steps.ts";
import { closeStore, openStore } from "../../../src/store/open-store.ts";
import { findRunsBeginning } from "../../../src/store/runs/overview.ts";
import type { Store } from "../../../src/store/store.ts";
import { putToWait } from "../../e2e/waiting-runs.ts";

const makeId = createIdMaker();
const AT = "2026-11-20T10:00:00.000Z";
const LATER = "2026-11-20T11:00:00.000Z";
const ana = { login: "ana", id: 1, kind: "user" } as const;
const repository = { id: 11, owner: "acme", name: "shop", installationId: 5 };

let commented = 0;
let folder: string;
let store: Store;
/** Waits for an answer about its plan, for an answer to a question, and for people to merge. */
let runs: readonly [string, string, string];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "forge-checkpoints-"));
  store = await openStore({ url: `file:${join(folder, "forge.db")}` });
  const [plan, question, people] = await putToWait(store, { repository, firstIssue: 1, count: 3, at: AT });
  runs = [plan!, question!, people!];
});
afterEach(async () => {
  await closeStore(store);
  rmSync(folder, { recursive: true });
});

const IDENTITY = { id: "agent:implementer:1", type: "implementer", name: "implementer", promptVersion: "1" } as const;

/** Records steps of an agent, each with a note more and 10 cents spent. */
async function recordSteps(runId: string, count: number, to: (state: LoopState) => object = (state) => state) {
  let before: LoopState | undefined;
  for (let sequence = 1; sequence <= count; sequence += 1) {
    const fresh = newLoopState({ layers: [], tools: [] } as never, IDENTITY, 0);
    const after: LoopState = { ...fresh, recorded: sequence, notes: Array.from({ length: sequence }, () => "a note") };
    const checkpoint = to(checkpointOf(before, after) as never);
    const stopped = { gate: "G-9" as const };
    await recordStep(store, {
      ...{ traceId: runId, agent: "implementer/1", sequence, checkpoint, at: LATER, makeId, source: "agents" },
      events: [
        { type: "gate.voided", payload: stopped, phase: "implementation", cost: { usd: 0.1, tokens: 500 } } as never,
      ],
    });
    before = after;
  }
}

it("PIPE-6: lists every transition, gate and step with phase, outputs, cost, bounces, version and whether it can be restored", async () => {
  const [, , runId] = runs;
  await recordSteps(runId, 2);
  const listed = await listCheckpoints(store, runId);
  const said = listed.map(({ id, phase = "", reason }) => `${id} ${phase} ${reason}`);
  expect(said.slice(0, 5)).toEqual([
    "v1  run.started",
    "v3 planning phase.entered",
    "v5 planning phase.completed",
    "v7 implementation phase.entered",
    "v9 implementation phase.completed",
  ]);
  const steps = listed.filter(({ agent }) => agent === "implementer/1");
  expect(steps.map(({ id, schemaVersion }) => [id, schemaVersion])).toEqual([
    ["implementer/1#1", 1],
    ["implementer/1#2", 1],
  ]);
  const [first, last] = steps;
  expect(first?.notRestorable).toContain("files of that moment are gone");
  expect(last).toMatchObject({ tokens: 1000, outputs: { pull: { number: 1_000_003, ready: true } } });
  expect(last?.costUsd).toBeCloseTo(0.2);
  expect(last?.costByPhase.implementation).toBeCloseTo(0.2);
  expect(listed.find(({ id }) => id === "v1")?.notRestorable).toBe("no phase had begun");
  expect(listed.find(({ id }) => id === "v3")?.notRestorable).toBeUndefined();
  expect(listed.find(({ id }) => id === "v7")?.notRestorable).toContain("not the present ones");
});

it("PIPE-6: compares two: phases, keys added, removed and changed, cost", async () => {
  const [runId] = runs;
  const listed = await listCheckpoints(store, runId);
  const entered = listed.find(({ reason }) => reason === "phase.entered")!;
  const asked = listed.find(({ reason }) => reason === "gate.requested")!;
  expect(compareCheckpoints(entered, asked)).toEqual({
    ...{ phasesEntered: [], phasesCompleted: ["planning"], keysAdded: ["plan", "gates"], keysRemoved: [] },
    ...{ keysChanged: [], costUsd: 0, tokens: 0 },
  });
  expect(compareCheckpoints(asked, { ...entered, outputs: { base: "other" } })).toMatchObject({
    ...{ phasesCompleted: [], keysRemoved: ["configuration", "plan", "gates"], keysChanged: ["base"] },
  });
});

it("PIPE-6: finds a log that was changed, a step that is missing, and a state that it cannot read", async () => {
  const [plan, question, people] = runs;
  await recordSteps(people, 3);
  expect(await validateCheckpoints(store, people)).toEqual([]);
  await recordSteps(plan, 1, (step) => ({
    ...step,
    core: { ...(step as never as { core: object }).core, version: 7 },
  }));
  expect(await validateCheckpoints(store, plan)).toEqual([
    {
      where: "implementer/1",
      what: "The checkpoint of an agent has version 7, and this Forge reads version 1. It was written by a newer Forge.",
    },
  ]);
  const client = createClient({ url: store.url });
  await client.execute({ sql: "delete from checkpoints where trace_id = ? and sequence = 2", args: [people] });
  await client.execute({ sql: "update events set at = ? where trace_id = ? and version = 2", args: [LATER, question] });
  client.close();
  expect(await validateCheckpoints(store, people)).toEqual([{ where: "implementer/1", what: "Step 2 is missing." }]);
  expect(await validateCheckpoints(store, question)).toEqual([
    { where: "log", what: "Event 2 is not as it was written." },
  ]);
});

it("PIPE-6: brings an older state to the present version, step by step, and refuses what it does not know", () => {
  const state = newLoopState({ layers: [], tools: [] } as never, IDENTITY, 0);
  const { notes, ...older } = state;
  const migrations = { 0: (old: object) => ({ ...old, notes: ["from before"] }) };
  expect(readLoopState({ ...older, version: 0 }, migrations)).toEqual({ ...state, notes: ["from before"] });
  expect(notes).toEqual([]);
  expect(() => readLoopState({ ...older, version: 0 })).toThrow("has version 0, and this Forge reads version 1");
  expect(() => readLoopState({ ...older, version: undefined })).toThrow("names no version");
});

/** `/forge retry v<version>` on the issue of a run, by ana; what was answered or refused. */
async function goBack(runId: string, version: number): Promise<Answer | Refusal | undefined> {
  const subject = (await findRunsBeginning(store, runId))[0]!.subject;
  commented += 1;
  const input: IssueCommandGiven = {
    ...{ type: "command.given", subject, at: LATER, newRunId: makeId(), index: 0, by: ana, role: "write" },
    ...{ source: { kind: "issue_comment", id: String(commented) }, alone: true, plain: false, issue: { open: true } },
    parsed: { command: { name: "retry", checkpoint: version } },
    restore: await readRestorePoint(store, subject, version),
  };
  await handleInput({ store, makeId }, input);
  const said = (await nextEffects(store, subject)).findLast(({ kind }) => kind === "comment.reply");
  const answer = said?.kind === "comment.reply" ? said.payload.answer : undefined;
  return answer?.kind === "refused" ? answer.refusal : answer;
}

it("PIPE-6: takes a run back by new events only, says what stays, and voids what was asked meanwhile", async () => {
  const [runId] = runs;
  const before = await readEvents(store, runId);
  expect(await goBack(runId, 3)).toEqual({
    ...{ kind: "restored", version: 3, phase: "planning" },
    lasting: ["$0.10 spent since stays spent", "comments and checks on GitHub stay as they are"],
  });
  const after = await readEvents(store, runId);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length).map(({ type }) => type)).toEqual([
    "gate.voided",
    "checkpoint.restored",
    "run.resumed",
    "phase.entered",
  ]);
  expect(replayImplementation(after)).toMatchObject({ status: "running", phase: "planning" });
  expect(await goBack(runId, 3)).toEqual({ reason: "at_work" });
});

it("PIPE-6: goes back to testing of the present commit with its plan, and not to other commits", async () => {
  const [, , runId] = runs;
  const events = await readEvents(store, runId);
  const entered = (phase: string) =>
    events.find(({ type, payload }) => type === "phase.entered" && "phase" in payload && payload.phase === phase)!
      .version;
  expect(await goBack(runId, entered("implementation"))).toMatchObject({
    reason: "not_restorable",
    why: "the commits of that moment are not the present ones, and only the last files are kept",
  });
  expect(await goBack(runId, 999)).toEqual({
    ...{ reason: "not_restorable", version: 999, why: "the run has no checkpoint v999" },
  });
  expect(await goBack(runId, entered("testing"))).toMatchObject({ kind: "restored", phase: "testing" });
  const run = replayImplementation(await readEvents(store, runId));
  expect(run).toMatchObject({ phase: "testing", status: "running", plan: { revision: 1, accepted: true } });
});

it("PIPE-6: the command line lists, compares and validates", async () => {
  const [runId] = runs;
  let text = "";
  const dependencies = {
    find: (prefix: string) => findRunsBeginning(store, prefix),
    latest: async () => [],
    list: (id: string) => listCheckpoints(store, id),
    validate: (id: string) => validateCheckpoints(store, id),
  };
  const run = (...args: string[]) => {
    text = "";
    return runCheckpoints(args, dependencies, { write: (said) => (text += said) });
  };
  expect(await run(runId)).toBe(0);
  expect(text.split("\n")[1]).toMatch(
    /^v3 +10:00:00\.000Z planning +phase\.entered; \$0\.0000; 0 tokens; back to it: \/forge retry v3$/,
  );
  expect(await run(runId, "--compare", "v3", "v5")).toBe(0);
  expect(text).toBe("phases completed: planning\nadded: plan\ncost: +$0.0000, +0 tokens\n");
  expect(await run(runId, "--validate")).toBe(0);
  expect(text).toBe("everything can be read\n");
  await expect(run(runId, "--compare", "v3", "v99")).rejects.toThrow("no checkpoint v99");
});
