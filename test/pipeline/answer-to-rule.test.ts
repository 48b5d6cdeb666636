import { describe, expect, it } from "vitest";
import type { Coverage, Lack, Landing } from "../../src/domain/coverage.ts";
import type { DeployedChange, DeployFacts } from "../../src/domain/deployments.ts";
import { answerTo } from "../../src/pipeline/deploy/rule/answer-to.ts";

const GOOD: DeployedChange = {
  ...{ number: 12, title: "Round prices", author: "ana", open: 1, blocking: 0 },
  ...{ reviewed: "approve", risk: "medium", tests: "passed" },
};
const landing = (...lacks: Lack[]): Landing => {
  return { sha: "a".repeat(40), title: "Round prices", commits: 1, pull: 12, waivers: [], lacks };
};
const FACTS: DeployFacts = {
  ...{ sha: "a".repeat(40), ref: "main", merged: true, older: false, changes: [GOOD] },
  ...{ more: 0, direct: 0, migrations: [], risk: "medium" },
};
const COVERAGE: Coverage = {
  ...{ requires: ["review", "tests"], from: { sha: "b".repeat(40), by: "verified" }, landings: [landing()], beyond: 0 },
};
const others = (facts: Partial<DeployFacts>, coverage: Partial<Coverage> = {}) =>
  answerTo({ of: "others", facts: { ...FACTS, coverage: { ...COVERAGE, ...coverage }, ...facts } });
const change = (one: Partial<DeployedChange>) => others({ changes: [{ ...GOOD, ...one }] });
const lacking = (...lacks: Lack[]) => others({}, { landings: [landing(...lacks)] });

describe("what Forge answers for environments of others", () => {
  it("is yes to what the record shows: merged, each commit covered, no high risk", () => {
    expect(others({})).toEqual({ is: "approved", reasons: [] });
    expect(others({ changes: [] }, { landings: [] })).toEqual({ is: "approved", reasons: [] });
  });

  it.each([
    ["not_merged", others({ merged: false })],
    ["older", others({ older: true })],
    ["too_many", others({}, { beyond: 3 })],
    ["not_covered", lacking("direct")],
    ["not_covered", lacking("blocking")],
    ["not_covered", lacking("tests_failed")],
    ["not_covered", lacking("review_running", "tests_cancelled")],
  ])("is no: %s", (why, answer) => {
    expect(answer).toMatchObject({ is: "rejected", reasons: [{ why }] });
  });

  it.each([
    ["no_beginning", others({}, { from: undefined })],
    ["no_beginning", answerTo({ of: "others", facts: FACTS })],
    ["on_its_way", lacking("review_running")],
    ["on_its_way", lacking("tests_running")],
    ["risk", change({ risk: "high" })],
    ["risk", others({ changes: [{ ...GOOD, risk: undefined }] })],
  ])("waits: %s", (why, answer) => {
    expect(answer).toMatchObject({ is: "waits", reasons: [{ why }] });
  });

  it("names each commit that speaks against it", () => {
    const landings = [landing("direct"), landing(), landing("tests_failed")];
    expect(others({}, { landings }).reasons).toEqual([{ why: "not_covered", landings: [landings[0], landings[2]] }]);
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
