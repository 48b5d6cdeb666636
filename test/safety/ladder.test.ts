import { describe, expect, it } from "vitest";
import { isAccepted, issuesClosedBy, taskKindOf, UNSAID_LEVEL } from "../../src/domain/ladder.ts";
import { carriedBy, demotionBy, fallBy, levelFor, standingsOf, windowOf } from "../../src/safety/ladder.ts";
import { levelRecord, outcome, outcomes } from "./level-record.ts";

const at = "2026-11-01T10:00:00.000Z";
const standing = (level: number) => ({ ...UNSAID_LEVEL, level, carries: { fix: level }, by: "ana", at });

describe("what a record carries (SAFE-4)", () => {
  it("is level 2 from 50 successes on, where fewer than one in five fail beyond doubt", () => {
    expect(levelRecord({ good: 49, failed: 0 }).holds).toBe(false);
    expect(levelRecord({ good: 50, failed: 0 }).holds).toBe(true);
    expect(levelRecord({ good: 50, failed: 10 }).holds).toBe(false);
    expect(levelRecord({ good: 100, failed: 11 }).holds).toBe(true);
  });

  it("is kept by kind of task, and what waits for its outcome does not count", () => {
    const record = [...outcomes(60, 0), ...outcomes(60, 0, { task: "docs", outcome: "merged" })];
    expect(carriedBy(standingsOf(record))).toEqual({ fix: 2 });
    expect(standingsOf(record).find(({ task, level }) => task === "docs" && level === 2)).toMatchObject({
      runs: 0,
      pending: 60,
    });
  });

  it("ends where another model, prompt or analyser worked than now", () => {
    const [old, now] = [{ "model reviewer": "a", "prompt reviewer": "1" }, { "model reviewer": "b" }];
    const record = [outcome({ basis: now }), outcome({ basis: {} }), outcome({ basis: old }), outcome({ basis: now })];
    expect(windowOf(record, {})).toHaveLength(2);
    // A record of a model that is no longer configured is none, however good it was.
    expect(windowOf(record, { "model reviewer": "c" })).toHaveLength(0);
    expect(windowOf(record, { "analyser eslint": "10" })).toHaveLength(2);
  });
});

describe("the level that counts for a task", () => {
  it("is what a person said, as far as the record of its kind carried it and the configuration allows", () => {
    expect(levelFor("fix", standing(2), undefined)).toBe(2);
    expect(levelFor("docs", standing(2), undefined)).toBe(1);
    expect(levelFor("fix", standing(2), 1)).toBe(1);
    expect(levelFor("fix", { ...standing(2), level: 0 }, undefined)).toBe(0);
    expect(levelFor("fix", UNSAID_LEVEL, undefined)).toBe(1);
    // Who reviews well has not shown that its own work stands.
    expect(levelFor("fix", standing(3), undefined, "work")).toBe(1);
    expect(levelFor("fix", { ...standing(3), own: { fix: 3 } }, undefined, "work")).toBe(3);
  });
});

describe("a miss", () => {
  it("takes the level down at once where Forge had acted by itself, and to 1 where a critical fault was missed", () => {
    const reverted = outcome({ outcome: "reverted", action: "approved", by: { pull: 9 } });
    expect(demotionBy(reverted, standing(2), [reverted])).toEqual({
      to: 1,
      carries: { fix: 1 },
      miss: { is: "reverted", action: "approved", by: { pull: 9 } },
    });
    const merged = outcome({ of: "work", outcome: "mended", action: "merged" });
    expect(demotionBy(merged, { ...standing(4), own: { fix: 4, docs: 3 } }, [merged])).toMatchObject({
      ...{ to: 3, carries: { fix: 3 }, own: { fix: 3, docs: 3 }, miss: { is: "mended", action: "merged" } },
    });
    const critical = outcome({ outcome: "missed", critical: true });
    expect(demotionBy(critical, standing(3), [critical])).toMatchObject({ to: 1, miss: { is: "critical" } });
  });

  it("SAFE-4: is a rollback, or an error that a version caused, whatever the record says: one level, and once for a version", () => {
    const miss = { is: "rolled_back", version: "a" } as const;
    expect(fallBy(miss, standing(4))).toEqual({ to: 3, carries: { fix: 3 }, miss });
    expect(fallBy({ ...miss, is: "production_error" }, { ...standing(3), own: { docs: 3 } })).toMatchObject({
      ...{ to: 2, carries: { fix: 2 }, own: { docs: 2 } },
    });
    expect(fallBy({ ...miss, is: "production_error" }, { ...standing(3), miss })).toBeUndefined();
    expect(fallBy({ ...miss, version: "b" }, { ...standing(3), miss })).toMatchObject({ to: 2 });
    for (const level of [0, 1]) expect(fallBy(miss, standing(level))).toBeUndefined();
  });

  it("is no miss where people decided, unless such failures become too frequent", () => {
    const wrong = outcome({ outcome: "wrong" });
    expect(demotionBy(wrong, standing(2), [wrong, ...outcomes(100, 10)])).toBeUndefined();
    const worse = [wrong, ...outcomes(40, 20), ...outcomes(100, 5)];
    expect(demotionBy(wrong, standing(2), worse)).toMatchObject({ to: 1, miss: { is: "drift" } });
    expect(demotionBy(outcome(), standing(2), worse)).toBeUndefined();
    expect(demotionBy(wrong, standing(1), worse)).toBeUndefined();
  });
});

describe("what counts how", () => {
  it.each([
    ["a title, where nothing else says anything", "fix: totals", ["a.ts"], [], "fix"],
    ["never a title that calls code documentation", "docs: readme", ["README.md", "a.ts"], [], "feature"],
    ["files that are documentation, whatever the title", "fix: bug", ["README.md", "docs/a.rst"], [], "docs"],
    ["tests alone, whatever the title", "feat: totals", ["test/a.test.ts", "README.md"], ["enhancement"], "refactor"],
    ["a label more than a title", "fix: totals", ["a.ts"], ["type: enhancement"], "feature"],
    ["two labels that say different things", "fix: totals", ["a.ts"], ["bug", "refactoring"], "feature"],
    ["a label that is only a part of a word", "refactor: totals", ["a.ts"], ["debugging"], "refactor"],
  ])("SAFE-4: the kind of task is told by %s", (_, title, paths, labels, kind) => {
    expect(taskKindOf({ title, paths, labels })).toBe(kind);
  });

  it("SAFE-4: a description names the issues that it closes, not in code or in what nobody sees", () => {
    expect(issuesClosedBy("Fixes #3, closes: #4\nresolved #3 and see #5")).toEqual([3, 4]);
    expect(issuesClosedBy("`fixes #1` <!-- fixes #2 --> prefixes #6 fixes a/b#7")).toEqual([]);
    expect(issuesClosedBy("fix #1 fix #2 fix #3 fix #4")).toHaveLength(3);
  });

  it("SAFE-4: a dismissal calls a finding wrong unless it says that it is accepted", () => {
    const accepted = ["accepted", "Accepted risk: internal tool", "won't fix", "wontfix, later", "known issue"];
    const wrong = ["", "false positive", "by design", "not accepted", "accepted as a false positive", "аccepted"];
    expect(accepted.filter(isAccepted)).toEqual(accepted);
    expect(wrong.filter(isAccepted)).toEqual([]);
  });
});
