import { expect, it } from "vitest";
import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { openPull } from "./pulls.ts";
import { talkIn } from "./talk.ts";
import { worldWithModel } from "./with-model.ts";

const at = worldWithModel();

const { view, conclusion } = talkIn(() => at.world);
const HEAD = "export function mean(items) {\n  return items.reduce((a, b) => a + b) / items.length;\n}\n";
const CLAIM = {
  ...{ file: "mean.js", line: 2, quote: "/ items.length", kind: "edge-case", severity: "error", confidence: 0.9 },
  claim: "An empty list throws.",
  scenario: "mean([]) throws a TypeError; it should give 0.",
};

const complete = (input: unknown): ScriptedReply => ({ calls: [{ name: "complete", input }] });

/** Claims a fault that the verifier lets stand; of replies only the one that names the caller convinces it. */
function reads({ messages }: Asked): ScriptedReply {
  const text = JSON.stringify(messages);
  if (text.includes("You look at the code again and say whether the finding stands")) {
    const reply = text.slice(text.indexOf("The reply:"));
    if (reply.includes("thank you")) return complete({ verdict: "nothing", answer: "" });
    if (!reply.includes("the caller checks that")) return complete({ verdict: "stands", answer: "See `mean.js:2`." });
    return complete({ verdict: "withdraw", answer: "The caller never passes an empty list." });
  }
  if (!text.includes("Your task is to refute each claim")) return complete({ summary: "A mean.", findings: [CLAIM] });
  return complete({ judgements: [{ claim: 1, verdict: "stands", reason: "reduce of nothing throws" }] });
}

it("GH-8a: a reply to a finding is read by a model, answered once, and withdraws what it refutes", async () => {
  await at.begin(reads, { ".github/forge.yml": "review:\n  ai: always\n" });
  at.world.github.createAccount("read-er");
  at.world.github.setRole("acme/shop", "read-er", "read");
  await openPull(at.world, { "mean.js": HEAD }, { branch: "topic" });
  await at.world.settled();
  const [first] = view(1).reviewComments;
  expect(first?.body).toContain("An empty list throws.");
  const verdict = conclusion(1);
  const before = at.model.asked.length;
  const reply = async (by: string, body: string) => {
    const known = view(1).reviewComments.length;
    at.world.github.replyToReviewComment("acme/shop", 1, first!.id, { by, body });
    await at.world.settled();
    const said = view(1).reviewComments.slice(known + 1);
    expect(said.every((one) => one.by === "forge[bot]" && one.inReplyTo === first!.id)).toBe(true);
    return said.map((one) => one.body.split("\n<!-- forge:")[0]!.split("\n")[0]!);
  };

  expect(await reply("read-er", "I doubt it: nobody does that.")).toEqual([]);
  expect(at.model.asked).toHaveLength(before);
  const id = /F-[0-9A-Z]{4,8}/.exec(first!.body)![0];
  expect(await reply("ben", "Can that really happen?")).toEqual([expect.stringMatching(`^\`${id}\` stands\\.`)]);
  expect(JSON.stringify(at.model.asked.at(-1)?.messages)).toMatch(/from=\\"comment of read-er\\"/);
  expect(conclusion(1)).toBe(verdict);
  expect(await reply("ben", "I see, thank you")).toEqual([]);
  const withdrawn = await reply("ben", "No: the caller checks that.");
  expect(withdrawn).toEqual([
    expect.stringMatching(`^\\*\\*Withdrawn\\*\\*: \`${id}\` is dismissed on the word of \`ben\``),
  ]);
  expect(conclusion(1)).toBe("success");
  expect(at.model.asked).toHaveLength(before + 3);
});
