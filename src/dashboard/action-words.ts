import type { GateEnd } from "../pipeline/views/timeline.ts";
import type { ActionName } from "./actions/action.ts";
import type { Done } from "./actions/done-marker.ts";

/** What the buttons of pages say. `does`: what follows. */
export const ACTION_WORDS: Readonly<Record<ActionName, { readonly button: string; readonly does: string }>> = {
  approve: { button: "Approve", does: "" },
  reject: { button: "Reject", does: "" },
  stop: { button: "Stop", does: "Stops after the step in hand. Nothing is lost." },
  resume: { button: "Resume", does: "Continues where it stopped." },
  retry: { button: "Retry", does: "Begins a phase again." },
  extend: { button: "Extend", does: "Raises a limit of this run." },
  review: { button: "Review again", does: "Reviews the whole change, not only what is new." },
  dismiss: { button: "Dismiss", does: "" },
  undismiss: { button: "Undismiss", does: "" },
  promote: { button: "Promote", does: "Goes to the next step without waiting for the verdict." },
  rollback: { button: "Roll back", does: "Brings back the last healthy version." },
  hold: { button: "Hold", does: "Stops deployments here until someone releases it." },
  level: { button: "Set the level", does: "" },
  forget: { button: "Forget", does: "" },
  deploy: { button: "Deploy", does: "Deploys the head of the default branch, or the commit that you name." },
  release: { button: "Release", does: "Lets deployments go on." },
};

export const ACTIONS = {
  title: "Actions",
  how: "Each writes a command on GitHub in your name. Forge checks there whether you may give it, and answers there.",
  note: "Reason (optional)",
  instructions: "Instructions (optional)",
  phase: "Phase",
  stopped: "where it stopped",
  limit: "Limit",
  amount: "Add",
  reach: "Where",
  reaches: { here: "here", rule: "this rule everywhere in the repository" },
  limits: { usd: "US dollars", iterations: "model calls of an agent", minutes: "minutes" },
  forWork: (issue: number) => `This pull request is Forge's own, so the command is for the work on #${issue}.`,
  commit: "Commit (optional)",
  deployTo: (button: string, environment: string) => `${button} to ${environment}`,
  label: (button: string, what: string) => `${button} ${what}`,
};

/** What the next page says first. Forge answers the command itself on GitHub. */
export function doneWords(action: Done): string {
  if (action === "redeliver")
    return "GitHub will deliver it again. Load this page again in a minute to see the result.";
  if (action === "process_again")
    return "Forge handles this delivery again. Load this page again in a minute to see the result.";
  const what = action === "approve" ? "Your yes" : action === "reject" ? "Your no" : `\`/forge ${action}\``;
  return `${what} was posted on GitHub as your comment. Forge checks there whether you may give it, and answers there.`;
}

const ENDS: Readonly<Record<GateEnd, string>> = {
  approved: "was approved",
  rejected: "was rejected",
  timeout: "was not answered in time",
  voided: "is not needed anymore",
};

/** For an answer that came too late. */
export function answeredWords(gate: string, how: GateEnd, by: string | undefined): { title: string; what: string } {
  const who = by === undefined || how === "timeout" || how === "voided" ? "" : ` by ${by}`;
  return { title: "Answered already", what: `${gate} ${ENDS[how]}${who}. Your answer was not given.` };
}

/** For an answer that could be meant for another question. */
export function sameGateWords(gate: string): { title: string; what: string } {
  const what = `A deployment asks under the number ${gate} in the same conversation. Nothing was done. Answer the deployment on its own page first; then press here again.`;
  return { title: "Two questions have this number", what };
}
