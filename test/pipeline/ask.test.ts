import { describe, expect, it } from "vitest";
import type { Command } from "../../src/domain/commands.ts";
import type { QuestionSettled } from "../../src/domain/inputs.ts";
import { questionHash } from "../../src/pipeline/commands/give-ask.ts";
import { A, ana, command, given, headChanged, minute, OWN, subject } from "./story.ts";

const ASK: Command = { name: "ask", question: "who calls it?" };
const source = { kind: "review_comment", id: "12" } as const;
const cost = { usd: 0.02, tokens: 900, cachedShare: 0, calls: 2, models: ["anthropic/m"] };

function settled(to: Partial<QuestionSettled> = {}): QuestionSettled {
  const answer = { kind: "asked", by: "ana", headSha: A, answer: "Nobody.", cost } as const;
  return {
    ...{ type: "question.settled", subject, at: minute(6), newRunId: "unused", source, index: 0, by: ana },
    ...{ thread: 9, outcome: { answer }, costUsd: 0.02 },
    ...to,
  };
}

describe("/forge ask", () => {
  it("is taken by a job that names the question by its hash alone, and is not done yet", () => {
    const story = given(headChanged(A));
    const decision = story.when(command(ASK, { source, thread: 9, role: "triage" }));
    expect(decision.jobs).toEqual([
      {
        kind: "ask",
        key: `ask:${OWN}`,
        payload: { subject, source, index: 0, by: ana, thread: 9, questionHash: questionHash("who calls it?") },
        runAt: minute(5),
      },
    ]);
    expect(story.effectsOf(decision)).toEqual([]);
    expect(story.when(command(ASK, { role: "read" })).jobs.map(({ kind }) => kind)).toEqual(["effects"]);
  });

  it("GH-4: is answered once where it was asked, whoever works on it a second time", () => {
    const story = given(headChanged(A));
    const first = story.when(settled());
    expect(story.effectsOf(first)).toEqual(["comment.react", "comment.reply"]);
    expect(story.effects.map(({ payload }) => payload)).toMatchObject([
      ...story.effects.slice(0, -2).map(({ payload }) => payload),
      { content: "rocket", commentId: 12 },
      { thread: 9, answer: { kind: "asked", answer: "Nobody." } },
    ]);
    expect(first.appends[0]?.events).toMatchObject([
      { type: "question.settled", payload: { traceId: "ask:review_comment:12", costUsd: 0.02 }, actor: ana },
    ]);
    expect(story.when(settled()).ignored).toBe("this question was answered before");
    expect(story.when(settled({ index: 1 })).ignored).toBeUndefined();
  });

  it("says why there is no answer, and status can tell it later", () => {
    const story = given(headChanged(A));
    const refusal = { reason: "no_model", why: "not_configured" } as const;
    const decision = story.when(settled({ outcome: { refusal } }));
    expect(story.effectsOf(decision)).toEqual(["comment.react", "comment.reply"]);
    expect(story.effects.at(-2)?.payload).toMatchObject({ content: "confused" });
    expect(story.effects.at(-1)?.payload).toMatchObject({ answer: { kind: "refused", login: "ana", refusal } });
    const status = story.when(command({ name: "status" }));
    expect(JSON.stringify(status.effects)).toContain('"refusal":{"reason":"no_model"');
  });
});
