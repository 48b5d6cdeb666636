import type { Command } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import { byImportance, isOpen, type LedgerEntry } from "../../../domain/findings.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { type Outcome, refuse } from "../../commands/command-result.ts";
import { findTarget } from "../../commands/decide-command.ts";
import { NOTHING, onlyReports } from "../../runs/decision.ts";
import type { SubjectView } from "../view.ts";

/** One that is not over by then never will be: the App was taken off the repository meanwhile, say. */
const LOST_AFTER_MS = 60 * 60_000;

/**
 * `/forge fix` on a pull request of people: the suggested fixes of these findings, or of all open ones that have one, become one commit on
 * its branch. A worker makes it, and says what came of it. In a finding's own thread that finding is meant where none is named.
 */
export function giveSuggestedFixes(
  view: SubjectView,
  input: CommandGiven,
  { findings }: Extract<Command, { name: "fix" }>,
): Outcome {
  const { subject, source, index, by, at, thread, pull } = input;
  if (!pull.open) return refuse({ reason: "closed", name: "fix" });
  if (onlyReports(view.repository, input.cap)) return refuse({ reason: "reports_only", name: "fix" });
  const why = whyNotPushed(input);
  if (why) return refuse({ reason: "cannot_push", why });
  // The commit would have no review.
  const pause = view.facts.pause ?? view.repository.pause;
  if (pause) return refuse({ reason: "paused", by: pause.by, scope: pause.scope, name: "fix" });
  const { fixing } = view.facts;
  if (fixing && Date.parse(at) - Date.parse(fixing.since) < LOST_AFTER_MS) return refuse({ reason: "fixing" });
  const wanted = choose(view.ledger, findings, thread);
  if ("reason" in wanted) return refuse(wanted);
  const payload = {
    ...{ subject, source, index, by, at, headSha: pull.ends.headSha },
    ...defined({ thread }),
    findings: wanted.map(({ finding }) => finding.id),
  };
  return {
    goesOn: true,
    decision: { ...NOTHING, jobs: [{ kind: "fix", key: `fix:${subjectKey(subject)}`, payload, runAt: at }] },
  };
}

/** Why Forge adds no commit to the branch of this pull request. What everybody builds on is changed by pull requests only. */
function whyNotPushed({
  subject,
  pull,
  branch,
}: CommandGiven): Extract<Refusal, { reason: "cannot_push" }>["why"] | undefined {
  if (pull.ends.headRepositoryId !== subject.repository.id) return "fork";
  if (!branch) return "gone";
  if (branch.isDefault) return "default_branch";
  return branch.isProtected ? "protected" : undefined;
}

/** Most important first, so that of two fixes that exclude each other the better one is taken. One wrong name, and nothing is done. */
function choose(
  ledger: readonly LedgerEntry[],
  named: readonly string[],
  thread: number | undefined,
): LedgerEntry[] | Refusal {
  const here = ledger.find(({ commentId }) => commentId !== undefined && commentId === thread);
  const written = named.length === 0 && here ? [here.finding.id] : named;
  if (written.length === 0) {
    const fixable = ledger.filter((entry) => isOpen(entry) && entry.finding.fix !== undefined);
    return fixable.length > 0 ? sorted(fixable) : { reason: "nothing_to_fix", findings: [] };
  }
  const targets = new Set<LedgerEntry>();
  for (const finding of written) {
    const target = findTarget(ledger, { name: "fix", finding }, thread);
    if ("reason" in target) return target;
    if (!isOpen(target)) return { reason: "finding_closed", findingId: target.finding.id, state: target.state };
    targets.add(target);
  }
  const unfixable = [...targets].filter(({ finding }) => finding.fix === undefined);
  if (unfixable.length > 0) return { reason: "nothing_to_fix", findings: unfixable.map(({ finding }) => finding.id) };
  return sorted([...targets]);
}

function sorted(entries: readonly LedgerEntry[]): LedgerEntry[] {
  return entries.toSorted((a, b) => byImportance(a.finding, b.finding));
}
