import { type Command, commandKey } from "../../../domain/commands.ts";
import type { LedgerEntry } from "../../../domain/findings.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { refusedByRole, type Target } from "../../../safety/permissions.ts";
import { type Outcome, refuse } from "../../runs/commands/deed.ts";
import { settleCommand } from "../../runs/commands/settle-command.ts";
import { type Decision, ignore, type SubjectView } from "../../runs/decision.ts";
import { findTarget } from "./find-target.ts";
import { giveAnswer } from "./give-answer.ts";
import { giveAsk } from "./give-ask.ts";
import { giveDismissal, giveUndismissal } from "./give-dismissal.ts";
import { giveExtend } from "./give-extend.ts";
import { giveOverride } from "./give-override.ts";
import { givePause, giveUnpause } from "./give-pause.ts";
import { giveResume } from "./give-resume.ts";
import { giveReview } from "./give-review.ts";
import { giveStop } from "./give-stop.ts";
import { giveSuggestedFixes } from "./give-suggested-fixes.ts";
import { giveTest } from "./give-test.ts";
import { giveTrust, giveUntrust } from "./give-trust.ts";
import { tellExplanation, tellStatus } from "./tell.ts";

/** One command of a comment: carried out or refused, and acknowledged either way (GH-4, GH-14). */
export function decideCommand(view: SubjectView, input: CommandGiven): Decision {
  if (view.facts.settled.has(commandKey(input.source, input.index))) return ignore("this command was settled before");
  return settleCommand(view, input, outcomeOf(view, input));
}

function outcomeOf(view: SubjectView, input: CommandGiven): Outcome {
  const { parsed, role, thread } = input;
  if ("refusal" in parsed) return parsed;
  const { command } = parsed;
  if (role === undefined) return refuse({ reason: "role_unknown", name: command.name });
  // Before anything is looked up: who may not give the command at all learns nothing from it.
  const byRole = refusedByRole(command, role);
  if (byRole) return refuse(byRole);
  if (command.name !== "dismiss" && command.name !== "undismiss" && command.name !== "explain") {
    return carryOut(view, input, command);
  }
  const found = findTarget(view.ledger, command, thread);
  if ("reason" in found) return refuse(found);
  const byTarget = refusedByRole(command, role, targetOf(view, found));
  return byTarget ? refuse(byTarget) : carryOutOn(view, input, command, found);
}

function targetOf(view: SubjectView, { finding }: LedgerEntry): Target {
  const own = view.repository.dismissals.find(({ findingId }) => findingId === finding.id);
  return { finding, ...(own ? { scope: own.scope } : {}) };
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

function carryOut(view: SubjectView, input: CommandGiven, command: Exclude<Command, OnFinding>): Outcome {
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
    case "cost":
      return { answer: { kind: "cost", cost: input.cost ?? { spent: [], limits: [] } } };
    case "config":
      return {
        answer: { kind: "configuration", configuration: input.configuration ?? { settings: [], problems: [] } },
      };
    case "ask":
      return giveAsk(input, command);
    case "approve":
    case "reject":
      return giveAnswer(view, input, command);
    case "history":
      return { answer: { kind: "history", history: input.history ?? { runs: [], more: 0 } } };
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
    case "help":
      return { answer: { kind: "help", ...(command.topic ? { topic: command.topic } : {}) } };
  }
}
