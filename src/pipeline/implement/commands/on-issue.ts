import type { CommandOn } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { IssueCommandGiven } from "../../../domain/inputs.ts";
import type { Commands } from "../../commands/decide-command.ts";
import { ON_EACH } from "../../commands/shared-commands.ts";
import { statusOf } from "../status-of.ts";
import type { IssueView } from "../view.ts";
import {
  giveIssueExtend,
  giveIssuePause,
  giveIssueResume,
  giveIssueStop,
  giveIssueUnpause,
  giveRetry,
} from "./give-control.ts";
import { giveFix, giveImplement } from "./give-implement.ts";
import { giveRestore } from "./give-restore.ts";
import { giveText, giveVerdict } from "./give-verdict.ts";

/** What carries out each command on an issue, and on the pull request of the work on it. */
export const ON_ISSUE: Commands<CommandOn<"issue">, IssueView, IssueCommandGiven> = {
  ...ON_EACH,
  implement: giveImplement,
  plan: giveImplement,
  approve: giveVerdict,
  reject: giveVerdict,
  answer: giveText,
  stop: giveIssueStop,
  resume: giveIssueResume,
  retry: (view, input, command) =>
    command.checkpoint === undefined ? giveRetry(view, input, command) : giveRestore(view, input, command.checkpoint),
  extend: giveIssueExtend,
  pause: giveIssuePause,
  unpause: giveIssueUnpause,
  test: (view, input) => giveRetry(view, input, { phase: "testing" }),
  fix: giveFix,
  status: ({ active, latest }, { deployments }) => {
    const run = active ?? latest;
    const known = defined({ deployments: deployments && [...deployments] });
    return { answer: { kind: "implementation_status", ...(run ? { status: statusOf(run) } : {}), ...known } };
  },
};
