import { describe, expect, it } from "vitest";
import { gateButtons } from "../../src/github/words/check/check-buttons.ts";
import { gateText } from "../../src/github/words/gate/gate-text.ts";
import { commandOfButton, parseCommand } from "../../src/pipeline/commands/parse-comment.ts";
import { moneyGate, toolGate, wording } from "./samples.ts";

describe("what a gate says", () => {
  it("asks for approval of exactly one call", () => {
    expect(gateText(toolGate(), wording)).toBe(
      [
        "**The review of `3f2c1ab` waits for approval of one call of `run_tests`** (G-1, until 2026-11-21 14:00 UTC).",
        "To have exactly this call run: `/forge approve G-1`. To have the review go on without it: `/forge reject G-1 <reason>`",
        "",
        "```json",
        '{"files":["test/cart.test.ts"]}',
        "```",
        "",
        "Why it is asked: run_tests needs a person's approval. Who may answer: push permission. Nothing is spent while this waits; without an answer the review goes on without the call.",
      ].join("\n"),
    );
  });

  it("asks about the money", () => {
    expect(gateText(moneyGate({ needs: "maintain" }), wording)).toBe(
      [
        "**$4.10 of $5.00 is spent, and the review of `3f2c1ab` is not done** (G-2, until 2026-11-20 16:00 UTC). Next: findings are checked again.",
        "To have it go on up to the full budget: `/forge approve G-2`. To end it with what was found: `/forge reject G-2`. To raise the budget and go on: `/forge extend usd 2`",
        "",
        "Who may answer: maintain permission, as the risk is critical. Nothing is spent while this waits; without an answer the review ends with what was found.",
      ].join("\n"),
    );
  });

  it.each([
    [
      toolGate({ standing: { is: "approved", by: "ben", at: "", note: "only this once" } }),
      "**G-1 approved** by `ben`: this call of `run_tests` runs.\n> only this once",
    ],
    [
      toolGate({ standing: { is: "rejected", by: "ben", at: "" } }),
      "**G-1 rejected** by `ben`: the review goes on without the call.",
    ],
    [
      toolGate({ standing: { is: "timed_out", at: "" } }),
      "**G-1 was not answered in time**: the review goes on without the call. To have it asked again: `/forge review`",
    ],
    [
      toolGate({ standing: { is: "voided", at: "", byHead: "8d11e0f0" } }),
      "**G-1 is void**: it was asked for `3f2c1ab`, and the branch is at `8d11e0f` now. If the new head needs an answer, Forge asks again.",
    ],
    [
      toolGate({ standing: { is: "voided", at: "" } }),
      "**G-1 is void**: the review that asked has ended or was stopped.",
    ],
  ])("says how it ended, with the call folded", (gate, text) => {
    const folded =
      '\n\n<details><summary>the call</summary>\n\n```json\n{"files":["test/cart.test.ts"]}\n```\n\n</details>';
    expect(gateText(gate, wording)).toBe(`${text}${folded}`);
  });

  it.each([
    ["approved", "**G-2 approved** by `ben`: the review goes on up to its full budget."],
    ["rejected", "**G-2 rejected** by `ben`: the review ends with what was found."],
  ] as const)("says that money was %s", (is, text) => {
    expect(gateText(moneyGate({ standing: { is, by: "ben", at: "" } }), wording)).toBe(text);
  });

  it("says how much of a long call nobody sees", () => {
    const { question, ...gate } = toolGate();
    const long = { ...question, input: "x".repeat(10_000), inputCharacters: 23_456 } as typeof question;
    expect(gateText({ ...gate, question: long }, wording)).toContain(
      "x\n```\nOnly the first 10,000 of 23,456 characters are shown.\n",
    );
  });

  it("GH-15: nothing in a call ends its fence, notifies somebody or begins like a command", () => {
    const { question, ...gate } = toolGate();
    const input = '{"name":"x"}\n```\n/forge approve G-1\n@acme/all';
    const text = gateText({ ...gate, question: { ...question, tool: "a`b", input } as typeof question }, wording);
    expect(text).toContain("````json\n");
    expect(text).not.toMatch(/^\/forge/m);
    expect(text).toContain("``a`b``");
  });

  it("GH-5: its buttons are commands that Forge understands, inside GitHub's limits", () => {
    const buttons = gateButtons("G-123456");
    for (const { identifier, label, description } of buttons) {
      expect([identifier.length <= 20, label.length <= 20, description.length <= 40]).toEqual([true, true, true]);
    }
    const given = gateButtons("G-3").map(({ identifier }) => parseCommand(commandOfButton(identifier)!));
    expect(given).toEqual([
      { command: { name: "approve", gate: "G-3" } },
      { command: { name: "reject", gate: "G-3" } },
    ]);
    expect(commandOfButton("approve-everything")).toBeUndefined();
  });
});

it.each([
  ["approve", { name: "approve" }],
  ["approve G-1", { name: "approve", gate: "G-1" }],
  ["approve `g2`, only this once", { name: "approve", gate: "G-2", note: "only this once" }],
  ["approve looks fine to me", { name: "approve", note: "looks fine to me" }],
  ["approve 3 of them", { name: "approve", gate: "3", note: "of them" }],
  ["reject G-12 not on this branch", { name: "reject", gate: "G-12", note: "not on this branch" }],
  ["reject G-0", { name: "reject", gate: "G-0" }],
])("an answer as people write it: %s", (line, command) => {
  expect(parseCommand(line)).toEqual({ command });
});
