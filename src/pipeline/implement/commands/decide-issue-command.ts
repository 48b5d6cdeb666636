import type { Command } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { IssueCommandGiven } from "../../../domain/inputs.ts";
import { decideCommand } from "../../runs/commands/decide-command.ts";
import { type Outcome, refuse } from "../../runs/commands/deed.ts";
import { isTelling, type Telling, tell } from "../../runs/commands/shared-commands.ts";
import type { Decision } from "../../runs/decision.ts";
import { statusOf } from "../status-of.ts";
import type { IssueView } from "../view.ts";
import { giveExtend, giveIssuePause, giveIssueUnpause, giveResume, giveRetry, giveStop } from "./give-control.ts";
import { giveFix, giveImplement } from "./give-implement.ts";
import { giveRestore } from "./give-restore.ts";
import { giveText, giveVerdict } from "./give-verdict.ts";

/** One command on an issue, or on the pull request of the work on it. */
export function decideIssueCommand(view: IssueView, input: IssueCommandGiven): Decision {
  return decideCommand(view, input, (command) =>
    isTelling(command) ? tell(input, command) : carryOut(view, input, command),
  );
}

function carryOut(view: IssueView, input: IssueCommandGiven, command: Exclude<Command, Telling>): Outcome {
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
      return { answer: { kind: "implementation_status", ...defined({ status: run && statusOf(run) }) } };
    }
    default:
      return refuse({ reason: "elsewhere", name: command.name, where: "pull_request" });
  }
}
