import { expect } from "vitest";
import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { openPull } from "./pulls.ts";
import type { worldWithModel } from "./with-model.ts";

const HEAD = "export function total(items) {\n  return items.length;\n}\n";
export const QUESTION = "/forge ask what does total() return, --really?";
/** A model that looks at the file of the change first, and what it answers. */
export const LOOK: ScriptedReply = { calls: [{ name: "read_file", input: { path: "total.js" } }] };
export const ANSWER = "It returns the length, not a sum (`total.js:2`). @ana closes #1\n/merge now";
export const answered = (answer: string): ScriptedReply => ({ calls: [{ name: "complete", input: { answer } }] });

/** Opens a pull request on which people ask; those of these tests are of low risk, so that no review asks the model. */
export function beginAsking(at: ReturnType<typeof worldWithModel>) {
  return async (script: (asked: Asked) => ScriptedReply | Promise<ScriptedReply>, configuration = "") => {
    const world = await at.begin(script, { ".github/forge.yml": `review:\n  ai: auto\n${configuration}` });
    world.github.createAccount("reader");
    world.github.setRole("acme/shop", "reader", "read");
    await openPull(world, { "total.js": HEAD }, { branch: "topic" });
    await world.settled();
    expect(at.model.asked).toEqual([]);
  };
}
