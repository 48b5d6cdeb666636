import type { Answer } from "../../../domain/answers.ts";
import { commandKey, questionTrace } from "../../../domain/command-source.ts";
import type { NewEvent } from "../../../domain/events.ts";
import { isOpen, type LedgerEntry } from "../../../domain/findings.ts";
import type { CommandGiven, ReplyRead } from "../../../domain/inputs.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { reply } from "../../commands/acknowledge.ts";
import type { CommandResult } from "../../commands/command-result.ts";
import { refusedByRole } from "../../commands/decide-command.ts";
import { applyEffects, both, type Decision, ignore, NOTHING } from "../../runs/decision.ts";
import type { SubjectView } from "../view.ts";
import { giveDismissal } from "./give-dismissal.ts";

/** Longest part of a person's words that becomes the reason of a dismissal. */
const MAXIMUM_REASON = 300;

/**
 * What follows from a reply that a model has read (GH-8a): one answer at most, and where the reply convinced it, a dismissal on that
 * person's word. That undoes only what a model claimed and nothing showed, and only where the person could dismiss it themselves.
 */
export function settleReply(view: SubjectView, input: ReplyRead): Decision {
  const { subject, source, by, at, thread, verdict, answer, cost } = input;
  if (view.facts.answered.has(commandKey(source, 0))) return ignore("this reply was answered before");
  const target = view.ledger.find(({ commentId }) => commentId === thread);
  if (!target) return ignore("the finding is not there any more");
  const withdrawal = verdict === "withdraw" ? withdraw(view, input, target) : undefined;
  const payload = { source, index: 0, traceId: questionTrace(source), costUsd: cost.usd };
  const settled: NewEvent = { type: "question.settled", payload, actor: by };
  const runId = subjectKey(subject);
  const outcome = verdict === "stands" ? "stands" : withdrawal ? "withdrawn" : "kept";
  const said: Answer = { kind: "replied", findingId: target.finding.id, by: by.login, outcome, answer, cost };
  const effects = verdict === "nothing" ? [] : [reply({ ...input, index: 0 }, said)];
  return both(withdrawal?.decision ?? NOTHING, {
    ...NOTHING,
    appends: [{ runId, expectedVersion: view.facts.version, events: [settled, ...(withdrawal?.events ?? [])] }],
    effects: effects.length > 0 ? [{ runId, headSha: "", effects }] : [],
    jobs: effects.length > 0 ? [applyEffects(subject, at)] : [],
  });
}

function withdraw(view: SubjectView, input: ReplyRead, target: LedgerEntry): CommandResult | undefined {
  const { finding } = target;
  if (finding.source !== "ai" || finding.verified !== undefined || !isOpen(target)) return undefined;
  const said = input.said.replace(/\s+/g, " ").trim().slice(0, MAXIMUM_REASON);
  const command = { name: "dismiss", reason: `withdrawn after the reply: ${said}`, scope: { kind: "here" } } as const;
  if (refusedByRole(command, input.role, { finding })) return undefined;
  const { subject, at, newRunId, source, by, role, thread, pull } = input;
  const where = { subject, at, newRunId, source, by, role, thread, pull, index: 0 };
  const given: CommandGiven = { ...where, type: "command.given", parsed: { command }, alone: false, plain: false };
  const outcome = giveDismissal(view, given, command, target);
  return "refusal" in outcome ? undefined : outcome;
}
