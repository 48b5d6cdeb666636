import { expect, it } from "vitest";
import { endEach } from "./end-world.ts";
import { followToMerge, learnt, TOKEN } from "./merged-findings.ts";
import { openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
endEach(() => world);
/** A line to take away, and one to write otherwise: both with a suggestion. */
const LOUD = `export function isLoud(text: string): boolean {
  debugger;
  return text.toUpperCase() === "loud";
}
`;

it("HUM-4: findings are followed to a squash: one fixed, one dismissed, one ignored, and nothing twice", async () => {
  world = await createWorld({ environment: { FORGE_METRICS_TOKEN: TOKEN } });
  await followToMerge(world, "squash");
});

it("HUM-4: a suggestion is followed by its text: taken by hand, or something else in its place, which is kept", async () => {
  world = await createWorld();
  const { github } = world;
  const { number } = await openPull(world, { "loud.ts": LOUD }, { branch: "loud" });
  await world.settled();
  const idOf = (rule: string) =>
    /F-[0-9A-Z]{4,8}/.exec(
      github.pullRequest("acme/shop", number).reviewComments.find(({ body }) => body.includes(rule))!.body,
    )![0];
  const ids = { line: idOf("noDebugger"), loud: idOf("noStringCaseMismatch") };
  const text = LOUD.replace("  debugger;\n", "").replace("text.toUpperCase() ===", "text.toLowerCase() ===");
  await github.commit("acme/shop", "loud", {
    files: { "loud.ts": `// Loud.\n${text}` },
    message: "Mend",
    author: "ana",
  });
  await github.mergePullRequest("acme/shop", number, "ana", "squash");
  await world.settled();
  const events = await learnt(world, number);
  expect(events.filter(({ type }) => type === "feedback.suggestion_applied")).toMatchObject([
    { payload: { findingId: ids.line, layer: "static" } },
  ]);
  expect(events.filter(({ type }) => type === "feedback.suggestion_rewritten")).toMatchObject([
    { payload: { findingId: ids.loud, file: "loud.ts", taken: '  return text.toLowerCase() === "loud";' } },
  ]);
  const outcomes = events.flatMap(({ type, payload }) =>
    type === "feedback.outcome" && "outcome" in payload ? [payload.outcome] : [],
  );
  expect(outcomes).toEqual(["fixed", "fixed"]);
});
