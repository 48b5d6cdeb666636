import { describe, expect, it } from "vitest";
import type { CommandGiven } from "../../../src/domain/inputs.ts";
import { ROLES, type Role } from "../../../src/domain/subjects.ts";
import { standingsOf } from "../../../src/safety/ladder.ts";
import { outcomes } from "../../safety/level-record.ts";
import { A, command, finding, finished, given, headChanged, OWN, observed, type Story } from "../review/story.ts";

const record = (good: number, failed: number): NonNullable<CommandGiven["ladder"]> => {
  return { standings: standingsOf(outcomes(good + failed, failed)), actions: [] };
};

function say(story: Story, level: number | undefined, to: Partial<CommandGiven> = {}) {
  const decision = story.when(
    command(level === undefined ? { name: "level" } : { name: "level", level }, { ladder: record(0, 0), ...to }),
  );
  return decision.effects.flatMap(({ effects }) => effects).find(({ kind }) => kind === "comment.reply");
}

describe("SAFE-4: /forge level", () => {
  it("tells where the repository stands to who has triage, and is set by maintain alone", () => {
    const story = given();
    expect(say(story, undefined, { role: "triage" })).toMatchObject({
      payload: { answer: { kind: "level", facts: { standing: { level: 1 } } } },
    });
    const refused = ROLES.filter((role: Role) => {
      const fresh = given();
      say(fresh, 0, { role });
      return fresh.refusal()?.reason === "role";
    });
    expect(refused).toEqual(["none", "read", "triage", "write"]);
  });

  it("goes down at any time, and up to where it began", () => {
    const story = given();
    say(story, 0);
    expect(story.level).toMatchObject({ level: 0, by: "ana", changes: 1 });
    say(story, 1);
    expect(story.level).toMatchObject({ level: 1, changes: 2 });
    expect(story.types(OWN)).toContain("level.set");
  });

  it("is 3 from 200 successes on, and 4 from 500, of reviews and of Forge's own work each by itself", () => {
    const levelBy = (ladder: ReturnType<typeof record>, level: number) => {
      const story = given();
      say(story, level, { ladder });
      return story.level ?? story.refusal()?.reason;
    };
    expect(levelBy(record(199, 0), 3)).toBe("level_unearned");
    expect(levelBy(record(200, 0), 3)).toMatchObject({ level: 3, carries: { fix: 3 } });
    expect(levelBy(record(200, 0), 3)).not.toHaveProperty("own");
    expect(levelBy(record(250, 12), 3)).toBe("level_unearned");
    expect(levelBy(record(499, 0), 4)).toBe("level_unearned");
    expect(levelBy(record(500, 2), 4)).toMatchObject({ level: 4, carries: { fix: 4 } });
    const work = standingsOf(outcomes(220, 0, { of: "work", outcome: "stood", task: "docs" }));
    expect(levelBy({ standings: work, actions: [] }, 3)).toMatchObject({ level: 3, carries: {}, own: { docs: 3 } });
    // A critical fault that was missed keeps it from all of them but 2.
    const missed = [...outcomes(600, 0), ...outcomes(1, 1, { outcome: "missed", critical: true })];
    expect(levelBy({ standings: standingsOf(missed), actions: [] }, 3)).toBe("level_unearned");
    expect(levelBy({ standings: standingsOf(missed), actions: [] }, 2)).toMatchObject({ level: 2 });
  });
});

describe("SAFE-4: at level 0 Forge reports and does nothing else", () => {
  const fix = { file: "src/a.ts", startLine: 4, endLine: 4, before: "a", after: "b" };
  const posted = (story: Story) => {
    story.when(headChanged(A));
    story.when(observed("run-a", A));
    story.when(finished("run-a", [finding("one", { fix })]));
    return story.effects.flatMap((effect) => (effect.kind === "review.post" ? effect.payload.findings : []));
  };

  it("suggests nothing and commits nothing", () => {
    const usual = posted(given());
    expect(usual[0]).toHaveProperty("fix");
    const story = given();
    say(story, 0);
    const [reported] = posted(story);
    expect(reported).toMatchObject({ id: "F-one" });
    expect(reported).not.toHaveProperty("fix");
    const checks = story.effects.flatMap((effect) => (effect.kind === "check.complete" ? [effect.payload.report] : []));
    const inCheck = checks.flatMap((report) => (report.kind === "reviewed" ? report.findings : []));
    expect(inCheck.map(({ finding: it }) => [it.id, it.fix])).toEqual([["F-one", undefined]]);
    const branch = { isDefault: false, isProtected: false };
    story.when(command({ name: "fix", findings: [] }, { branch }));
    expect(story.refusal()).toEqual({ reason: "reports_only", name: "fix" });
    say(story, 1);
    story.when(command({ name: "fix", findings: [] }, { branch, cap: 0 }));
    expect(story.refusal()).toEqual({ reason: "reports_only", name: "fix" });
  });
});
