import { describe, expect, it } from "vitest";
import { isOnItsWay, type Lack, type Landing, lacksOf, uncoveredOf } from "../../../src/domain/coverage.ts";
import type { PlacedEvent } from "../../../src/domain/events.ts";
import { groupSteps, type StepGroup } from "../../../src/pipeline/deploy/record/group-steps.ts";
import { judgeLanding } from "../../../src/pipeline/deploy/record/judge-landing.ts";
import type { PullRecord } from "../../../src/pipeline/deploy/record/pull-record.ts";
import type { HeadReview } from "../../../src/pipeline/runs/ports.ts";
import { NO_FACTS, type SubjectFacts } from "../../../src/pipeline/runs/subject-facts.ts";

const sha = (digit: string) => digit.repeat(40);
const [STEP, HEAD, BASE, OLDER] = [sha("a"), sha("b"), sha("c"), sha("d")];
const PULL = { number: 12, title: "Sum right", author: "ben", head: HEAD, base: "main", mergedAs: STEP };
const step = (one: string, parents: readonly string[] = [BASE]) => {
  return { sha: one, parents, tree: sha("e"), title: "Sum right", commits: 1 };
};
const GROUP: StepGroup = { steps: [step(STEP)], pull: PULL };
const GOOD: HeadReview = { ...{ runId: "r", headSha: HEAD, is: "approved", mergeBaseSha: BASE }, open: 0, blocking: 0 };
const TESTED = { outcome: { outcome: "passed" }, ended: { traceId: "t", conclusion: "success" }, headSha: HEAD };

interface Told {
  readonly review?: Partial<HeadReview> | "none";
  readonly tests?: unknown;
  readonly facts?: Partial<SubjectFacts>;
  readonly worked?: readonly unknown[];
  readonly merged?: { readonly sameFiles?: boolean; readonly looksAtAll?: boolean } | "unreadable";
}

function landing({ review = {}, tests = TESTED, facts = {}, worked = [], merged = {} }: Told): Landing {
  const record: PullRecord = {
    ...{ open: 0, worked: worked as readonly PlacedEvent[] },
    reviews: review === "none" ? [] : [{ ...GOOD, ...review }],
    facts: { ...NO_FACTS, ...(tests ? { tests: tests as never } : {}), ...facts },
  };
  if (merged === "unreadable") return judgeLanding(GROUP, record, undefined);
  const { sameFiles = true, looksAtAll = true } = merged;
  return judgeLanding(GROUP, record, { head: HEAD, sameFiles, looksAtAll: () => looksAtAll, alike: new Set() });
}

const override = (check: "forge/review" | "forge/tests", headSha = HEAD) => {
  return {
    facts: { overrides: [{ check, headSha, by: "eva", at: "2026-11-20T10:00:00.000Z", reason: "a false alarm" }] },
  };
};

describe("DEP-4: a pull request that landed", () => {
  const cases: readonly (readonly [string, Told, readonly Lack[]])[] = [
    ["reviewed, with nothing found, and tested", {}, []],
    ["with remarks that do not block", { review: { is: "advisory" } }, []],
    ["not reviewed", { review: "none" }, ["not_reviewed"]],
    ["reviewed on another head", { review: { headSha: OLDER } }, ["other_head"]],
    [
      "while its review is under way",
      { review: { is: "running", mergeBaseSha: undefined } as never },
      ["review_running"],
    ],
    ["whose review was stopped", { review: { is: "stopped", mergeBaseSha: undefined } as never }, ["review_stopped"]],
    [
      "whose review was cancelled",
      { review: { is: "cancelled", mergeBaseSha: undefined } as never },
      ["review_cancelled"],
    ],
    ["whose review failed", { review: { is: "failed", mergeBaseSha: undefined } as never }, ["review_failed"]],
    [
      "left out as a draft, or while Forge was paused",
      { review: { is: "left_out", leftOut: "draft", mergeBaseSha: undefined } as never },
      ["left_out"],
    ],
    ["of which a required layer did not run", { review: { is: "incomplete" } }, ["incomplete"]],
    ["for which a person was asked", { review: { is: "human_required" } }, ["needs_person"]],
    ["with an unproven critical finding", { review: { is: "needs_look" } }, ["needs_person"]],
    ["with a blocking finding", { review: { is: "changes_requested", blocking: 1 } }, ["blocking"]],
    ["with a critical finding", { review: { is: "human_required", blocking: 1 } }, ["blocking"]],
    ["reviewed from a later base", { merged: { looksAtAll: false } }, ["other_base"]],
    ["merged with other files", { merged: { sameFiles: false } }, ["other_files"]],
    ["whose head is gone", { merged: "unreadable" }, ["unreadable"]],
    ["not tested", { tests: null }, ["not_tested"]],
    ["tested on another head", { tests: { ...TESTED, headSha: OLDER } }, ["not_tested"]],
    ["while its tests run", { tests: { headSha: HEAD } }, ["tests_running"]],
    [
      "whose tests were cancelled",
      { tests: { ...TESTED, ended: { cancelled: { reason: "merged" } } } },
      ["tests_cancelled"],
    ],
    ["whose tests could not be run", { tests: { ...TESTED, outcome: { outcome: "not_run" } } }, ["tests_not_run"]],
    ["whose tests ended in an error", { tests: { ...TESTED, outcome: undefined } }, ["tests_not_run"]],
    ["whose tests failed", { tests: { ...TESTED, outcome: { outcome: "failed" } } }, ["tests_failed"]],
  ];

  it.each(cases)("%s", (_what, told, lacks) => {
    expect(landing(told).lacks).toEqual(lacks);
  });

  it("is let pass by an override of exactly its head, for what it overrides, and never past what did not run", () => {
    const blocked = { review: { is: "changes_requested", blocking: 1 } } as const;
    expect(landing({ ...blocked, ...override("forge/review") })).toMatchObject({
      lacks: [],
      waivers: [{ of: "review", by: "eva", reason: "a false alarm" }],
    });
    expect(landing({ ...blocked, ...override("forge/review", OLDER) })).toMatchObject({
      lacks: ["blocking"],
      waivers: [],
    });
    expect(landing({ ...blocked, ...override("forge/tests") }).lacks).toEqual(["blocking"]);
    const failed = { tests: { ...TESTED, outcome: { outcome: "failed" } } };
    expect(landing({ ...failed, ...override("forge/tests") }).lacks).toEqual([]);
    expect(landing({ review: { is: "incomplete" }, ...override("forge/review") }).lacks).toEqual(["incomplete"]);
    expect(landing({ tests: null, ...override("forge/tests") }).lacks).toEqual(["not_tested"]);
  });

  it("needs no further person where one approved that head, but what blocks is not approved away", () => {
    expect(landing({ review: { is: "human_required", approvedBy: "eva" } }).lacks).toEqual([]);
    expect(landing({ review: { is: "human_required", blocking: 1, approvedBy: "eva" } }).lacks).toEqual(["blocking"]);
  });

  it("by Forge itself is tested by the work on it, on the head that was merged", () => {
    const tested = (headSha: string, outcome: string) => ({ type: "test.passed", payload: { headSha, outcome } });
    expect(landing({ tests: null, worked: [tested(HEAD, "passed")] }).lacks).toEqual([]);
    expect(landing({ tests: null, worked: [tested(OLDER, "passed")] }).lacks).toEqual(["not_tested"]);
    expect(landing({ tests: null, worked: [tested(HEAD, "passed"), tested(HEAD, "failed")] }).lacks).toEqual([
      "tests_failed",
    ]);
  });
});

describe("DEP-4: the record as a whole", () => {
  const of = (...lacks: Lack[]): Landing => ({ sha: STEP, title: "x", commits: 1, waivers: [], lacks });
  const coverage = (landings: Landing[], more: object = {}) => {
    return {
      requires: ["review" as const, "tests" as const],
      from: { sha: BASE, by: "record" as const },
      landings,
      beyond: 0,
      ...more,
    };
  };

  it("covers nothing where it is not known what runs, or where commits lie beyond the limit", () => {
    expect(uncoveredOf(coverage([of()]))).toBeUndefined();
    expect(uncoveredOf(coverage([of()], { from: undefined }))).toMatchObject({ noBeginning: true });
    expect(uncoveredOf(coverage([of()], { beyond: 1 }))).toMatchObject({ beyond: 1 });
    expect(uncoveredOf(undefined)).toMatchObject({ noBeginning: true });
  });

  it("leaves out what the environment does not require, and nothing else", () => {
    expect(lacksOf(of("not_tested", "direct"), ["review"])).toEqual(["direct"]);
    expect(uncoveredOf(coverage([of("not_tested")], { requires: ["review"] }))).toBeUndefined();
    expect(uncoveredOf(coverage([of("blocking")], { requires: ["tests"] }))).toBeUndefined();
    expect(uncoveredOf(coverage([of("direct")], { requires: [] }))).toBeUndefined();
  });

  it("is worth waiting for only where all that lacks is under way", () => {
    expect(isOnItsWay(coverage([of(), of("review_running"), of("tests_running")]))).toBe(true);
    expect(isOnItsWay(coverage([of("review_running"), of("direct")]))).toBe(false);
    expect(isOnItsWay(coverage([of("review_running", "tests_failed")]))).toBe(false);
    expect(isOnItsWay(coverage([of()]))).toBe(false);
  });
});

describe("DEP-4: steps of a branch", () => {
  const landed = (number: number, mergedAs: string, base = "main") => ({ ...PULL, number, mergedAs, base });
  const names = (groups: readonly StepGroup[]) =>
    groups.map(({ steps, pull, strange }) => [steps.length, pull?.number ?? strange?.is ?? "direct"]);

  it("belong to the pull request that was merged as the newest of them, as long as GitHub names it for them", () => {
    const steps = ["5", "4", "3", "2", "1"].map((digit) => step(sha(digit)));
    const of = new Map([
      [sha("5"), [landed(7, sha("5"))]],
      [sha("4"), [landed(7, sha("5"))]],
      [sha("3"), []],
      [sha("2"), [landed(8, sha("2")), landed(7, sha("5"))]],
      [sha("1"), [landed(9, sha("1"), "release")]],
    ]);
    expect(names(groupSteps(steps, of, "main"))).toEqual([
      [2, 7],
      [1, "direct"],
      [1, 8],
      [1, "other_branch"],
    ]);
    expect(names(groupSteps(steps.slice(1), of, "main"))[0]).toEqual([1, "part_of_pull"]);
  });

  it("below a merge came otherwise", () => {
    const steps = [step(sha("5"), [sha("4"), HEAD]), step(sha("4"))];
    const of = new Map([
      [sha("5"), [landed(7, sha("5"))]],
      [sha("4"), [landed(7, sha("5"))]],
    ]);
    expect(names(groupSteps(steps, of, "main"))).toEqual([
      [1, 7],
      [1, "part_of_pull"],
    ]);
  });
});
