import type { Refusal } from "../../../domain/refusals.ts";
import { foreignCode, type Wording } from "../wording.ts";

type Lost = Extract<Refusal, { reason: "lost" }>;

/** What a user did, by `who`, and how to have it tried again. */
const LOST: Readonly<Record<Lost["what"], { readonly what: (who: string) => string; readonly again: string }>> = {
  label: {
    what: (who) => `the label that ${who} set here`,
    again: "To have it tried once more: take the label away and set it again.",
  },
  withdrawal: {
    what: (who) => `what ${who} did here to end the work`,
    again: "To end it: `/forge stop`",
  },
  comment: {
    what: (who) => `a comment by ${who}`,
    again: "If it was meant for Forge: write it again.",
  },
  button: {
    what: (who) => `the button that ${who} pressed`,
    again: "To have it tried once more: press it again.",
  },
  change: {
    what: (who) => `what ${who} changed on this pull request`,
    again: "If no check follows on this head: `/forge review`",
  },
  queue: {
    what: () => "the merge group of this pull request",
    again: "If no check follows: take the pull request out of the queue and put it in again.",
  },
  commands: {
    what: (who) => `what ${who} asked for here`,
    again: "What has no answer was not carried out. To have it tried once more: say it again.",
  },
};

/** Two lines: what was given up and why, and how to have it tried once more. */
export function lostText({ what, deaths, code }: Lost, login: string, wording: Wording): string {
  const { what: said, again } = LOST[what];
  const thing = said(login === "" ? "somebody" : foreignCode(login, wording));
  const cause =
    deaths === undefined
      ? `Forge failed at ${thing}${code === undefined ? "" : ` (error ${foreignCode(code, wording)})`}.`
      : `Forge ended ${times(deaths)} while it was at work on ${thing}, and set that aside.`;
  return `${cause}\n${again}`;
}

function times(deaths: number): string {
  return deaths === 2 ? "twice" : `${deaths} times`;
}

const CHECK = { what: "the check of this pull request", again: "To have it written again: `/forge review --full`" };
const THREAD = { what: "how a finding stands, in its thread", again: "The check `forge/review` says it too." };
const WORK = { what: "how the work stands", again: "To see it: `/forge status`" };
const GATE = { what: "the question that waits for an answer", again: "To see it: `/forge status`" };

/** By the kind of effect: the missing text, and how users get it. */
const UNWRITTEN: Readonly<Record<string, { readonly what: string; readonly again: string }>> = {
  "check.open": CHECK,
  "check.start": CHECK,
  "check.wait": CHECK,
  "check.park": CHECK,
  "check.progress": CHECK,
  "check.complete": CHECK,
  "check.revise": CHECK,
  "review.post": {
    what: "comments on lines of this pull request",
    again: "Their findings are in the check. To have them written: `/forge review --full`",
  },
  "review.verdict": {
    what: "whether it approves this pull request or requests changes",
    again:
      "Where that does not fit what the check says, dismiss its review. To have it posted again: `/forge review --full`",
  },
  "comment.reply": {
    what: "an answer here",
    again: "For the current state: `/forge status`; to be answered, ask again.",
  },
  "gate.show": GATE,
  "plan.show": { ...GATE, what: "the plan" },
  "issue.status": WORK,
  "deploy.show": { ...WORK, what: "how the deployment goes" },
  "deploy.check": { ...WORK, what: "how the deployment goes, in the check `forge/deploy`" },
  "deployment.begin": {
    what: "to GitHub that a deployment begins",
    again: "Look at the deployments of the repository. To start again: `/forge deploy`",
  },
  "deployment.say": { ...WORK, what: "what a deployment is now" },
  "revert.open": { what: "the pull request that takes a change back", again: "Revert it on GitHub." },
  "rule.answer": { what: "an answer as the rule of an environment", again: WORK.again },
  "issue.open": { what: "the issue about a rollback", again: WORK.again },
  "issue.explain": { what: "what a model says about a rollback, in its issue", again: WORK.again },
  "feedback.show": {
    what: "the issue about what production told of",
    again: "It is written again when production tells more of it.",
  },
  "thread.resolve": THREAD,
  "thread.reopen": THREAD,
  "pull.describe": { what: "the description of the pull request", again: WORK.again },
  "pull.merge": {
    what: "the merge of this pull request",
    again: "Look whether it is merged. To have it looked at again: `/forge unhold`",
  },
  "merge.show": { what: "whether it merges this pull request by itself", again: "To stop it: `/forge hold`" },
  "pull.ready": {
    what: "that the pull request is ready for review",
    again: "Press *Ready for review* on it where its checks pass.",
  },
};

/** Two lines: what is not written here, and what to do about it. */
export function unwrittenText(what: string): string {
  const { what: thing, again } = UNWRITTEN[what] ?? { what: "something here", again: WORK.again };
  return `Forge ended twice while it was writing ${thing}, and gave it up, so it may be missing here.\n${again}`;
}
