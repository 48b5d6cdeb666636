import { describe, expect, test } from "vitest";
import { Feedback, FeedbackAnswer, IssueSnapshot } from "../../src/domain/implementation.ts";
import { Estimate, Plan } from "../../src/domain/plan.ts";
import { TestOutcome } from "../../src/domain/test-report.ts";

const task = { id: "1", title: "Write the limiter", description: "A sliding window.", files: ["src/limiter.ts"] };
const plan = {
  title: "Limit logins",
  kind: "feat",
  summary: "The issue asks for a limit.",
  tasks: [task],
  acceptance_criteria: ["the sixth attempt gets 429"],
  risk: { level: "low", reasons: [] },
  complexity: "small",
  effort_minutes: 10,
};

describe("PLAN-1: a plan that does not hold together is refused with the reason", () => {
  test("a good one is taken, and what was left out is empty", () => {
    expect(Plan.parse(plan)).toMatchObject({ tasks: [{ depends_on: [] }], constraints: [], not_included: [] });
  });

  test.each(["../outside.ts", "/etc/passwd", "src/../../x", ".git/config", "a//b", "C:\\x"])("the file %s", (path) => {
    const outside = Plan.safeParse({ ...plan, tasks: [{ ...task, files: [path] }] });
    expect(outside.error?.issues).toMatchObject([{ path: ["tasks", 0, "files", 0] }]);
  });

  test("tasks that stand twice or depend on what comes later", () => {
    const twice = Plan.safeParse({ ...plan, tasks: [task, task] });
    expect(twice.error?.issues[0]?.message).toBe("task 1 stands twice");
    const later = Plan.safeParse({
      ...plan,
      tasks: [
        { ...task, depends_on: ["2"] },
        { ...task, id: "2" },
      ],
    });
    expect(later.error?.issues[0]?.message).toContain('task 1 depends on "2", which is no task before it');
  });
});

describe("what is kept of an implementation has its shape", () => {
  test.each([
    [Estimate, { lowUsd: -1, highUsd: 0, minutes: 1 }],
    [TestOutcome, { headSha: "a", outcome: "green" }],
    [Feedback, { from: "review", id: "1" }],
    [FeedbackAnswer, { id: "1", done: "yes", answer: "" }],
    [IssueSnapshot, { title: "x" }],
  ])("%#", (schema, bad) => {
    expect(schema.safeParse(bad).success).toBe(false);
  });
});
