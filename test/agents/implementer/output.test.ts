import { describe, expect, it } from "vitest";
import { feedbackOutput, ImplementerOutput } from "../../../src/agents/implementer/output.ts";

const good = {
  summary: "Answers 429.",
  files_changed: ["src/server.ts"],
  tests_added: ["answers 429"],
  validated: true,
  commit: { type: "feat", subject: "answer 429" },
};
const answer = (id: string) => ({ id, done: true, answer: "Done in src/a.ts:3." });
const problems = (
  schema: { safeParse: (value: unknown) => { error?: { message: string } | undefined } },
  value: unknown,
) => schema.safeParse(value).error?.message ?? "";

describe("what an implementer hands in", () => {
  it("IMPL-1: says what changed and whether it was seen to work", () => {
    expect(ImplementerOutput.safeParse(good).success).toBe(true);
    expect(problems(ImplementerOutput, { ...good, validated: false })).toContain("say in not_done what was not run");
    expect(problems(ImplementerOutput, { ...good, commit: undefined })).toContain("a commit is needed");
    const nothing = { ...good, files_changed: [], commit: undefined };
    expect(problems(ImplementerOutput, nothing)).toContain("say in not_done why");
    expect(ImplementerOutput.safeParse({ ...nothing, not_done: "It is there already." }).success).toBe(true);
    expect(problems(ImplementerOutput, { ...good, files_changed: ["../x"] })).toContain("inside the repository");
  });

  it("IMPL-2: answers every piece of feedback, once, and nothing else", () => {
    const schema = feedbackOutput(["F1", "T2", "C3"]);
    const answers = ["F1", "T2", "C3"].map(answer);
    expect(schema.safeParse({ ...good, answers }).success).toBe(true);
    expect(problems(schema, { ...good, answers: answers.slice(1, 2) })).toContain("no answer to F1, C3: answer each");
    expect(problems(schema, { ...good, answers: [...answers, answer("X9")] })).toContain(
      "there is no feedback X9: the ids are F1, T2, C3",
    );
    expect(problems(schema, { ...good, answers: [...answers, answer("T2")] })).toContain("more than one answer to T2");
    expect(problems(schema, good)).toContain("answers");
    const nothing = { ...good, files_changed: [], commit: undefined, validated: false, answers };
    expect(schema.safeParse(nothing).success).toBe(true);
  });
});
