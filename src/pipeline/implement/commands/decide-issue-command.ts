import type { Command } from "../../../domain/commands.ts";
import type { IssueCommandGiven } from "../../../domain/inputs.ts";
import type { Outcome } from "../../commands/command-result.ts";
import { type CommandTable, decideCommand, tellHelp } from "../../commands/decide-command.ts";
import type { Decision } from "../../runs/decision.ts";
import { statusOf } from "../status-of.ts";
import type { IssueView } from "../view.ts";
import { giveExtend, giveIssuePause, giveIssueUnpause, giveResume, giveRetry, giveStop } from "./give-control.ts";
import { giveFix, giveImplement } from "./give-implement.ts";
import { giveRestore } from "./give-restore.ts";
import { giveText, giveVerdict } from "./give-verdict.ts";

/** What carries each command out on an issue, and on the pull request of the work on it. */
const CARRY_OUT: CommandTable<"issue", IssueView, IssueCommandGiven> = {
  implement: giveImplement,
  plan: giveImplement,
  approve: giveVerdict,
  reject: giveVerdict,
  answer: giveText,
  stop: giveStop,
  resume: giveResume,
  retry: (view, input, command) =>
    command.checkpoint === undefined ? giveRetry(view, input, command) : giveRestore(view, input, command.checkpoint),
  extend: giveExtend,
  pause: giveIssuePause,
  unpause: giveIssueUnpause,
  test: (view, input) => giveRetry(view, input, { phase: "testing" }),
  fix: giveFix,
  status: ({ active, latest }) => {
    const run = active ?? latest;
    return { answer: { kind: "implementation_status", ...(run ? { status: statusOf(run) } : {}) } };
  },
  help: tellHelp,
};

/** One command on an issue. */
export function decideIssueCommand(view: IssueView, input: IssueCommandGiven): Decision {
  return decideCommand(view, input, "issue", (command) => {
    const carryOut = CARRY_OUT[command.name] as (view: IssueView, input: IssueCommandGiven, it: Command) => Outcome;
    return carryOut(view, input, command);
  });
}
