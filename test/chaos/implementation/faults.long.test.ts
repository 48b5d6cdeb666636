import { afterEach, beforeAll, expect } from "vitest";
import { boxed, hasSandbox } from "../../needs/sandbox.ts";
import { type RunningForge, runHere } from "../running-forge.ts";
import { createImplementWorld, type ImplementWorld } from "./implement-world.ts";
import { outcomeOf } from "./outcome.ts";
import { type Asked, actAsPeople, writeIssue } from "./people.ts";
import { type Expected, storyFaults } from "./story-faults.ts";

const LIMIT_MS = 300_000;
/** The gate of a plan waits for days. */
const PATIENCE_MS = 5 * 60_000;

/** Every kind of write to GitHub that an implementation makes, and how often its answer is lost. */
const WRITES = [
  { match: { method: "POST", path: /\/issues\/\d+\/comments$/ }, times: 2 },
  { match: { method: "PATCH", path: /\/issues\/comments\/\d+$/ }, times: 2 },
  { match: { method: "POST", path: /\/issues\/comments\/\d+\/reactions$/ }, times: 1 },
  { match: { operation: "git:push" }, times: 2 },
  { match: { method: "POST", path: /\/pulls$/ }, times: 1 },
  { match: { method: "POST", path: /\/check-runs$/ }, times: 2 },
  { match: { method: "PATCH", path: /\/check-runs\/\d+$/ }, times: 2 },
  { match: { method: "PATCH", path: /\/pulls\/\d+$/ }, times: 1 },
  { match: { operation: "graphql:markPullRequestReadyForReview" }, times: 1 },
  { match: { method: "POST", path: /\/pulls\/\d+\/comments\/\d+\/replies$/ }, times: 1 },
] as const;

let world: ImplementWorld | undefined;
let running: RunningForge | undefined;
async function begin(): Promise<ImplementWorld> {
  world = await createImplementWorld("one process");
  running = await runHere(world.chaos, PATIENCE_MS);
  return world;
}
async function end(): Promise<void> {
  await running?.forge.stop();
  await world?.end();
  [running, world] = [undefined, undefined];
}
afterEach(end);

async function tell({ chaos: { github } }: ImplementWorld): Promise<Asked> {
  await running!.settled();
  const asked = await writeIssue(github);
  do await running!.settled(LIMIT_MS);
  while (await actAsPeople(github, asked));
  return asked;
}

function faultsOf(there: ImplementWorld, asked: Asked): Promise<readonly string[]> {
  return storyFaults(there, { asked, deaths: [], kills: 0, missed: [], calls: there.asked, points: [] }, expected);
}

let expected: Expected;
beforeAll(async () => {
  if (!hasSandbox) return;
  const there = await begin();
  const asked = await tell(there);
  expected = { outcome: await outcomeOf(there.chaos, asked), calls: [...there.asked] };
  expect(await faultsOf(there, asked)).toEqual([]);
  await end();
}, LIMIT_MS);

boxed(
  "GH-13: the answer of every kind of write is lost, and still each is there once, from the plan to the answer in a thread",
  async () => {
    const there = await begin();
    const planned = WRITES.map((write) => there.chaos.github.faults.add({ kind: "lostResponse", ...write }));
    expect(await faultsOf(there, await tell(there))).toEqual([]);
    expect(planned.map(({ hits }) => hits)).toEqual(WRITES.map(({ times }) => times));
  },
  LIMIT_MS,
);

boxed(
  "SEC-7, GH-13: every webhook comes twice, some late, and all of them again in the end: nothing is there twice",
  async () => {
    const there = await begin();
    const { github } = there.chaos;
    github.faults.add({ kind: "reorder", match: { event: "pull_request" }, times: 2 });
    const twice = github.faults.add({ kind: "duplicate" });
    const asked = await tell(there);
    twice.remove();
    for (const { id } of [...github.deliveries].reverse()) github.redeliver(id);
    await running!.settled(LIMIT_MS);
    expect(await faultsOf(there, asked)).toEqual([]);
    expect(twice.hits).toBeGreaterThan(20);
  },
  LIMIT_MS,
);
