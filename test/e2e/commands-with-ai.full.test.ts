import { expect, it } from "vitest";
import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import { until } from "../until.ts";
import { openPull } from "./pulls.ts";
import { talkIn } from "./talk.ts";
import { worldWithModel } from "./with-model.ts";

const at = worldWithModel();

const { view, say, conclusion } = talkIn(() => at.world);
const HEAD = "export function total(items) {\n  return items.length;\n}\n";
const READ: ScriptedReply = { calls: [{ name: "read_file", input: { path: "README.md" } }] };
const DONE: ScriptedReply = { calls: [{ name: "complete", input: { summary: "Counts items.", findings: [] } }] };

async function begin(script: (asked: Asked) => ScriptedReply | Promise<ScriptedReply>, safety = "") {
  const { github } = await at.begin(script, { ".github/forge.yml": `review:\n  ai: always\n${safety}` });
  github.createAccount("triage-er");
  github.setRole("acme/shop", "triage-er", "triage");
}

const title = () => view(1).checkRuns[0]?.title;

it("PIPE-8: a review that is stopped goes on where it was, redirected, and pays for no call twice", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await begin(async ({ turn }) => {
    if (turn === 1) await held;
    return turn < 2 ? READ : DONE;
  });
  await openPull(at.world, { "total.js": HEAD }, { branch: "topic" });
  await until(() => at.model.asked.length === 2);
  at.world.github.comment("acme/shop", 1, { by: "ben", body: "/forge stop" });
  await until(() => conclusion(1) === "action_required");
  expect(title()).toBe("Stopped by `ben` (`/forge resume` goes on)");
  release();
  await at.world.settled();
  expect(at.model.asked).toHaveLength(2);
  const runs = () => listRuns(at.world.forge!.store, { limit: 5 });
  expect(await runs()).toMatchObject([{ status: "waiting" }]);
  expect((await say(1, "/forge status")).answers[0]).toContain("is stopped** by `ben`");

  expect((await say(1, "/forge resume only the sums")).reactions).toEqual(["eyes", "rocket"]);
  expect(at.model.asked).toHaveLength(3);
  const last = JSON.stringify(at.model.asked[2]?.messages);
  expect(last).toContain("New instruction of a person: only the sums");
  expect(last.split("README.md").length).toBeGreaterThan(2);
  expect(await runs()).toMatchObject([{ status: "completed", conclusion: "success" }]);
  expect(view(1).checkRuns.map((check) => check.conclusion)[0]).toBe("success");
  const cost = await say(1, "/forge cost");
  expect(cost.answers[0]).toContain("by 1 run.");
});

it("SAFE-1: a review that met its limit goes on when that is raised, by exactly so much", async () => {
  // What is asked beside the work is a look back at it, which may cost ten cents.
  const works = () => at.model.asked.filter(({ toolNames }) => toolNames.includes("read_file"));
  await begin(() => (works().length === 3 ? DONE : READ), "safety:\n  iterations:\n    review: 1\n");
  await openPull(at.world, { "total.js": HEAD }, { branch: "topic" });
  await at.world.settled();
  expect(title()).toBe("Not fully reviewed: the AI layer reached its limit of 1 model calls");
  expect((await say(1, "/forge resume")).answers[0]).toContain("`/forge extend iterations <n>`");
  expect((await say(1, "/forge extend iterations 9")).answers[0]).toBe(
    "At most 4 model calls more can be added: a limit is raised to five times what is configured.",
  );
  const first = await say(1, "/forge extend iterations 1");
  expect(first.answers[0]).toBe("The limit of this review is 2 model calls now. It goes on where it ended.");
  expect(works()).toHaveLength(2);
  expect(conclusion(1)).toBe("action_required");
  await say(1, "/forge extend iterations 1");
  expect(works()).toHaveLength(3);
  expect(conclusion(1)).toBe("success");
  const [run] = await listRuns(at.world.forge!.store, { limit: 1 });
  const types = (await readEvents(at.world.forge!.store, run!.traceId)).map(({ type }) => type);
  expect(types.filter((type) => type === "run.resumed")).toHaveLength(2);
});

it("SAFE-1: a review whose money is used up goes on with more of it, and does not pay for the first call again", async () => {
  const dear: ScriptedReply = { ...READ, usage: { inputTokens: 1000, outputTokens: 998_000 } };
  const works = () => at.model.asked.filter(({ toolNames }) => toolNames.includes("read_file"));
  await begin(
    ({ turn }) => (turn === 0 ? dear : DONE),
    "safety:\n  cost:\n    review: 0.5\n  gates:\n    cost_overrun: off\n",
  );
  await openPull(at.world, { "total.js": HEAD }, { branch: "topic" });
  await at.world.settled();
  expect(title()).toBe("Not fully reviewed: the AI layer reached the budget of $0.50");
  expect((await say(1, "/forge extend usd 3")).answers[0]).toContain("At most $2.00 more can be added");
  expect((await say(1, "/forge extend usd 1", "triage-er")).reactions).toEqual(["eyes", "confused"]);
  expect(works()).toHaveLength(1);
  await say(1, "/forge extend usd 1");
  expect(works()).toHaveLength(2);
  expect(conclusion(1)).toBe("success");
});

it("GH-8c: /forge trust has the AI layer look at the head that waited for it, and at later pushes", async () => {
  await begin(() => DONE);
  at.world.github.createAccount("eve");
  await openPull(at.world, { "total.js": HEAD }, { branch: "topic", by: "eve" });
  await at.world.settled();
  expect(at.model.asked).toEqual([]);
  expect(conclusion(1)).toBe("action_required");
  expect(title()).toContain("/forge trust");
  expect((await say(1, "/forge trust", "eve")).answers[0]).toContain("needs triage permission here");
  expect((await say(1, "/forge trust")).reactions).toEqual(["eyes", "rocket"]);
  expect(at.model.asked).toHaveLength(1);
  expect(conclusion(1)).toBe("success");
  await at.world.github.commit("acme/shop", "topic", { files: { "more.js": HEAD }, message: "More", author: "eve" });
  await at.world.settled();
  expect(at.model.asked.length).toBeGreaterThan(1);
  expect((await say(1, "/forge untrust")).reactions).toEqual(["eyes", "rocket"]);
});
