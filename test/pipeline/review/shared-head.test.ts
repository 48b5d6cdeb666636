import { describe, expect, it } from "vitest";
import type { CheckReport } from "../../../src/domain/effects.ts";
import type { PullInput } from "../../../src/domain/inputs.ts";
import type { Conclusion } from "../../../src/domain/phases.ts";
import { numberOf, type Subject } from "../../../src/domain/subjects.ts";
import { replay } from "../../../src/pipeline/review/evolve.ts";
import type { RunState } from "../../../src/pipeline/review/run-state.ts";
import { shareCheck } from "../../../src/pipeline/review/shared-head/share-check.ts";
import type { Sharer } from "../../../src/pipeline/review/shared-head/sharer.ts";
import type { Decision } from "../../../src/pipeline/runs/decision.ts";
import { NO_FACTS } from "../../../src/pipeline/runs/subject-facts.ts";
import { A, B, ends, given, headChanged, minute, subject } from "./story.ts";

const report: CheckReport = { kind: "skipped", reason: "whatever it says" };

/** A pull request on head A: what its check shows, and what it comes to by itself. */
function sharer(number: number, shown: Conclusion | undefined, own?: Conclusion, counts = true): Sharer {
  const started = replay([...given(headChanged(A)).events.values()][0]!)!;
  const run = { ...started, runId: `run-${number}`, ...(shown ? { shown } : {}) } as RunState;
  const answer = own ? { answer: { conclusion: own, report } } : {};
  return { subject: { ...subject, number } as Subject, run, counts, ...answer };
}

const NOTHING: Decision = { appends: [], effects: [], jobs: [], cancelJobsOfRuns: [] };
const view = (own: Sharer | undefined, others: readonly Sharer[]) => ({
  recent: [],
  ledger: [],
  facts: NO_FACTS,
  repository: { dismissals: [] },
  shared: { headSha: A, ...(own ? { own } : {}), others },
});

/** Which checks are said anew, and with which conclusion, after the check of number 3 was settled. */
function revised(own: Sharer, others: readonly Sharer[], input: Partial<PullInput> = {}) {
  const settled = {
    type: "check.settled",
    subject,
    at: minute(3),
    newRunId: "x",
    runId: own.run.runId,
    ...input,
  } as PullInput;
  const decision = shareCheck(view(own, others), { conclusion: own.run.shown, ...settled } as PullInput, NOTHING);
  return decision.effects.flatMap((planned) =>
    planned.effects.flatMap((effect) =>
      effect.kind === "check.revise"
        ? [[planned.subject && numberOf(planned.subject), effect.payload.conclusion, effect.payload.shared?.number]]
        : [],
    ),
  );
}

describe("GH-8d: pull requests with the same head", () => {
  it("leave checks alone that agree", () => {
    expect(revised(sharer(3, "success", "success"), [sharer(4, "success", "success")])).toEqual([]);
    expect(revised(sharer(3, "failure", "success"), [sharer(4, "failure", "failure")])).toEqual([]);
  });

  it.each<[string, Sharer, Sharer, unknown]>([
    ["the better one follows", sharer(3, "success", "success"), sharer(4, "failure", "failure"), [[3, "failure", 4]]],
    ["the other one follows", sharer(3, "failure", "failure"), sharer(4, "success", "success"), [[4, "failure", 3]]],
    ["a skipped one too", sharer(3, "success", "success"), sharer(4, "skipped", "skipped"), [[4, "success", 3]]],
    ["a cancelled one too", sharer(3, "success", "success"), sharer(4, "cancelled", undefined), [[4, "success", 3]]],
    [
      "what is fixed is said",
      sharer(3, "success", "success"),
      sharer(4, "failure", "success"),
      [[4, "success", undefined]],
    ],
    [
      "one that went on counts no more",
      sharer(3, "failure", "success"),
      sharer(4, "failure", "failure", false),
      [
        [3, "success", undefined],
        [4, "success", 3],
      ],
    ],
    ["one that is being reviewed is waited for", sharer(3, "success", "success"), sharer(4, undefined), []],
    [
      "not known weighs more than advisory",
      sharer(3, "neutral", "neutral"),
      sharer(4, "action_required", "action_required"),
      [[3, "action_required", 4]],
    ],
  ])("%s", (_name, own, other, expected) => {
    expect(revised(own, [other])).toEqual(expected);
  });

  it("let the one that is closed, or gets another head, take its verdict along", () => {
    const own = sharer(3, "failure", "failure");
    const other = sharer(4, "failure", "success");
    const gone = [
      [3, "success", 4],
      [4, "success", undefined],
    ];
    expect(revised(own, [other], { type: "pull_request.closed" })).toEqual(gone);
    const request = { id: "delivery-9", reason: "pushed", automatic: true } as const;
    expect(revised(own, [other], { type: "head.changed", ends: ends(B), request })).toEqual(gone);
    expect(revised(own, [other], { type: "head.changed", ends: ends(A), request })).toEqual([]);
  });

  it.each<[Conclusion, Conclusion, Conclusion]>([
    ["success", "failure", "failure"],
    ["failure", "success", "failure"],
    ["cancelled", "success", "success"],
  ])("never show %s where the other is %s, not even for a moment", (own, other, shown) => {
    const payload = { check: "forge/review", headSha: A, conclusion: own, report } as const;
    const effects = [{ runId: "run-3", headSha: A, effects: [{ kind: "check.complete", key: "k", payload } as const] }];
    const input = { type: "review.failed", subject } as PullInput;
    const decision = shareCheck(view(undefined, [sharer(4, other, other)]), input, { ...NOTHING, effects });
    expect(decision.effects[0]?.effects[0]?.payload).toMatchObject({ conclusion: shown });
  });
});
