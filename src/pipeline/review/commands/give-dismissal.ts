import type { Command } from "../../../domain/commands.ts";
import { type Effect, effectKey } from "../../../domain/effects.ts";
import type { NewEvent } from "../../../domain/events.ts";
import { type Finding, guardOf, isOpen, type LedgerEntry, type StandingDismissal } from "../../../domain/findings.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { atLeast, subjectKey } from "../../../domain/subjects.ts";
import { type Outcome, refuse, requestOf } from "../../commands/command-result.ts";
import { applyEffects, both, type Decision, NOTHING } from "../../runs/decision.ts";
import { coveringDismissal } from "../compare-with-ledger.ts";
import { closeDismissed, reopenReleased, reviseCheck, type ThreadKey } from "../show-ledger.ts";
import type { SubjectView } from "../view.ts";

type Dismiss = Extract<Command, { name: "dismiss" }>;

/**
 * `/forge dismiss`: the finding, and with a wider scope every open one that it covers, is dismissed; the check says so at once (HUM-1).
 * Secrets and critical security findings only one by one and with a reason.
 */
export function giveDismissal(view: SubjectView, input: CommandGiven, command: Dismiss, target: LedgerEntry): Outcome {
  const { finding } = target;
  const guard = guardOf(finding);
  if (guard && command.scope.kind !== "here")
    return refuse({ reason: "one_by_one", findingId: finding.id, why: guard });
  if (guard && command.reason === "") return refuse({ reason: "reason_missing", name: "dismiss", why: guard });
  const dismissal = { findingId: finding.id, by: input.by, at: input.at, reason: command.reason, scope: command.scope };
  const standing: StandingDismissal = { ...dismissal, fingerprint: finding.fingerprint, rule: finding.rule };
  const isCovered = (entry: LedgerEntry) =>
    entry === target || (isOpen(entry) && coveringDismissal(entry.finding, [standing]) !== undefined);
  const dismissed = new Set(view.ledger.filter(isCovered));
  const ledger = view.ledger.map((entry) =>
    dismissed.has(entry) ? { ...entry, state: "dismissed" as const, dismissal } : entry,
  );
  return {
    events: [
      ...[...dismissed].map((entry): NewEvent => {
        const payload = { findingId: entry.finding.id, dismissal };
        return { type: "finding.dismissed", payload, actor: input.by };
      }),
      ...doubted(input, finding),
    ],
    decision: both(
      reviseCheck(view, input, { ledger, facts: view.facts }),
      onThreads(input, closeDismissed([...dismissed], threadKey(input))),
    ),
    ...(input.plain ? { answer: { kind: "dismissed" as const, findingId: finding.id, login: input.by.login } } : {}),
  };
}

/** The memories that led to what is dismissed are believed less (MEM-3), on the word of somebody who may teach, once for each finding. */
function doubted({ subject, by, role = "none" }: CommandGiven, { id, memories = [] }: Finding): NewEvent[] {
  if (memories.length === 0 || !atLeast(role, "write")) return [];
  const cause = `dismissed:${subjectKey(subject)}:${id}`;
  const payload = { memoryIds: [...memories], use: "dismissed" as const, during: "review", cause };
  return [{ type: "memory.applied", payload, actor: by }];
}

/** `/forge undismiss`: what was given for this finding no longer stands, and all that nothing else covers is open again. */
export function giveUndismissal(
  view: SubjectView,
  input: CommandGiven,
  _command: unknown,
  target: LedgerEntry,
): Outcome {
  const { id } = target.finding;
  const standing = view.repository.dismissals;
  const own = standing.find(({ findingId }) => findingId === id);
  if (!own) {
    const other = target.state === "dismissed" ? coveringDismissal(target.finding, standing) : undefined;
    return other
      ? refuse({ reason: "dismissed_with", findingId: id, other: other.findingId })
      : refuse({ reason: "not_dismissed", findingId: id });
  }
  const others = standing.filter((one) => one !== own);
  const isReleased = (entry: LedgerEntry) =>
    entry === target || (entry.state === "dismissed" && !coveringDismissal(entry.finding, others));
  const released = new Set(view.ledger.filter(isReleased));
  const ledger = view.ledger.map((entry) => (released.has(entry) ? reopened(entry) : entry));
  return {
    events: [...released].map((entry): NewEvent => {
      return { type: "finding.undismissed", payload: { findingId: entry.finding.id }, actor: input.by };
    }),
    decision: both(
      reviseCheck(view, input, { ledger, facts: view.facts }),
      onThreads(input, reopenReleased([...released], threadKey(input))),
    ),
  };
}

function threadKey(input: CommandGiven): ThreadKey {
  const { subject, pull } = input;
  return (kind, id) => effectKey(kind, subjectKey(subject), pull.ends.headSha, requestOf(input), id);
}

function onThreads({ subject, pull, at }: CommandGiven, effects: Effect[]): Decision {
  if (effects.length === 0) return NOTHING;
  const { headSha } = pull.ends;
  return {
    ...NOTHING,
    effects: [{ runId: subjectKey(subject), headSha, effects }],
    jobs: [applyEffects(subject, at)],
  };
}

/** One that never was seen in a comment or an annotation has to be told by the summary. */
function reopened(entry: LedgerEntry): LedgerEntry {
  const { dismissal: _ended, ...rest } = entry;
  return { ...rest, state: "open", placement: entry.placement === "none" ? "summary" : entry.placement };
}
