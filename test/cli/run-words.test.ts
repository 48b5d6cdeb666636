import { describe, expect, it } from "vitest";
import { readWord } from "../../src/cli/run/people-at.ts";
import type { GateQuestion } from "../../src/domain/gates.ts";

const PLAN: GateQuestion = { type: "architecture_approval", revision: 1, risk: "low", reasons: [], highUsd: 1 };
const TESTS: GateQuestion = { type: "test_failure", reasons: [], tried: [], treeSha: "", pull: 1 };
const ASKED: GateQuestion = { type: "question", agentId: "agent:planner:1", question: "Which?", phase: "planning" };

describe("what is typed at a gate", () => {
  it.each([
    [PLAN, "yes", { is: "yes" }],
    [PLAN, "Y", { is: "yes" }],
    [PLAN, "no, too dear", { is: "no", note: "too dear" }],
    [PLAN, "use Intl", { is: "yes", note: "use Intl" }],
    [PLAN, "note the year in it", { is: "yes", note: "note the year in it" }],
    [PLAN, "  ", { is: "later" }],
    [PLAN, undefined, { is: "later" }],
    [TESTS, "whatever", { is: "no", note: "whatever" }],
    [ASKED, "no", { is: "answer", text: "no" }],
  ])("SAFE-3: %o: %j", (question, typed, word) => {
    expect(readWord({ question }, typed)).toEqual(word);
  });
});
