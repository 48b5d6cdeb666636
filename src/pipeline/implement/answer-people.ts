import { defined } from "../../domain/defined.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { Feedback, FeedbackAnswer } from "../../domain/implementation.ts";
import { subjectKey } from "../../domain/subjects.ts";
import type { Implementation } from "./implementation.ts";
import { pullSubject } from "./step.ts";

type FromPerson = Extract<Feedback, { from: "person" }>;

/** Each thread of a person gets one answer that says what was done about it; what stood above their review is answered in one comment (GH-6). */
export function answerPeople(run: Implementation): Effect[] {
  const { pull, feedback, answers, work } = run;
  if (!pull || !work) return [];
  const asked = feedback.filter((item) => item.from === "person");
  const answered = asked.flatMap((item) => {
    const answer = answers.find(({ id }) => id === item.id);
    return answer ? [{ item, answer }] : [];
  });
  const changed = work.headSha !== run.pushed;
  const subject = pullSubject(run.subject, pull.number);
  const say = (
    about: string,
    thread: number | undefined,
    said: readonly { item: FromPerson; answer: FeedbackAnswer }[],
  ) => {
    const told = said.map(({ item, answer: { done, answer } }) => {
      return { done, answer, ...(thread === undefined ? { asked: item.message } : {}) };
    });
    const effect: Effect = {
      kind: "comment.reply",
      key: effectKey("comment.reply", subjectKey(subject), work.headSha, run.runId, about),
      payload: {
        ...defined({ thread }),
        answer: { kind: "worked_on", answers: told, headSha: work.headSha, changed },
      },
    };
    return effect;
  };
  const inThreads = answered.filter(({ item }) => item.thread !== undefined);
  const above = answered.filter(({ item }) => item.thread === undefined);
  return [
    ...inThreads.map((one) => say(one.item.id, one.item.thread, [one])),
    ...(above.length > 0 ? [say(above[0]!.item.id, undefined, above)] : []),
  ];
}
