import { describe, expect, it } from "vitest";
import type { DeployedChange, DeployFacts } from "../../src/domain/deployments.ts";
import { answerTo } from "../../src/pipeline/deploy/rule/answer-to.ts";

const GOOD: DeployedChange = {
  ...{ number: 12, title: "Round prices", author: "ana", open: 1, blocking: 0 },
  ...{ reviewed: "approve", risk: "medium", tests: "passed" },
};
const FACTS: DeployFacts = {
  ...{ sha: "a".repeat(40), ref: "main", merged: true, older: false, changes: [GOOD] },
  ...{ more: 0, direct: 0, migrations: [], risk: "medium" },
};
const others = (facts: Partial<DeployFacts>) => answerTo({ of: "others", facts: { ...FACTS, ...facts } });
const change = (one: Partial<DeployedChange>) => others({ changes: [{ ...GOOD, ...one }] });

describe("what Forge answers for environments of others", () => {
  it("is yes to what the record shows: merged, reviewed, nothing that blocks, no test failed, no high risk", () => {
    expect(others({})).toEqual({ is: "approved", reasons: [] });
    expect(others({ changes: [] })).toEqual({ is: "approved", reasons: [] });
  });

  it.each([
    ["not_merged", others({ merged: false })],
    ["older", others({ older: true })],
    ["blocking", change({ blocking: 2 })],
    ["changes_requested", change({ reviewed: "request_changes" })],
    ["tests_failed", change({ tests: "failed" })],
  ])("is no: %s", (why, answer) => {
    expect(answer).toMatchObject({ is: "rejected", reasons: [{ why }] });
  });

  it.each([
    ["not_reviewed", others({ changes: [{ ...GOOD, reviewed: undefined }] })],
    ["risk", change({ risk: "high" })],
    ["risk", others({ changes: [{ ...GOOD, risk: undefined }] })],
    ["direct", others({ direct: 1 })],
    ["too_many", others({ more: 3 })],
  ])("waits: %s", (why, answer) => {
    expect(answer).toMatchObject({ is: "waits", reasons: [{ why }] });
  });

  it("takes what a person let pass as passed, and names each pull request that speaks against it", () => {
    expect(change({ overridden: true, blocking: 1, tests: "failed" })).toEqual({ is: "approved", reasons: [] });
    const changes = [
      GOOD,
      { ...GOOD, number: 7, blocking: 1 },
      { ...GOOD, number: 9, blocking: 3, tests: "failed" as const },
    ];
    expect(others({ changes }).reasons).toEqual([
      { why: "blocking", pulls: [7, 9] },
      { why: "tests_failed", pulls: [9] },
    ]);
  });
});

describe("what Forge answers for environments of its own", () => {
  const own = (look: object) =>
    answerTo({ of: "own", isStep: false, from: "forge", underWay: false, held: false, ...look });

  it("is yes to its own step alone, which begins only after the gate; with all else it waits or says no", () => {
    expect(own({ isStep: true, underWay: true }).is).toBe("approved");
    expect(own({ underWay: true })).toEqual({ is: "waits", reasons: [{ why: "asking" }] });
    expect(own({})).toEqual({ is: "rejected", reasons: [{ why: "not_asked" }] });
    expect(own({ held: true })).toEqual({ is: "rejected", reasons: [{ why: "held" }] });
    // B4: the same commit, started by a person or run again, is no step, also while one is under way.
    expect(own({ underWay: true, from: "others" })).toEqual({ is: "rejected", reasons: [{ why: "not_asked" }] });
    expect(own({ underWay: true, from: "again" })).toEqual({ is: "rejected", reasons: [{ why: "run_again" }] });
  });

  it("is never yes because Forge could not look, and no to a run of another commit or repository", () => {
    expect(answerTo({ of: "nothing" }).is).toBe("waits");
    expect(answerTo({ of: "unfit", why: "fork" }).is).toBe("rejected");
  });
});
