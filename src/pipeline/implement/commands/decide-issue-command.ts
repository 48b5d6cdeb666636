import { type Command, commandKey } from "../../../domain/commands.ts";
import type { IssueCommandGiven } from "../../../domain/inputs.ts";
import { refusedByRole } from "../../../safety/permissions.ts";
import { type Outcome, refuse } from "../../runs/commands/deed.ts";
import { settleCommand } from "../../runs/commands/settle-command.ts";
import { type Decision, ignore } from "../../runs/decision.ts";
import { statusOf } from "../status-of.ts";
import type { IssueView } from "../view.ts";
import { giveExtend, giveResume, giveRetry, giveStop } from "./give-control.ts";
import { giveFix } from "./give-fix.ts";
import { giveImplement } from "./give-implement.ts";
import { giveIssuePause, giveIssueUnpause } from "./give-issue-pause.ts";
import { giveRestore } from "./give-restore.ts";
import { giveText } from "./give-text.ts";
import { giveVerdict } from "./give-verdict.ts";

/** One command on an issue: carried out or refused, and acknowledged either way (GH-4, GH-14). */
export function decideIssueCommand(view: IssueView, input: IssueCommandGiven): Decision {
  if (view.facts.settled.has(commandKey(input.source, input.index))) return ignore("this command was settled before");
  return settleCommand(view, input, outcomeOf(view, input));
}

function outcomeOf(view: IssueView, input: IssueCommandGiven): Outcome {
  const { parsed, role } = input;
  if ("refusal" in parsed) return parsed;
  const { command } = parsed;
  if (role === undefined) return refuse({ reason: "role_unknown", name: command.name });
  const byRole = refusedByRole(command, role);
  return byRole ? refuse(byRole) : carryOut(view, input, command);
}

function carryOut(view: IssueView, input: IssueCommandGiven, command: Command): Outcome {
  switch (command.name) {
    case "implement":
    case "plan":
      return giveImplement(view, input, command);
    case "approve":
    case "reject":
      return giveVerdict(view, input, command);
    case "answer":
      return giveText(view, input, command);
    case "stop":
      return giveStop(view, input);
    case "resume":
      return giveResume(view, input, command);
    case "retry":
      return command.checkpoint === undefined
        ? giveRetry(view, input, command)
        : giveRestore(view, input, command.checkpoint);
    case "extend":
      return giveExtend(view, input, command);
    case "pause":
      return giveIssuePause(view, input, command);
    case "unpause":
      return giveIssueUnpause(view, input, command);
    case "test":
      return giveRetry(view, input, { phase: "testing" });
    case "fix":
      return giveFix(view, input, command);
    case "status": {
      const run = view.active ?? view.latest;
      return { answer: { kind: "implementation_status", ...(run ? { status: statusOf(run) } : {}) } };
    }
    case "history":
      return { answer: { kind: "history", history: input.history ?? { runs: [], more: 0 } } };
    case "cost":
      return { answer: { kind: "cost", cost: input.cost ?? { spent: [], limits: [] } } };
    case "config":
      return {
        answer: { kind: "configuration", configuration: input.configuration ?? { settings: [], problems: [] } },
      };
    case "help":
      return { answer: { kind: "help", ...(command.topic ? { topic: command.topic } : {}) } };
    default:
      return refuse({ reason: "elsewhere", name: command.name, where: "pull_request" });
  }
}
