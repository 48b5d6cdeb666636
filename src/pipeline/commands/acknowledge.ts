import type { Answer } from "../../domain/answers.ts";
import { type CommandSource, commandKey, questionTrace, sourceKey } from "../../domain/command-source.ts";
import { defined } from "../../domain/defined.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { CommandGiven, CommandsVoid, EffectFailed, QuestionSettled, RequestMade } from "../../domain/inputs.ts";
import type { NewJob } from "../../domain/jobs.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { applyEffects, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import type { SubjectFacts } from "../runs/subject-facts.ts";
import { requestOf } from "./command-result.ts";

type Reaction = Extract<Effect, { kind: "comment.react" }>["payload"]["content"];

/** A reaction on the comment, where GitHub has one; the same for all commands of a comment, so that it is put there once. */
export function react(
  input: { readonly subject: Subject; readonly source: CommandSource },
  content: Reaction,
): Effect[] {
  const { subject, source } = input;
  if (source.kind !== "issue_comment" && source.kind !== "review_comment") return [];
  return [
    {
      kind: "comment.react",
      key: effectKey("comment.react", subjectKey(subject), sourceKey(source), content),
      payload: { comment: source.kind, commentId: Number(source.id), content },
    },
  ];
}

/** An answer in words where the command was given: in its thread, else in the conversation. */
export function reply(input: Pick<CommandGiven, "subject" | "source" | "index" | "thread">, answer: Answer): Effect {
  const { subject, source } = input;
  const thread = input.thread ?? (source.kind === "review_comment" ? Number(source.id) : undefined);
  return {
    kind: "comment.reply",
    key: effectKey("comment.reply", subjectKey(subject), sourceKey(source), requestOf(input)),
    payload: { ...defined({ thread }), answer },
  };
}

/** How a kind of run takes a comment. */
interface Taking {
  /** Why it is not for Forge. */
  readonly ignored?: string | undefined;
  /** What may be talk among people is not acknowledged before it is known to be meant for Forge. */
  readonly quiet: boolean;
  /** Who reads it, where that is not whoever reads commands. */
  readonly job?: NewJob;
}

/** A comment was seen: it is taken once, whichever events it causes, and acknowledged before anything is read or done (GH-4). */
export function takeComment(facts: SubjectFacts, input: RequestMade, { ignored, quiet, job }: Taking): Decision {
  const { subject, source, by, deliveryId, at } = input;
  if (facts.taken.has(sourceKey(source))) return ignore("this comment was taken before");
  if (by.kind !== "user") return ignore("bots start nothing");
  if (ignored !== undefined) return ignore(ignored);
  const runId = subjectKey(subject);
  const taken: NewEvent = { type: "comment.taken", payload: { subject, source, deliveryId }, actor: by };
  const effects = quiet ? [] : react(input, "eyes");
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: facts.version, events: [taken] }],
    effects: effects.length > 0 ? [{ runId, headSha: "", effects }] : [],
    jobs: [job ?? readCommands(input), ...(effects.length > 0 ? [applyEffects(subject, at)] : [])],
  };
}

function readCommands({ subject, source, at, by, thread, bodyHash, press, plain, talk }: RequestMade): NewJob {
  return {
    kind: "command",
    key: `command:${subjectKey(subject)}`,
    payload: {
      ...{ subject, source, plain, by },
      ...defined({ thread, talk: talk || undefined, bodyHash: bodyHash || undefined, press }),
    },
    runAt: at,
    priority: 0,
  };
}

/**
 * Nothing of a comment is carried out; whoever gave it sees that by the reaction, and in words where GitHub has none (GH-12a) or where somebody
 * has to say it again who did nothing wrong.
 */
export function voidComment(facts: SubjectFacts, input: CommandsVoid): Decision {
  const { subject, source, by, thread, refusal, at } = input;
  if (facts.settled.has(commandKey(source, -1))) return ignore("this comment was settled before");
  const runId = subjectKey(subject);
  const payload = { source, index: -1, refusal };
  const refused: NewEvent = { type: "command.refused", payload, ...defined({ actor: by }) };
  // A log begins with what names its subject; of a delivery nothing was noted before.
  const taken: NewEvent = {
    type: "comment.taken",
    payload: { subject, source, deliveryId: source.id },
    ...defined({ actor: by }),
  };
  const events = source.kind === "delivery" ? [taken, refused] : [refused];
  const reaction = react(input, "confused");
  const answer = { kind: "refused", login: by?.login ?? "", refusal } as const;
  const isSaid = refusal.reason === "lost" || (reaction.length === 0 && refusal.reason === "failed");
  const said = isSaid ? [reply({ subject, source, index: -1, ...defined({ thread }) }, answer)] : [];
  const effects = [...reaction, ...said];
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: facts.version, events }],
    effects: effects.length > 0 ? [{ runId, headSha: "", effects }] : [],
    jobs: effects.length > 0 ? [applyEffects(subject, at)] : [],
  };
}

/**
 * Forge ended again and again while it wrote something, which is given up: where it should stand people read that it does not. Nothing where that
 * is itself what could not be written, nor for a reaction.
 */
export function sayUnwritten({
  subject: about,
  on: subject = about,
  effect,
  error,
  notice,
  at,
}: EffectFailed): Decision {
  if (error.code !== "set_aside" || notice || effect.kind === "comment.react") return NOTHING;
  const runId = subjectKey(subject);
  const said: Effect = {
    kind: "comment.reply",
    key: effectKey("comment.reply", runId, "unwritten", effect.key),
    payload: { answer: { kind: "unwritten", what: effect.kind } },
  };
  return { ...NOTHING, effects: [{ runId, headSha: "", effects: [said], subject }], jobs: [applyEffects(subject, at)] };
}

/** A question gets one answer, or one reason why there is none, where it was asked; whoever works on it a second time changes nothing. */
export function settleQuestion(facts: SubjectFacts, input: QuestionSettled): Decision {
  const { subject, source, index, by, at, outcome, costUsd } = input;
  if (facts.answered.has(commandKey(source, index))) return ignore("this question was answered before");
  const refusal = "refusal" in outcome ? outcome.refusal : undefined;
  const answer = "answer" in outcome ? outcome.answer : ({ kind: "refused", login: by.login, ...outcome } as const);
  const payload = { source, index, traceId: questionTrace(source), costUsd, ...defined({ refusal }) };
  const settled: NewEvent = { type: "question.settled", payload, actor: by };
  const runId = subjectKey(subject);
  const effects = [...react(input, refusal ? "confused" : "rocket"), reply(input, answer)];
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: facts.version, events: [settled] }],
    effects: [{ runId, headSha: "", effects }],
    jobs: [applyEffects(subject, at)],
  };
}
