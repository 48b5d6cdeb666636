import { commandKey, questionTrace } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { QuestionSettled } from "../../../domain/inputs.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { react, reply } from "../../runs/commands/acknowledge.ts";
import { applyEffects, type Decision, ignore, NOTHING } from "../../runs/decision.ts";
import type { SubjectView } from "../view.ts";

/** A question gets one answer, or one reason why there is none, where it was asked; whoever works on it a second time changes nothing. */
export function settleQuestion(view: SubjectView, input: QuestionSettled): Decision {
  const { subject, source, index, by, at, outcome, costUsd } = input;
  if (view.facts.answered.has(commandKey(source, index))) return ignore("this question was answered before");
  const refusal = "refusal" in outcome ? outcome.refusal : undefined;
  const answer = "answer" in outcome ? outcome.answer : ({ kind: "refused", login: by.login, ...outcome } as const);
  const payload = { source, index, traceId: questionTrace(source), costUsd, ...defined({ refusal }) };
  const settled: NewEvent = { type: "question.settled", payload, actor: by };
  const runId = subjectKey(subject);
  const effects = [...react(input, refusal ? "confused" : "rocket"), reply(input, answer)];
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: view.facts.version, events: [settled] }],
    effects: [{ runId, headSha: "", effects }],
    jobs: [applyEffects(subject, at)],
  };
}
