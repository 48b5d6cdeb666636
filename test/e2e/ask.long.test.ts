import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import {
  type Asked,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "../../simulator/models/scripted-model.ts";
import { questionTrace } from "../../src/domain/command-source.ts";
import { deleteInstallation } from "../../src/store/delete-installation.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { openPull, until } from "./pulls.ts";
import { talkIn } from "./talk.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
let model: ScriptedModel | undefined;
afterEach(async () => {
  await world.expectGoodManners();
  await world.end();
  await model?.stop();
  model = undefined;
});

const { outcome, view } = talkIn(() => world);
const HEAD = "export function total(items) {\n  return items.length;\n}\n";
const LOOK: ScriptedReply = { calls: [{ name: "read_file", input: { path: "total.js" } }] };
const ANSWER = "It returns the length, not a sum (`total.js:2`). @ana closes #1\n/merge now";
const done = (answer: string): ScriptedReply => ({ calls: [{ name: "complete", input: { answer } }] });
const QUESTION = "/forge ask what does total() return, --really?";

async function begin(script: (asked: Asked) => ScriptedReply | Promise<ScriptedReply>, configuration = "") {
  model = await startScriptedModel(script);
  const { environment } = model;
  // The pull requests of these tests are of low risk, so that no review asks the model.
  world = await createWorld({ files: { ".github/forge.yml": `review:\n  ai: auto\n${configuration}` }, environment });
  world.github.createAccount("reader");
  world.github.setRole("acme/shop", "reader", "read");
  await openPull(world, { "total.js": HEAD }, { branch: "topic" });
  await world.settled();
  expect(model.asked).toEqual([]);
}

it("PIPE-7: a restart in the middle answers once and pays for no call twice; what is kept goes with the installation", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await begin(async ({ turn }) => {
    if (turn === 0) return LOOK;
    if (turn === 1) await held;
    return done(ANSWER);
  });
  const { id } = world.github.comment("acme/shop", 1, { by: "ben", body: QUESTION });
  await until(() => model?.asked.length === 2);
  await world.stop();
  release();
  const { store } = await world.start();
  const { reactions, answers: said } = await outcome(1, [id]);
  expect(reactions).toEqual([["eyes", "rocket"]]);
  expect(said).toHaveLength(1);
  expect(view(1).comments.filter(({ by }) => by === "forge[bot]")).toHaveLength(1);
  // The file was read once; only the call in flight was made again.
  expect(model?.asked).toHaveLength(3);
  expect(JSON.stringify(model?.asked[2]?.messages)).toContain("return items.length");

  const trace = questionTrace({ kind: "issue_comment", id: String(id) });
  const steps = () => store.read.all(sql`select sequence from checkpoints where trace_id = ${trace}`);
  expect((await readEvents(store, trace)).map(({ type }) => type)).toContain("agent.completed");
  expect(await steps()).not.toEqual([]);
  await deleteInstallation(store, world.installation.id);
  expect(await readEvents(store, trace)).toEqual([]);
  expect(await steps()).toEqual([]);
});
