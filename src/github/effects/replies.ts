import { numberOf } from "../../domain/subjects.ts";
import { GitHubCallFailed } from "../classify-failure.ts";
import { findMarker, markerFor } from "../marker.ts";
import { answerText } from "../words/command/answers.ts";
import { backReply, goneReply } from "../words/review/review-comments.ts";
import { type EffectHandler, type EffectOf, type Found, type Look, nothingToFind, type Send } from "./effect-ports.ts";

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
    const number = numberOf(effect.subject);
    const isInThread = effect.payload.thread !== undefined;
    const there = isInThread ? await repository.listReviewComments(number) : await repository.listComments(number);
    const marker = markerFor(effect, markerSecret);
    const isSaid = there.some(({ byBot, body }) => byBot && body.includes(marker));
    return isSaid ? { settled: { kind: "done", result: {} } } : { there: undefined };
  },
  send: async (effect, _, { write, markerSecret, wording }) => {
    const { thread, answer } = effect.payload;
    const number = numberOf(effect.subject);
    const body = `${answerText(answer, wording, effect.subject.kind)}\n${markerFor(effect, markerSecret)}`;
    if (thread === undefined) await write.createComment(number, body);
    else await write.replyInThread(number, thread, body);
    return { kind: "done", result: {} };
  },
};

type Effect = EffectOf<"thread.resolve" | "thread.reopen">;

interface Begun {
  /** An earlier attempt said in the thread what is to be said. */
  readonly replied: boolean;
}

/**
 * Resolves a finding's thread and says in it that the finding is fixed or outdated (GH-3a). One that people began, that people resolved or that is gone
 * is left as it is. Where Forge may not resolve it, the reply asks a person to.
 */
export const resolveThread: EffectHandler<"thread.resolve", Begun> = {
  find: findReply,
  send: async (effect, there, ports) => {
    const { commentId, because } = effect.payload;
    const thread = await ports.repository.findThread(numberOf(effect.subject), commentId);
    // An earlier attempt may have resolved it and not come to the reply.
    if (!thread?.byBot || (thread.resolved && !there)) return { kind: "done", result: {} };
    const resolved = thread.resolved || (await setResolved(ports, thread.id, true));
    if (because.kind !== "dismissed" && !there?.replied) await say(effect, goneReply(because, resolved), ports);
    return { kind: "done", result: {} };
  },
};

/** Opens the thread of a finding again, and says in it that the finding is back, when it was gone (GH-3a). */
export const reopenThread: EffectHandler<"thread.reopen", Begun> = {
  find: findReply,
  send: async (effect, there, ports) => {
    const { commentId, headSha } = effect.payload;
    const thread = await ports.repository.findThread(numberOf(effect.subject), commentId);
    if (!thread?.byBot) return { kind: "done", result: {} };
    if (headSha !== undefined && !there?.replied) await say(effect, backReply(headSha), ports);
    if (thread.resolved) await setResolved(ports, thread.id, false);
    return { kind: "done", result: {} };
  },
};

async function findReply(effect: Effect, { repository, markerSecret }: Look): Promise<Found<Begun>> {
  const there = await repository.listReviewComments(numberOf(effect.subject));
  const replied = there.some(({ byBot, body }) => byBot && findMarker(body, effect, markerSecret));
  return { there: { replied } };
}

async function say(effect: Effect, said: string, { write, markerSecret }: Send): Promise<void> {
  const body = `${said}\n${markerFor(effect, markerSecret)}`;
  await write.replyInThread(numberOf(effect.subject), effect.payload.commentId, body);
}

/** Whether it could: where the App may not write contents, GitHub lets it resolve nothing (GH-3a, GH-16). */
async function setResolved({ write }: Send, threadId: string, resolved: boolean): Promise<boolean> {
  try {
    await write.setThreadResolved(threadId, resolved);
    return true;
  } catch (error) {
    if (!(error instanceof GitHubCallFailed && error.failure.cause === "forbidden")) throw error;
    return false;
  }
}
