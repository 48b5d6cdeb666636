import { type Command, isAboutFinding } from "../../../domain/commands.ts";
import type { LedgerEntry } from "../../../domain/findings.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { refusedByRole } from "../../../safety/permissions.ts";
import { type Outcome, refuse } from "../../commands/command-result.ts";
import { type CommandTable, decideCommand, tellHelp } from "../../commands/decide-command.ts";
import type { Decision } from "../../runs/decision.ts";
import type { SubjectView } from "../view.ts";
import { findTarget } from "./find-target.ts";
import { giveAnswer } from "./give-answer.ts";
import { giveAsk, giveTest } from "./give-ask.ts";
import { giveDismissal, giveUndismissal } from "./give-dismissal.ts";
import { giveExtend, giveResume, giveStop } from "./give-resume.ts";
import { givePause, giveReview, giveTrust, giveUnpause, giveUntrust } from "./give-review.ts";
import { giveSuggestedFixes } from "./give-suggested-fixes.ts";
import { giveOverride } from "./revise-check.ts";
import { tellExplanation, tellStatus } from "./tell.ts";

/** What carries each command out on a pull request. */
const CARRY_OUT: CommandTable<"pull_request", SubjectView, CommandGiven> = {
  review: giveReview,
  dismiss: giveDismissal,
  undismiss: giveUndismissal,
  explain: (view, _input, _command, target) => ({ answer: tellExplanation(view, target) }),
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
  help: tellHelp,
};

/** What carries a command out, whichever it is. */
type CarryOut = (view: SubjectView, input: CommandGiven, command: Command, target?: LedgerEntry) => Outcome;

/** One command on a pull request; one that is about a finding is refused where there is none such, or where that one asks for more. */
export function decidePullCommand(view: SubjectView, input: CommandGiven): Decision {
  return decideCommand(view, input, "pull_request", (command) => {
    const carryOut = CARRY_OUT[command.name] as CarryOut;
    if (!isAboutFinding(command)) return carryOut(view, input, command);
    const found = findTarget(view.ledger, command, input.thread);
    if ("reason" in found) return refuse(found);
    const own = view.repository.dismissals.find(({ findingId }) => findingId === found.finding.id);
    const byTarget = refusedByRole(command, input.role ?? "none", {
      finding: found.finding,
      ...(own ? { scope: own.scope } : {}),
    });
    return byTarget ? refuse(byTarget) : carryOut(view, input, command, found);
  });
}
