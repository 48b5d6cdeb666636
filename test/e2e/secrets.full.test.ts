import { expect, it } from "vitest";
import { fill } from "../analysis/secrets/sample-text.ts";
import { SAMPLES } from "../analysis/secrets/samples.ts";
import { endEach } from "./end-world.ts";
import { CLEAN, checks, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
endEach(() => world);

it("REV-1: a secret that a later commit takes out again stays open, named with the commit that brought it", async () => {
  world = await createWorld();
  const token = fill(SAMPLES["npm-token"]!);
  const { number } = await openPull(world, { "src/a.ts": `export const token = "${token}";\n` }, { branch: "topic" });
  await world.settled();
  expect(checks(world, number)[0]?.[0]).toMatch(/failure|action_required/);

  const files = { "src/a.ts": CLEAN };
  await world.github.commit("acme/shop", "topic", { files, message: "Take it out", author: "ana" });
  await world.settled();
  const pull = world.github.pullRequest("acme/shop", number);
  expect(checks(world, number)[0]?.[0]).toMatch(/failure|action_required/);
  expect(pull.checkRuns[0]?.summary).toMatch(
    /Commit [0-9a-f]{7} adds an npm token; the head does not hold it any more/,
  );
  // No line of this head is its line: the summary says it, and nothing is annotated.
  expect(pull.checkRuns[0]?.summary).toMatch(
    /critical \| `src\/a\.ts`: \*\*Secret in the code: npm token\*\*\. Commit /,
  );
  expect(pull.checkRuns[0]?.annotations).toEqual([]);
  const said = JSON.stringify([pull.reviews, pull.reviewComments, pull.comments, pull.allCheckRuns]);
  expect(said).not.toContain(token.slice(4, 14));
});
