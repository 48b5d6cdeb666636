import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChaosWorld, createChaosWorld } from "./chaos-world.ts";
import { openPull } from "./stories.ts";

const LIMIT_MS = 300_000;

let world: ChaosWorld;
beforeAll(async () => {
  world = await createChaosWorld({ variables: { FORGE_HANG_SECONDS: "8" } });
  await world.age(120_000);
  await world.start();
  await world.settled();
}, LIMIT_MS);
afterAll(() => world.end());

/** The line that the watchdog wrote before it ended the process. */
function lastWords(): { readonly jobs: readonly object[]; readonly at: readonly string[] } {
  const line = world.forge
    .output()
    .split("\n")
    .find((text) => text.includes("forge hangs"));
  if (line === undefined) throw new Error(`no word of a hang:\n${world.forge.output()}`);
  return JSON.parse(line);
}

it(
  "OPS-7, PIPE-7: a review that hangs ends the process, which names it; the next one takes it up; after the second hang it is set aside",
  async () => {
    await world.forge.order({ hangAt: { name: "after commit: events phase.entered", occurrence: 1 } });
    const pull = await openPull.tell(world);
    expect(await world.forge.ended).toBe(70);
    const job = { job: expect.any(String), kind: "review", subject: `pull_request ${pull.repository}#${pull.number}` };
    expect(lastWords().jobs).toContainEqual(expect.objectContaining({ ...job, attempt: 1 }));
    expect(lastWords().at[0]).toMatch(/^hangForTheTest /);

    world.launch({ order: { hangAt: { name: "after commit: events run.resumed", occurrence: 1 } } });
    expect(await world.forge.ended).toBe(70);
    expect(lastWords().jobs).toContainEqual(expect.objectContaining({ ...job, attempt: 2 }));

    await world.start();
    await world.settled();
    expect(world.github.pullRequest(pull.repository, pull.number).checkRuns[0]).toMatchObject({
      conclusion: "action_required",
      title: "Not reviewed: Forge ended twice while at work on this: set aside",
    });
  },
  LIMIT_MS,
);
