import { commandKey, sourceKey } from "../../../domain/commands.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { CommandsVoid, CommentGiven } from "../../../domain/inputs.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { react, reply } from "../../runs/commands/acknowledge.ts";
import { applyEffects, type Decision, ignore, NOTHING, type SubjectView } from "../../runs/decision.ts";

/** A comment with commands was seen: it is taken once, whichever events it causes, and acknowledged before anything is read or done (GH-4). */
export function takeComment(view: SubjectView, input: CommentGiven): Decision {
  const { subject, source, by, deliveryId, at, plain, thread, bodyHash, press, talk = false } = input;
  if (view.facts.taken.has(sourceKey(source))) return ignore("this comment was taken before");
  if (by.kind !== "user") return ignore("bots start nothing");
  if ((plain || talk) && !view.ledger.some(({ commentId }) => commentId !== undefined && commentId === thread)) {
    return ignore("the reply is in no finding's thread");
  }
  if (talk && (view.facts.pause || view.repository.pause)) return ignore("Forge is paused");
  const runId = subjectKey(subject);
  const taken: NewEvent = { type: "comment.taken", payload: { subject, source, deliveryId }, actor: by };
  if (talk) {
    const payload = { subject, source, index: 0, by, questionHash: bodyHash ?? "", talk };
    return {
      ...NOTHING,
      appends: [{ runId, expectedVersion: view.facts.version, events: [taken] }],
      jobs: [{ kind: "ask", key: `ask:${runId}`, payload: { ...payload, ...(thread ? { thread } : {}) }, runAt: at }],
    };
  }
  // Talk in a thread is not acknowledged before it is known to be meant for Forge.
  const effects = plain ? [] : react(input, "eyes");
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: view.facts.version, events: [taken] }],
    effects: effects.length > 0 ? [{ runId, headSha: "", effects }] : [],
    jobs: [
      {
        kind: "command",
        key: `command:${runId}`,
        payload: { subject, source, plain, ...(bodyHash ? { bodyHash } : {}), ...(press ? { press } : {}) },
        runAt: at,
        priority: 0,
      },
      ...(effects.length > 0 ? [applyEffects(subject, at)] : []),
    ],
  };
}

/** Nothing of a comment is carried out; whoever gave it sees that by the reaction, and where GitHub has none in words (GH-12a). */
export function voidComment(view: Pick<SubjectView, "facts">, input: CommandsVoid): Decision {
  const { subject, source, by, refusal, at } = input;
  if (view.facts.settled.has(commandKey(source, -1))) return ignore("this comment was settled before");
  const runId = subjectKey(subject);
  const payload = { source, index: -1, refusal };
  const event: NewEvent = { type: "command.refused", payload, ...(by ? { actor: by } : {}) };
  const reaction = react(input, "confused");
  const answer = { kind: "refused", login: by?.login ?? "", refusal } as const;
  const isUnseen = reaction.length === 0 && refusal.reason === "failed";
  const effects = isUnseen ? [reply({ subject, source, index: -1 }, answer)] : reaction;
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: view.facts.version, events: [event] }],
    effects: effects.length > 0 ? [{ runId, headSha: "", effects }] : [],
    jobs: effects.length > 0 ? [applyEffects(subject, at)] : [],
  };
}
