import { describe, expect, it } from "vitest";
import { RepoConfig } from "../../../src/domain/repo-config.ts";
import type { DiffCoverage } from "../../../src/domain/test-report.ts";
import { A, B, type IssueStory, inTesting, pushed, reviewed, tested, worked } from "./story.ts";

const WANTED = RepoConfig.parse({});
const TOLD = RepoConfig.parse({ tools: { missing_tests: "report" } });
const missed = (covered: number): DiffCoverage => {
  return {
    covered,
    executable: 10,
    missed: [
      {
        path: "src/1.ts",
        ranges: [
          [3, 5],
          [9, 9],
        ],
      },
    ],
  };
};
const answered = { commits: [], answers: [{ id: "U1", done: false, answer: "the lines only log" }] };

/** The tests of the first head leave three of ten lines out. */
function withGaps(risk: "low" | "high" = "low"): IssueStory {
  const story = inTesting(risk, WANTED);
  story.when(tested(A, { coverage: missed(7) }));
  return story;
}

describe("TEST-1: missing tests", () => {
  it("lines that no test reaches go back to the implementer, by file", () => {
    const { run, next } = withGaps();
    expect(next).toBe("implementation");
    expect(run).toMatchObject({ cause: "coverage", bounces: { coverage: 1 } });
    expect(run.feedback).toEqual([
      {
        from: "coverage",
        id: "U1",
        file: "src/1.ts",
        ranges: [
          [3, 5],
          [9, 9],
        ],
        message: expect.stringContaining("No test reaches the lines 3 to 5, 9."),
      },
    ]);
  });

  it("only once: what is still not reached afterwards is said, and the pull request is ready", () => {
    const story = withGaps();
    for (const input of [worked(B), pushed(B), reviewed(B), tested(B, { coverage: missed(7) })]) story.when(input);
    expect(story.run).toMatchObject({ pull: { ready: true }, bounces: { coverage: 1 }, gates: [] });
  });

  it("where the implementer adds none, nobody is asked: the tests that there are passed", () => {
    const story = withGaps();
    expect(story.when(worked(A, answered)).types).toEqual([
      "work.completed",
      "phase.completed",
      "phase.entered",
      "pull.ready",
    ]);
    expect(story.run).toMatchObject({ pull: { ready: true }, gates: [] });
    const risky = withGaps("high");
    risky.when(worked(A, answered));
    expect(risky.standings()).toEqual(["G-1 high_risk_change open"]);
  });

  it("a later round that changes nothing gets past neither failing tests nor a review that is missing", () => {
    const failing = withGaps();
    for (const input of [worked(B), pushed(B), reviewed(B)]) failing.when(input);
    failing.when(tested(B, { outcome: "failed", failed: 1 }));
    failing.command({ name: "retry", phase: "implementation" });
    failing.when(worked(B, answered));
    expect(failing.run.pull?.ready).toBe(false);
    expect(failing.standings().at(-1)).toBe("G-2 bounces_used open");

    const unseen = withGaps();
    for (const input of [worked(B), pushed(B)]) unseen.when(input);
    unseen.command({ name: "stop" });
    unseen.command({ name: "retry", phase: "implementation" });
    unseen.when(worked(B, answered));
    expect(unseen.standings().at(-1)).toBe("G-1 bounces_used open");
  });

  it.each([
    ["the repository wants a report only", inTesting("low", TOLD), { coverage: missed(7) }],
    ["tests reach 80 % of the lines", inTesting("low", WANTED), { coverage: missed(8) }],
    ["nothing of the change can be executed", inTesting("low", WANTED), { coverage: { ...missed(0), executable: 0 } }],
    ["coverage is not known", inTesting("low", WANTED), {}],
  ])("not where %s", (_when, story, outcome) => {
    story.when(tested(A, outcome));
    expect(story.run).toMatchObject({ pull: { ready: true }, bounces: {} });
  });

  it("failing tests come first", () => {
    const story = inTesting("low", WANTED);
    const failures = [{ name: "limits", message: "no", class: "bug" as const, fix: "count", confidence: 0.9 }];
    story.when(tested(A, { outcome: "failed", failed: 1, failures, coverage: missed(7) }));
    expect(story.run.cause).toBe("tests");
  });
});
