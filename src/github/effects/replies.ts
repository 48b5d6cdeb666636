import { GitHubCallFailed } from "../github-call-failed.ts";
import { markerFor } from "../marker.ts";
import { answerText } from "../words/answers.ts";
import { type EffectHandler, nothingToFind } from "./effect-ports.ts";

/** A reaction on a comment; GitHub keeps one of a kind from each account. */
export const react: EffectHandler<"comment.react", undefined> = {
  find: nothingToFind,
  send: async ({ payload: { comment, commentId, content } }, _, { write }) => {
    try {
      await write.react(comment, commentId, content);
      return { kind: "done", result: {} };
    } catch (error) {
      // A locked conversation or a missing permission: an acknowledgement less, and nothing that somebody has to mend.
      const isNo = error instanceof GitHubCallFailed && ["forbidden", "refused"].includes(error.failure.cause);
      if (isNo) return { kind: "obsolete", reason: error.failure.message };
      throw error;
    }
  },
};

/** An answer in words: in the thread it belongs to, else in the conversation. */
export const reply: EffectHandler<"comment.reply", undefined> = {
  find: async (effect, { repository, markerSecret }) => {
    const { number } = effect.subject;
    const isInThread = effect.payload.thread !== undefined;
    const there = isInThread ? await repository.listReviewComments(number) : await repository.listComments(number);
    const marker = markerFor(effect, markerSecret);
    const isSaid = there.some(({ byBot, body }) => byBot && body.includes(marker));
    return isSaid ? { settled: { kind: "done", result: {} } } : { there: undefined };
  },
  send: async (effect, _, { write, markerSecret, wording }) => {
    const { thread, answer } = effect.payload;
    const { number, kind } = effect.subject;
    const body = `${answerText(answer, wording, kind)}\n${markerFor(effect, markerSecret)}`;
    if (thread === undefined) await write.createComment(number, body);
    else await write.replyInThread(number, thread, body);
    return { kind: "done", result: {} };
  },
};
