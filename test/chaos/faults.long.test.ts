import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type ChaosWorld, createChaosWorld, type OpenedPull } from "./chaos-world.ts";
import { type RunningForge, runHere } from "./running-forge.ts";
import { openPull } from "./stories.ts";
import { type Outcome, outcomeOf, violations } from "./violations.ts";

/** One change of a check-run: where its opening is late, the verdict is there first and nothing says any more that a review has begun. */
const WRITES = [
  { method: "POST", path: "check-runs$" },
  { method: "PATCH", path: "check-runs/\\d+$" },
  { method: "POST", path: "pulls/\\d+/reviews$" },
] as const;
const FAULTS = [
  { kind: "lostResponse" },
  { kind: "status", status: 502 },
  { kind: "hang" },
  { kind: "rateLimit", status: 403 },
  { kind: "rateLimit", status: 429, retryAfter: 30 },
] as const;
/** One organisation for each kind of fault, and one for a review that nothing happens to. */
const ORGANISATIONS = FAULTS.length + 1;
/** Forge gives a request 30 seconds; here one that hangs is given up sooner. */
const PATIENCE_MS = 3_000;

let world: ChaosWorld;
let running: RunningForge;
let outcome: Outcome;
beforeEach(async () => {
  const patient = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => patient(Math.min(ms, PATIENCE_MS)));
  world = await createChaosWorld({ organisations: ORGANISATIONS });
  running = await runHere(world);
  const pull = await openPull.tell(world);
  await running.settled();
  outcome = outcomeOf(world, pull);
  expect(outcome.comments).toHaveLength(4);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await running.forge.stop();
  await world.end();
});

it("GH-13: whatever goes wrong with a write (answer lost, 502, no answer, limits with and without a time), it is there once in the end", async () => {
  const cases: { name: string; pull: OpenedPull; planned: { readonly hits: number }[] }[] = [];
  for (const [index, fault] of FAULTS.entries()) {
    const planned = WRITES.map(({ method, path }) => {
      const match = { method, path: new RegExp(`^/repos/acme-${index + 1}/shop/${path}`) };
      return world.github.faults.add({ match, times: 1, ...fault });
    });
    cases.push({ name: JSON.stringify(fault), pull: await openPull.tell(world), planned });
  }
  await running.settled(60_000);
  const wrong: Record<string, string[]> = {};
  for (const { name, pull, planned } of cases) {
    const found = await violations(world, pull, outcome);
    if (planned.some(({ hits }) => hits !== 1)) found.push(`faults struck ${planned.map(({ hits }) => hits)} times`);
    if (found.length > 0) wrong[name] = found;
  }
  expect(wrong).toEqual({});
}, 300_000);

it("GH-10, GH-13: every write lost its answer, then every second one failed: still one of each", async () => {
  const match = { path: /^\/repos\/acme-(1|2)\/shop\/(check-runs|pulls)/ };
  for (const method of ["POST", "PATCH"]) {
    world.github.faults.add({ kind: "lostResponse", match: { ...match, method }, times: 5 });
    world.github.faults.add({ kind: "status", status: 500, match: { ...match, method }, times: 3 });
  }
  const pulls = [await openPull.tell(world), await openPull.tell(world)];
  await running.settled(60_000);
  for (const pull of pulls) expect(await violations(world, pull, outcome)).toEqual([]);
}, 300_000);
