import type { AboutFinding, CommandOn } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { LedgerEntry } from "../../../domain/findings.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { type Outcome, refuse } from "../../commands/command-result.ts";
import { type Commands, findTarget, refusedByRole } from "../../commands/decide-command.ts";
import { ON_EACH } from "../../commands/shared-commands.ts";
import { giveHold, giveUnhold } from "../give-merge.ts";
import type { SubjectView } from "../view.ts";
import { giveAnswer } from "./give-answer.ts";
import { giveAsk, giveTest } from "./give-ask.ts";
import { giveDismissal, giveUndismissal } from "./give-dismissal.ts";
import { giveOverride } from "./give-override.ts";
import { giveExtend, giveResume, giveStop } from "./give-resume.ts";
import { givePause, giveReview, giveTrust, giveUnpause, giveUntrust } from "./give-review.ts";
import { giveSuggestedFixes } from "./give-suggested-fixes.ts";
import { tellExplanation, tellStatus } from "./tell.ts";

/** What carries out each command on a pull request. */
export const ON_PULL_REQUEST: Commands<CommandOn<"pull_request">, SubjectView, CommandGiven> = {
  ...ON_EACH,
  review: giveReview,
  dismiss: ofFinding(giveDismissal),
  undismiss: ofFinding(giveUndismissal),
  explain: ofFinding((view, _input, _command, target) => ({ answer: tellExplanation(view, target) })),
  status: (view, input) => ({ answer: tellStatus(view, input) }),
  override: giveOverride,
  pause: givePause,
  unpause: giveUnpause,
  stop: giveStop,
  resume: giveResume,
  extend: giveExtend,
  trust: giveTrust,
  untrust: giveUntrust,
  ask: giveAsk,
  approve: giveAnswer,
  reject: giveAnswer,
  test: giveTest,
  fix: giveSuggestedFixes,
  hold: giveHold,
  unhold: giveUnhold,
};

/** What is about a finding is refused where there is none such, or where that one asks for a higher role. */
function ofFinding<C extends AboutFinding>(
  carryOut: (view: SubjectView, input: CommandGiven, command: C, target: LedgerEntry) => Outcome,
) {
  return (view: SubjectView, input: CommandGiven, command: C): Outcome => {
    const found = findTarget(view.ledger, command, input.thread);
    if ("reason" in found) return refuse(found);
    const own = view.repository.dismissals.find(({ findingId }) => findingId === found.finding.id);
    const target = { finding: found.finding, ...defined({ scope: own?.scope }) };
    const byTarget = refusedByRole(command, input.role ?? "none", target);
    return byTarget ? refuse(byTarget) : carryOut(view, input, command, found);
  };
}
