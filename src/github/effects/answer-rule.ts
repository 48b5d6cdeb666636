import { ruleText } from "../words/deploy/rule-text.ts";
import type { EffectHandler } from "./effect-ports.ts";
import { orRefused } from "./metered-writes.ts";

/** What GitHub says where there is nothing left to answer: https://github.com/open-security-tools/ost-environment-gate */
const DONE = /No pending deployment requests|has already been reviewed/i;
/** One of several jobs was answered: the others still wait. */
const IN_PART = /problem approving one of the gates/i;
const AGAIN_MS = 5_000;

/**
 * Answers as the rule of an environment, or reports why it waits. What waits is looked up before each sending: a matrix asks for every job,
 * and one answer is for all of a run.
 */
export const answerRule: EffectHandler<"rule.answer", undefined> = {
  // A report that may have been written is not written again: there are ten of them.
  find: async ({ payload: { answer } }) =>
    answer.is === "waits" ? { settled: { kind: "done", result: {} } } : { there: undefined },
  send: async ({ payload }, _, { repository, write, wording, now }) => {
    const { asked, answer } = payload;
    const { workflowRunId: run, environment } = asked;
    if (!(await repository.waitsFor(run, environment))) {
      return { kind: "obsolete", reason: "no job waits for this environment any more" };
    }
    const comment = ruleText(payload, wording);
    const state = answer.is === "waits" ? {} : { state: answer.is };
    const sent = await orRefused(write.answerRule(run, { environment, comment, ...state }));
    if (sent.ok || DONE.test(sent.message)) return { kind: "done", result: {} };
    const at = new Date(Date.parse(now()) + AGAIN_MS).toISOString();
    if (IN_PART.test(sent.message)) return { kind: "retry", at, reason: sent.message };
    // Another report more or less is nothing that somebody has to mend.
    return { kind: "obsolete", reason: sent.message };
  },
};
