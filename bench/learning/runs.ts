import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import { startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { createWorld, type World } from "../../test/e2e/world.ts";
import type { Result } from "../report.ts";
import { brokenIn, type Convention, drawHouse, mindIn, OTHER_LESSONS } from "./house.ts";
import { seeded } from "./seeded.ts";
import { SHOP } from "./shop.ts";

const TEAMS = 3;
const NOUNS = "refunds vouchers baskets parcels returns wishes ratings stocks prices offers".split(" ");
/** How often people see something that is not as it should be. */
const NOTICED = 0.9;
/** Reviews of one pull request by people at most. */
const MOST_ROUNDS = 3;

interface Run {
  readonly costUsd: number;
  readonly bounces: number;
  /** Conventions that are not kept in what was merged. */
  readonly merged: number;
  readonly memory: "with" | "without";
}

/**
 * Ten issues of a kind, one after the other, by teams that tell Forge in a review what is done otherwise here, and have it remembered; beside the
 * same teams, whose repository has memory switched off. The whole program, on the simulated GitHub.
 */
export async function measureRuns(seed: number): Promise<Result[]> {
  const arms: { readonly on: Run[]; readonly off: Run[] }[] = [];
  for (let team = 0; team < TEAMS; team += 1) {
    const [on, off] = await Promise.all([true, false].map((enabled) => followTeam(seed * 1_000 + team, enabled)));
    arms.push({ on: on!, off: off! });
  }
  const at = (run: number, of: (run: Run) => number) => ({
    value: mean(arms.map(({ on }) => of(on[run]!))),
    baseline: mean(arms.map(({ off }) => of(off[run]!))),
  });
  const rows = NOUNS.flatMap((_, run): Result[] => {
    const heldOut = arms.filter(({ on }) => on[run]!.memory === "without").length;
    const name = `run ${run + 1}${heldOut > 0 ? `, ${heldOut} of ${TEAMS} held out` : ""}`;
    return [
      { name: `${name}: cost`, ...at(run, ({ costUsd }) => 100 * costUsd), unit: "cents" },
      { name: `${name}: bounces`, ...at(run, ({ bounces }) => bounces), unit: "" },
    ];
  });
  const [first, last] = [0, NOUNS.length - 1].map((run) => ({
    cost: at(run, ({ costUsd }) => costUsd).value,
    bounces: at(run, ({ bounces }) => bounces).value,
  })) as [{ cost: number; bounces: number }, { cost: number; bounces: number }];
  const all = (arm: "on" | "off", of: (run: Run) => number) => mean(arms.flatMap((each) => each[arm].map(of)));
  return [
    ...rows,
    {
      ...{ name: "run 10, of what run 1 cost", value: (100 * last.cost) / first.cost, unit: "%" },
      ...{ goal: "under 100", met: last.cost < first.cost },
    },
    {
      ...{ name: "run 10, fewer bounces than run 1", value: first.bounces - last.bounces, unit: "" },
      ...{ goal: "above 0", met: last.bounces < first.bounces },
    },
    {
      ...{ name: `conventions broken in what was merged, a run (${TEAMS * NOUNS.length} runs)`, unit: "" },
      ...{ value: all("on", ({ merged }) => merged), baseline: all("off", ({ merged }) => merged) },
    },
  ];
}

async function followTeam(seed: number, enabled: boolean): Promise<Run[]> {
  const random = seeded(seed);
  const house = drawHouse(random);
  const model = await startScriptedModel(mindIn(house));
  const configuration = `review:\n  ai: never\nmemory:\n  enabled: ${enabled}\n`;
  const world = await createWorld({
    files: { ".github/forge.yml": configuration, "src/handlers/none.js": "export function handle() {}\n" },
    environment: model.environment,
  });
  try {
    // Which issues are worked on without memory is drawn by their number: other teams begin with another one.
    const talk = world.github.openIssue(SHOP, { title: "How we work", by: "ana" }).number;
    for (let other = 0; other < seed % 7; other += 1) world.github.openIssue(SHOP, { title: "Other", by: "ana" });
    for (const lesson of OTHER_LESSONS)
      world.github.comment(SHOP, talk, { by: "ben", body: `/forge remember ${lesson}` });
    await world.settled();
    const runs: Run[] = [];
    for (const noun of NOUNS) runs.push(await work(world, noun, house, random));
    await world.expectGoodManners();
    return runs;
  } finally {
    await world.end();
    await model.stop();
  }
}

/** One issue, from its label to the merge: people review until they see nothing that is done otherwise here. */
async function work(world: World, noun: string, house: readonly Convention[], random: () => number): Promise<Run> {
  const { github } = world;
  const issue = github.openIssue(SHOP, {
    title: `Add a handler for ${noun}`,
    body: `For the app: ${noun}.`,
    by: "ana",
  });
  await github.addLabel(SHOP, issue.number, "forge:implement", "ana");
  await world.settled();
  const number = issue.number + 1;
  const path = `src/handlers/${noun}.js`;
  const broken = async () => brokenIn(house, await fileAt(world, github.pullRequest(SHOP, number).headSha, path));
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const noticed = (await broken()).filter(() => random() < NOTICED);
    if (noticed.length === 0) break;
    const comments = noticed.map(({ sentence, line }) => ({ path, line, body: sentence }));
    await github.submitReview(SHOP, number, { by: "ben", event: "REQUEST_CHANGES", comments });
    await world.settled();
    for (const { sentence } of noticed) {
      github.comment(SHOP, issue.number, { by: "ben", body: `/forge remember ${sentence}` });
    }
    await world.settled();
  }
  const merged = (await broken()).length;
  await github.mergePullRequest(SHOP, number, "ana", "squash");
  await world.settled();
  return { ...(await countsOf(world, issue.number)), merged };
}

async function countsOf({ forge }: World, issue: number): Promise<Omit<Run, "merged">> {
  const { store } = forge!;
  const rows = await store.read.all<{ traceId: string }>(
    sql`select trace_id as traceId from runs where json_extract(subject, '$.kind') = 'issue' and json_extract(subject, '$.number') = ${issue}`,
  );
  const events = (await Promise.all(rows.map(({ traceId }) => readEvents(store, traceId)))).flat();
  const isWithout = events.some(
    ({ type, payload }) => type === "run.started" && "memory" in payload && payload.memory === "without",
  );
  return {
    costUsd: events.reduce((sum, event) => sum + (event.type === "agent.completed" ? event.payload.costUsd : 0), 0),
    bounces: events.filter(({ type }) => type === "phase.bounced").length,
    memory: isWithout ? "without" : "with",
  };
}

async function fileAt({ github }: World, sha: string, path: string): Promise<string> {
  const git = ["--git-dir", github.gitDirectory(SHOP), "show", `${sha}:${path}`];
  return (await promisify(execFile)("git", git)).stdout;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
