import { beforeAll, expect, it } from "vitest";
import { shareWorld } from "./end-world.ts";
import { CLEAN, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

const CONFIGURATION = `review:
  high_risk: say
  protected_paths: [infra/**]
  path_weights:
    "billing/**": 20
    "docs/**": 0
  max_rounds: 1
`;

let world: World;
shareWorld(
  () => createWorld({ files: { ".github/forge.yml": CONFIGURATION } }),
  (made) => {
    world = made;
  },
);
beforeAll(async () => {
  await world.settled();
});

function checkOf(number: number, of = "forge/review") {
  return world.github.pullRequest("acme/shop", number).checkRuns.find(({ name }) => name === of);
}

async function reviewed(branch: string, files: Record<string, string>) {
  const { number } = await openPull(world, files, { branch });
  await world.settled();
  const check = checkOf(number);
  return { number, conclusion: check?.conclusion, summary: check?.summary ?? "" };
}

it("RISK-1, REV-3a, TEST-1, GH-10a: a protected path is at least a high risk, holds up nothing that is clean, and says of missing tests only when asked", async () => {
  const { number, conclusion, summary } = await reviewed("protected", { "infra/total.ts": CLEAN });
  expect(conclusion).toBe("success");
  expect(summary).toMatch(/\*\*Risk\*\* \d+, raised to high \(a protected path\).* A person should look at this/);
  expect(summary).toContain("- at least high: a protected path: `infra/total.ts`");
  for (const fact of [
    /- size \d+ of 20: lines added 3, lines deleted 0/,
    /- complexity \d+ of 20: files 1, directories 1, entropy .* bits/,
    /- criticality \d+ of 20: .*commits on these files in 12 months/,
    /- tests \d+ of 20: coverage not known/,
    /- experience \d+ of 20: earlier commits by the same author/,
  ]) {
    expect(summary).toMatch(fact);
  }

  expect(checkOf(number, "forge/tests")).toBeUndefined();
  world.github.comment("acme/shop", number, { by: "ben", body: "/forge test" });
  await world.settled();
  const check = { conclusion: "neutral", title: expect.stringMatching(/^Not tested: /) };
  expect(checkOf(number, "forge/tests")).toMatchObject(check);
});

it("RISK-1: a path's weight is its criticality in points, and is named", async () => {
  const heavy = await reviewed("heavy", { "billing/total.ts": CLEAN });
  expect(heavy.summary).toContain("criticality 20 (`billing/**`)");
  expect(heavy.summary).not.toContain("A person should look");
  const light = await reviewed("light", { "docs/total.ts": CLEAN });
  expect(light.summary).toMatch(/criticality [0-3] \(`docs/);
});

it("GH-3b: comments stop after as many rounds as the repository wants", async () => {
  const fault = (n: number) =>
    `export function f${n}(): number {\n  const limit = 3;\n  limit = ${n};\n  return limit;\n}\n`;
  const { number, summary } = await reviewed("rounds", { "src/a.ts": fault(1) });
  expect(summary).toContain("There were enough reviews with comments here");
  const commit = { files: { "src/b.ts": fault(2) }, message: "More", author: "ana" };
  await world.github.commit("acme/shop", "rounds", commit);
  await world.settled();
  expect(world.github.pullRequest("acme/shop", number).reviews.map(({ comments }) => comments.length)).toEqual([1]);
});

it("REV-2, GH-14, GH-14b: by default a high risk waits for an approving review by another user who may push", async () => {
  const { github } = world;
  const ask = CONFIGURATION.replace("high_risk: say", "tests: never");
  await github.commit("acme/shop", "main", { files: { ".github/forge.yml": ask }, message: "Ask", author: "ana" });
  github.createAccount("cleo");
  github.setRole("acme/shop", "cleo", "write");
  github.createAccount("reader");
  github.setRole("acme/shop", "reader", "read");
  const { number, conclusion, summary } = await reviewed("asked", { "infra/asked.ts": CLEAN });
  expect(conclusion).toBe("action_required");
  expect(summary).toMatch(/^\*\*Waiting for an approving review: the risk is high\.\*\*/);
  const judged = async (by: string, event: "APPROVE" | "REQUEST_CHANGES") => {
    await github.submitReview("acme/shop", number, { by, event, body: "Looked at it." });
    await world.settled();
    return checkOf(number)?.conclusion;
  };
  expect(await judged("reader", "APPROVE")).toBe("action_required");
  expect(await judged("cleo", "APPROVE")).toBe("success");
  expect(checkOf(number)?.summary).toContain("Approved by `cleo`.");
  expect(await judged("cleo", "REQUEST_CHANGES")).toBe("action_required");
  expect(checkOf(number)?.title).toBe("`cleo` asks for changes, and the risk is high");
  // Of the head that it was given to, and no other.
  expect(await judged("cleo", "APPROVE")).toBe("success");
  await github.commit("acme/shop", "asked", { files: { "infra/more.ts": CLEAN }, message: "More", author: "ana" });
  await world.settled();
  expect(checkOf(number)?.conclusion).toBe("action_required");
});
