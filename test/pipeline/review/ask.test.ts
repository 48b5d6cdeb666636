import { describe, expect, it } from "vitest";
import type { Command } from "../../../src/domain/commands.ts";
import type { Finding } from "../../../src/domain/findings.ts";
import type { QuestionSettled, ReplyRead, RequestMade } from "../../../src/domain/inputs.ts";
import { questionHash } from "../../../src/pipeline/review/commands/give-ask.ts";
import {
  A,
  ana,
  command,
  ends,
  finding,
  finished,
  given,
  headChanged,
  minute,
  OWN,
  observed,
  subject,
} from "./story.ts";

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

describe("GH-8a: a reply that a model has read", () => {
  const ofModel = { source: "ai", rule: "ai/logic", severity: "error" } as const;

  /** Head A was reviewed, and the finding stands in the thread 9. */
  function discussed(to: Partial<Finding> = {}) {
    const story = given(
      headChanged(A),
      observed("run-a", A),
      finished("run-a", [finding("AAA", { ...ofModel, ...to })]),
    );
    const placed = [{ findingId: "F-AAA", placement: "comment", commentId: 9 }] as const;
    story.when({ ...finished("run-a", []), type: "findings.posted", placed: [...placed] });
    return story;
  }

  function read(to: Partial<ReplyRead> = {}): ReplyRead {
    return {
      ...{ type: "reply.read", subject, at: minute(6), newRunId: "unused", source, by: ana, role: "triage", thread: 9 },
      ...{ said: "Never\n empty: see the caller.", verdict: "withdraw", answer: "The caller checks.", cost },
      pull: { open: true, ends: ends(A), title: "Add a cart" },
      ...to,
    };
  }

  const talk = (to: Partial<RequestMade> = {}): RequestMade => ({
    ...{ type: "request.made", subject, at: minute(4), newRunId: "unused", source, by: ana, deliveryId: "d1" },
    ...{ bodyHash: "0", plain: false, talk: true, thread: 9 },
    ...to,
  });

  it("is read in a finding's thread only, once, by people, quietly, and not where Forge is paused", () => {
    const story = discussed();
    expect(story.when(talk({ thread: 8 })).ignored).toBe("the reply is in no finding's thread");
    expect(story.when(talk({ by: { ...ana, kind: "bot" } })).ignored).toBe("bots start nothing");
    const decision = story.when(talk());
    expect(decision.jobs).toMatchObject([
      { kind: "ask", payload: { talk: true, thread: 9, questionHash: "0" } },
      { kind: "learn" },
    ]);
    expect(decision.effects).toEqual([]);
    expect(story.when(talk()).ignored).toBe("this comment was taken before");
    story.when(command({ name: "pause", repository: false }));
    expect(story.when(talk({ source: { ...source, id: "13" } })).ignored).toBe("Forge is paused");
  });

  it("withdraws what only a model claimed, on that person's word, and says so once", () => {
    const story = discussed();
    const decision = story.when(read());
    expect(story.effectsOf(decision)).toEqual(["check.revise", "thread.resolve", "comment.reply"]);
    expect(story.ledger.get("F-AAA")).toMatchObject({
      state: "dismissed",
      dismissal: {
        by: ana,
        reason: "withdrawn after the reply: Never empty: see the caller.",
        scope: { kind: "here" },
      },
    });
    expect(story.effects.at(-1)?.payload).toMatchObject({ thread: 9, answer: { outcome: "withdrawn", by: "ana" } });
    expect(story.when(read()).ignored).toBe("this reply was answered before");
  });

  it.each<[string, Partial<Finding>, Partial<ReplyRead>]>([
    ["a program found", { source: "static" }, {}],
    ["a test showed", { verified: "fix" }, {}],
    ["the person may not dismiss", { severity: "critical", category: "security" }, {}],
  ])("withdraws nothing that %s", (_name, to, by) => {
    const story = discussed(to);
    expect(story.effectsOf(story.when(read(by)))).toEqual(["comment.reply"]);
    expect(story.ledger.get("F-AAA")).toMatchObject({ state: "open" });
    expect(story.effects.at(-1)?.payload).toMatchObject({ answer: { outcome: "kept" } });
  });

  it("answers with why it stands, and leaves talk alone", () => {
    const story = discussed();
    expect(story.effectsOf(story.when(read({ verdict: "stands" })))).toEqual(["comment.reply"]);
    expect(story.effects.at(-1)?.payload).toMatchObject({
      answer: { outcome: "stands", answer: "The caller checks." },
    });
    const other = { ...source, id: "14" };
    const nothing = story.when(read({ verdict: "nothing", answer: "", source: other }));
    expect([nothing.effects, nothing.jobs, nothing.appends[0]?.events.length]).toEqual([[], [], 1]);
  });
});
