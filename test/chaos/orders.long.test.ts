import { afterEach, beforeEach, expect, it } from "vitest";
import { type ChaosWorld, createChaosWorld, type OpenedPull } from "./chaos-world.ts";
import { type RunningForge, runHere } from "./running-forge.ts";
import { sendDelivery } from "./send-delivery.ts";
import { openLargerPull, openPull } from "./stories.ts";
import { type Outcome, outcomeOf, violations } from "./violations.ts";

const ORDERS = [
  ["opened", "synchronize", "closed"],
  ["opened", "closed", "synchronize"],
  ["synchronize", "opened", "closed"],
  ["synchronize", "closed", "opened"],
  ["closed", "opened", "synchronize"],
  ["closed", "synchronize", "opened"],
] as const;
const OPEN_ORDERS = [
  ["opened", "synchronize"],
  ["synchronize", "opened"],
] as const;
type Action = (typeof ORDERS)[number][number];

let world: ChaosWorld;
let running: RunningForge;
beforeEach(async () => {
  world = await createChaosWorld({ organisations: ORDERS.length });
  running = await runHere(world);
});
afterEach(async () => {
  await running.forge.stop();
  await world.end();
});

/** A pull request is opened, pushed to and closed while its webhooks are kept back. */
async function keepBack(close: boolean) {
  const kept = world.github.faults.add({ kind: "drop", match: { event: "pull_request" } });
  const pull = await openPull.tell(world);
  const { repository, branch, number } = pull;
  const files = { "src/late.ts": "export function late(): void {\n  debugger;\n}\n" };
  await world.github.commit(repository, branch, { files, message: "More", author: "ana" });
  if (close) await world.github.closePullRequest(repository, number, "ana");
  await world.github.idle();
  kept.remove();
  const deliveries = world.github.deliveries.filter(
    ({ event, payload }) =>
      event === "pull_request" &&
      (payload.repository as { full_name: string }).full_name === repository &&
      payload.number === number,
  );
  return { pull, deliveryOf: (action: Action) => deliveries.find((delivery) => delivery.action === action)! };
}

/** Nothing hangs and nothing is there twice on a pull request that was closed meanwhile. */
function closedFaults({ repository, number }: OpenedPull): string[] {
  const { allCheckRuns, reviews, reviewComments, pendingReviews } = world.github.pullRequest(repository, number);
  const places = reviewComments.map(({ path, line }) => `${path}:${line}`);
  return [
    ...allCheckRuns.filter(({ status }) => status !== "completed").map(({ status }) => `a check is ${status}`),
    ...places.filter((place, index) => places.indexOf(place) !== index).map((place) => `twice: ${place}`),
    ...(reviews.length > 2 || pendingReviews.length > 0 ? ["too many reviews"] : []),
  ];
}

async function undisturbed(): Promise<Outcome> {
  const pull = await openLargerPull.tell(world);
  await running.settled();
  return outcomeOf(world, pull);
}

it.each([
  { pace: "at once", orders: ORDERS },
  { pace: "with pauses", orders: ORDERS.filter((order) => order[2] !== "closed").slice(0, 2) },
])(
  "GH-2, GH-7: opened, synchronize and closed in all orders leave nothing hanging, $pace",
  async ({ pace, orders }) => {
    for (const order of orders) {
      const { pull, deliveryOf } = await keepBack(true);
      for (const action of order) {
        expect(await sendDelivery(world, deliveryOf(action))).toBe(202);
        if (pace === "with pauses") await running.settled();
      }
      await running.settled();
      expect({ order, faults: closedFaults(pull) }).toEqual({ order, faults: [] });
    }
  },
);

it("SEC-7, GH-3: each delivery three times at the same time, in both orders: the last head is reviewed once", async () => {
  const expected = await undisturbed();
  for (const order of OPEN_ORDERS) {
    const { pull, deliveryOf } = await keepBack(false);
    const thrice = order.flatMap((action) => [deliveryOf(action), deliveryOf(action), deliveryOf(action)]);
    const answers = await Promise.all(thrice.map((delivery) => sendDelivery(world, delivery)));
    expect(answers.every((status) => status === 202 || status === 200)).toBe(true);
    await running.settled();
    expect({ order, faults: await violations(world, pull, expected, { pushed: true }) }).toEqual({ order, faults: [] });
  }
});

it("GH-2, GH-3: deliveries that come late, twice and out of order lead to the same review", async () => {
  const expected = await undisturbed();
  for (const kind of ["duplicate", "reorder"] as const) {
    world.github.faults.add({ kind, match: { event: "pull_request" }, times: 2 });
    const pull = await openPull.tell(world);
    const files = { "src/late.ts": "export function late(): void {\n  debugger;\n}\n" };
    await world.github.commit(pull.repository, pull.branch, { files, message: "More", author: "ana" });
    await running.settled();
    expect({ kind, faults: await violations(world, pull, expected, { pushed: true }) }).toEqual({ kind, faults: [] });
  }
});
