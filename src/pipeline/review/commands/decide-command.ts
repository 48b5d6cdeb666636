import type { Command } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { LedgerEntry } from "../../../domain/findings.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { refusedByRole, type Target } from "../../../safety/permissions.ts";
import { decideCommand } from "../../runs/commands/decide-command.ts";
import { type Outcome, refuse } from "../../runs/commands/deed.ts";
import { isTelling, type Telling, tell } from "../../runs/commands/shared-commands.ts";
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

/** One command on a pull request. */
export function decidePullCommand(view: SubjectView, input: CommandGiven): Decision {
  return decideCommand(view, input, (command) => {
    if (isTelling(command)) return tell(input, command);
    if (command.name !== "dismiss" && command.name !== "undismiss" && command.name !== "explain") {
      return carryOut(view, input, command);
    }
    const found = findTarget(view.ledger, command, input.thread);
    if ("reason" in found) return refuse(found);
    const byTarget = refusedByRole(command, input.role ?? "none", targetOf(view, found));
    return byTarget ? refuse(byTarget) : carryOutOn(view, input, command, found);
  });
}

function targetOf(view: SubjectView, { finding }: LedgerEntry): Target {
  const own = view.repository.dismissals.find(({ findingId }) => findingId === finding.id);
  return { finding, ...defined({ scope: own?.scope }) };
}

type OnFinding = Extract<Command, { name: "dismiss" | "undismiss" | "explain" }>;

function carryOutOn(view: SubjectView, input: CommandGiven, command: OnFinding, target: LedgerEntry): Outcome {
  switch (command.name) {
    case "dismiss":
      return giveDismissal(view, input, command, target);
    case "undismiss":
      return giveUndismissal(view, input, target);
    case "explain":
      return { answer: tellExplanation(view, target) };
  }
}

function carryOut(view: SubjectView, input: CommandGiven, command: Exclude<Command, OnFinding | Telling>): Outcome {
  switch (command.name) {
    case "review":
      return giveReview(view, input, command);
    case "override":
      return giveOverride(view, input, command);
    case "pause":
      return givePause(view, input, command);
    case "unpause":
      return giveUnpause(view, input, command);
    case "status":
      return { answer: tellStatus(view, input) };
    case "stop":
      return giveStop(view, input);
    case "resume":
      return giveResume(view, input, command);
    case "extend":
      return giveExtend(view, input, command);
    case "trust":
      return giveTrust(view, input);
    case "untrust":
      return giveUntrust(view, input);
    case "ask":
      return giveAsk(input, command);
    case "approve":
    case "reject":
      return giveAnswer(view, input, command);
    case "implement":
    case "plan":
      return refuse({ reason: "elsewhere", name: command.name, where: "issue" });
    case "answer":
    case "retry":
      return refuse({ reason: "elsewhere", name: command.name, where: "forge_pull_request" });
    case "test":
      return giveTest(view, input);
    case "fix":
      return giveSuggestedFixes(view, input, command);
  }
}
