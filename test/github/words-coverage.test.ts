import { describe, expect, it } from "vitest";
import { type Coverage, LACKS, type Lack, type Landing } from "../../src/domain/coverage.ts";
import { coverageLines, uncoveredHeadline } from "../../src/github/words/deploy/coverage-text.ts";
import { ruleText } from "../../src/github/words/deploy/rule-text.ts";
import { answerTo } from "../../src/pipeline/deploy/rule/answer-to.ts";

const wording = { allowedHosts: ["github.com"], redact: (text: string) => text };
const sha = (digit: string) => digit.repeat(40);
const landing = (lacks: readonly Lack[], more: Partial<Landing> = {}): Landing => {
  return {
    sha: sha("3"),
    title: "Sum right",
    commits: 1,
    pull: 12,
    head: sha("b"),
    waivers: [],
    lacks: [...lacks],
    ...more,
  };
};
const coverage = (landings: readonly Landing[], more: Partial<Coverage> = {}): Coverage => {
  return {
    requires: ["review", "tests"],
    from: { sha: sha("1"), by: "record" },
    landings: [...landings],
    beyond: 0,
    ...more,
  };
};
const lines = (of: Coverage) => coverageLines(of, "production", wording).join("\n");

describe("DEP-4: the words for what was not looked at", () => {
  it.each(LACKS)("name the commit and say why: %s", (lack) => {
    const text = lines(coverage([landing([lack], { other: lack === "other_head" ? sha("a") : "release" })]));
    expect(text).toMatch(/^- `3333333` Sum right \(#12\): .+\.$/);
  });

  it("say nothing where all is covered", () => {
    expect(uncoveredHeadline(coverage([landing([])]))).toBeUndefined();
    expect(lines(coverage([landing([])]))).toBe("");
  });

  it("count commits, name ten, and tell of the rest", () => {
    const many = Array.from({ length: 14 }, () => landing(["direct"], { pull: undefined }));
    const all = coverage([...many, landing([], { commits: 5 })], { beyond: 3 });
    expect(uncoveredHeadline(all)).toBe("17 of 22 commits were not looked at as this environment requires");
    expect(lines(all).split("\n")).toHaveLength(12);
    expect(lines(all)).toContain("- 4 further steps of the branch like these.");
    expect(lines(all)).toContain("- 3 older steps of the branch beyond what Forge looks through at once.");
  });

  it("say how to begin where it is not known what runs, and name what people let pass and what is not required", () => {
    const waivers = [{ of: "review", how: "override", by: "eva", reason: "a false alarm" }] as const;
    const text = lines(coverage([landing([], { waivers: [...waivers] })], { from: undefined, requires: ["review"] }));
    expect(text).toContain("`/forge deploy production <commit> --from <commit that runs there>`");
    expect(text).toContain("- #12: `eva` let the review pass: a false alarm");
    expect(text).toContain("This environment requires only reviews, no tests");
  });

  it("fit into what GitHub takes from a rule", () => {
    const facts = {
      sha: sha("3"),
      ref: "main",
      merged: true,
      older: false,
      changes: [],
      more: 0,
      direct: 0,
      migrations: [],
    };
    const look = {
      of: "others",
      facts: { ...facts, coverage: coverage(Array.from({ length: 9 }, () => landing(["direct"]))) },
    } as const;
    const asked = { workflowRunId: 1, environment: "x".repeat(200), sha: sha("3") };
    const text = ruleText({ asked, answer: answerTo(look) }, wording);
    expect(text.length).toBeLessThanOrEqual(1_024);
    expect(text).toContain("`3333333` (#12): it came by no pull request");
    expect(text).toContain("and 6 more");
  });
});
