import { afterAll, beforeAll, expect } from "vitest";
import { itOnServer } from "../../needs/programs.ts";
import { boxed, hasSandbox } from "../../needs/sandbox.ts";
import { libsqlServer } from "../../store/libsql-server.ts";
import { createImplementWorld, type ImplementWorld, type Place } from "./implement-world.ts";
import { outcomeOf } from "./outcome.ts";
import { retriesOf } from "./people.ts";
import { type Expected, storyFaults } from "./story-faults.ts";
import { tellStory } from "./tell-story.ts";

const LIMIT_MS = 1_500_000;

/** In the order of the story, each after the one before: whoever starts again goes on to the next. */
const DEATHS = [
  "received webhook issues",
  "after commit: events run.started, command.received",
  "after commit: events work.observed, phase.entered",
  "sandbox install begun",
  "after POST /vn/messages",
  "before commit: events plan.proposed, phase.completed, gate.requested",
  "after POST /issues/n/comments",
  "before commit: events gate.approved, plan.accepted, phase.entered, command.received",
  "after PATCH /issues/comments/n",
  "before commit: step of implementer with its files",
  "after commit: step of implementer with its files",
  "after commit: files kept",
  "after commit: events task.completed",
  "before commit: events work.completed, phase.completed",
  "git push begun",
  "after git push",
  "after POST /pulls",
  "after POST /check-runs",
  "before commit: events pull.reviewed, phase.completed, phase.bounced, phase.entered",
  "after commit: step of implementer/feedback with its files",
  "sandbox test begun",
  "after commit: events test.passed, phase.completed, pull.ready",
  "after PATCH /pulls/n",
  "after POST /api/graphql",
  "received webhook pull_request_review",
  "after commit: events pull.signalled",
  "after POST /pulls/n/comments/n/replies",
  "after PATCH /check-runs/n",
  "before commit: events run.completed",
];

/** Each costs the time after which a lease runs out. */
const DEATHS_OF_MACHINES = ["after commit: step of implementer with its files", "git push begun", "sandbox test begun"];

const onServer = hasSandbox ? itOnServer : boxed;

const worlds: ImplementWorld[] = [];
let expected: Expected;
async function begin(place: Place): Promise<ImplementWorld> {
  const world = await createImplementWorld(place, libsqlServer);
  worlds.push(world);
  return world;
}
afterAll(() => Promise.all(worlds.map((world) => world.end())));

beforeAll(async () => {
  if (!hasSandbox) return;
  const world = await begin("one process");
  const told = await tellStory(world);
  expected = { outcome: await outcomeOf(world.chaos, told.asked), calls: told.calls };
  expect(await storyFaults(world, told, expected)).toEqual([]);
}, LIMIT_MS);

/** What is wrong after the story in which processes died, and which deaths never came. */
async function faultsAfter(place: Place, deaths: readonly string[]): Promise<readonly string[]> {
  const world = await begin(place);
  const told = await tellStory(
    world,
    deaths.map((name) => ({ name, occurrence: 1 })),
  );
  const missed = told.missed.map((point) => `never reached: ${point}`);
  return [...(await storyFaults(world, told, expected)), ...missed];
}

boxed.concurrent(
  "PIPE-6, PIPE-7, GH-12, GH-13: killed again and again from the label to the merge, Forge ends with one branch, one pull request, one plan, one status, and pays nothing twice",
  async () => {
    expect(await faultsAfter("one process", DEATHS)).toEqual([]);
  },
  LIMIT_MS,
);

boxed.concurrent(
  "PIPE-7: work at which the process died twice at the same mark is not taken up a third time, says so on the issue, and goes on when somebody asks",
  async () => {
    const world = await begin("one process");
    const claimed = { name: "after commit: claimed implement", occurrence: 1 };
    const told = await tellStory(world, [claimed, claimed]);
    expect(told.missed).toEqual([]);
    expect(retriesOf(world.chaos.github, told.asked)).toBe(1);
    expect(await storyFaults(world, told, expected)).toEqual([]);
  },
  LIMIT_MS,
);

onServer.concurrent(
  "PIPE-6, PIPE-7: where a machine dies the other one goes on with the working tree out of the database, and both together do nothing twice",
  async () => {
    expect(await faultsAfter("two machines", DEATHS_OF_MACHINES)).toEqual([]);
  },
  LIMIT_MS,
);
