import { COMMANDS, type CommandName } from "../../../domain/commands.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { foreignCode, foreignLine, type Wording, withFullStop } from "../wording.ts";

/** Refusals that only the work on issues knows. */
export type WorkRefusal = Extract<
  Refusal,
  {
    reason:
      | "elsewhere"
      | "answer_missing"
      | "unknown_phase"
      | "no_question"
      | "no_implementation"
      | "implementing"
      | "nothing_to_retry"
      | "guarded"
      | "not_restorable"
      | "own_work"
      | "needs_reason";
  }
>;

/** Why a command about the work on an issue was not carried out; undefined for a refusal that reads the same everywhere. */
export function aboutWork(refusal: Refusal, wording: Wording, on: Subject["kind"]): string | undefined {
  switch (refusal.reason) {
    case "elsewhere":
      return ELSEWHERE[refusal.where](refusal.name);
    case "answer_missing":
      return `What is the answer? It is written \`/forge ${COMMANDS.answer.usage}\`.`;
    case "unknown_phase":
      return `${foreignCode(refusal.written, wording)} is no phase that can be done again. It is written \`/forge ${COMMANDS.retry.usage}\`.`;
    case "no_question":
      return "No question waits for an answer here. What is going on: `/forge status`";
    case "no_implementation":
      return on === "issue"
        ? "No work was begun on this issue. To begin: `/forge implement`; only a plan: `/forge plan`"
        : "This pull request is not the work of Forge on an issue.";
    case "implementing":
      return "This issue is being worked on already. How far that is: `/forge status`; to redirect it: `/forge stop`, then `/forge resume <instructions>`";
    case "nothing_to_retry":
      return "There is nothing here to do again. What is going on: `/forge status`";
    case "guarded":
      return `The phase ${refusal.phase} cannot begin, because ${withFullStop(foreignLine(refusal.why, wording))} What is going on: \`/forge status\``;
    case "not_restorable":
      return `The work was not taken back to v${refusal.version}, because ${withFullStop(foreignLine(refusal.why, wording))} Its checkpoints: \`forge checkpoints <run>\` where Forge runs.`;
    case "own_work":
      return `\`${refusal.gate}\` needs another approver: the person who requested the work cannot be the only one to approve its risk. Anybody else with the permission: \`/forge approve ${refusal.gate}\``;
    case "needs_reason":
      return `\`${refusal.gate}\` is about commits that were not looked at, so a yes to it needs a reason, which is recorded: \`/forge approve ${refusal.gate} <reason>\``;
    default:
      refusal.reason satisfies Exclude<Refusal["reason"], WorkRefusal["reason"]>;
      return on === "issue" ? onIssue(refusal) : undefined;
  }
}

const ELSEWHERE = {
  issue: (name: CommandName) => `\`${name}\` is for issues, and this is a pull request. Say it on the issue.`,
  pull_request: (name: CommandName) =>
    `\`${name}\` is for pull requests, and this is an issue. Say it on the pull request.`,
  forge_pull_request: (name: CommandName) => `\`${name}\` is for pull requests that Forge opened, and this is not one.`,
} as const;

type ReadsOtherwise =
  | "nothing_at_work"
  | "nothing_to_resume"
  | "at_work"
  | "nothing_to_extend"
  | "closed"
  | "paused"
  | "run_limit"
  | "gate_closed";

/** What reads otherwise on an issue: there the work is not a review. */
function onIssue(refusal: Refusal): string | undefined {
  switch (refusal.reason) {
    case "nothing_at_work":
      return "Nothing is at work here, so there is nothing to stop.";
    case "nothing_to_resume":
      return refusal.limit
        ? `The work ended at its limit, and that is as it was. To raise it: \`/forge extend ${refusal.limit} <n>\``
        : "No work here was stopped or ended at a limit. To have a phase done again: `/forge retry`";
    case "at_work":
      return "The work goes on and cannot be redirected. First: `/forge stop`";
    case "nothing_to_extend":
      return "There is no work here whose limits could be raised. To begin: `/forge implement`";
    case "closed":
      return "The issue is closed. It can be worked on when it is reopened.";
    case "paused":
      return refusal.scope === "repository"
        ? "Forge is paused in this repository. To go on: `/forge unpause --repository`"
        : "Forge is paused here. To go on: `/forge unpause`";
    case "run_limit":
      return `There were ${refusal.limit}, which is the limit. Try again later.`;
    case "gate_closed": {
      if (refusal.standing.is === "timed_out")
        return `\`${refusal.gate}\` was not answered in time, so the work is paused. To have it asked again: \`/forge retry\``;
      const isVoid = refusal.standing.is === "voided" && refusal.headSha === refusal.head;
      return isVoid
        ? `\`${refusal.gate}\` is void: the work that asked it went on, has ended or was stopped.`
        : undefined;
    }
    default:
      refusal.reason satisfies Exclude<Refusal["reason"], ReadsOtherwise>;
      return undefined;
  }
}
