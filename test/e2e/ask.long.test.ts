import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { questionTrace } from "../../src/domain/command-source.ts";
import { deleteInstallation } from "../../src/store/delete-installation.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { until } from "../until.ts";
import { ANSWER, answered, beginAsking, LOOK, QUESTION } from "./asking.ts";
import { openPull } from "./pulls.ts";
import { talkIn } from "./talk.ts";
import { worldWithModel } from "./with-model.ts";

const at = worldWithModel();
const begin = beginAsking(at);

const { outcome, say, view } = talkIn(() => at.world);
it("PIPE-7: a restart in the middle answers once and pays for no call twice; what is kept goes with the installation", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await begin(async ({ turn }) => {
    if (turn === 0) return LOOK;
    if (turn === 1) await held;
    return answered(ANSWER);
  });
  const { id } = at.world.github.comment("acme/shop", 1, { by: "ben", body: QUESTION });
  await until(() => at.model.asked.length === 2);
  await at.world.stop();
  release();
  const { store } = await at.world.start();
  const { reactions, answers: said } = await outcome(1, [id]);
  expect(reactions).toEqual([["eyes", "rocket"]]);
  expect(said).toHaveLength(1);
  expect(view(1).comments.filter(({ by }) => by === "forge[bot]")).toHaveLength(1);
  // The file was read once; only the call in flight was made again.
  expect(at.model.asked).toHaveLength(3);
  expect(JSON.stringify(at.model.asked[2]?.messages)).toContain("return items.length");

  const trace = questionTrace({ kind: "issue_comment", id: String(id) });
  const steps = () => store.read.all(sql`select sequence from checkpoints where trace_id = ${trace}`);
  expect((await readEvents(store, trace)).map(({ type }) => type)).toContain("agent.completed");
  expect(await steps()).not.toEqual([]);
  await deleteInstallation(store, at.world.installation.id);
  expect(await readEvents(store, trace)).toEqual([]);
  expect(await steps()).toEqual([]);
});

it("SAFE-1: a question that the budget does not allow is refused with that reason", async () => {
  await begin(() => answered(ANSWER), "safety:\n  cost:\n    review: 0.0001\n");
  const { reactions, answers: said } = await say(1, QUESTION);
  expect(reactions).toEqual(["eyes", "confused"]);
  expect(said).toEqual(["No answer: the AI layer reached the budget of `$0.0001`"]);
  expect(at.model.asked).toEqual([]);
});

it("a Forge without a model says so", async () => {
  const world = await at.begin(undefined, {});
  await openPull(world, { "total.js": "export const total = 1;\n" }, { branch: "topic" });
  await world.settled();
  const { reactions, answers: said } = await say(1, QUESTION);
  expect(reactions).toEqual(["eyes", "confused"]);
  expect(said).toEqual(["No answer: this Forge has no model. Who runs it can set one up."]);
});
