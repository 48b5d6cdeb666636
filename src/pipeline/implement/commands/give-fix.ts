import type { Command } from "../../../domain/commands.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { IssueCommandGiven } from "../../../domain/inputs.ts";
import { type Outcome, refuse, requestOf } from "../../runs/commands/deed.ts";
import { isAtWork, ownsIssue } from "../implementation.ts";
import { canRead } from "../signals.ts";
import { stepOf } from "../step.ts";
import type { IssueView } from "../view.ts";

/** `/forge fix` on the pull request of the work: the implementer works on these findings, or on all that are open. */
export function giveFix(
  view: IssueView,
  input: IssueCommandGiven,
  { findings }: Extract<Command, { name: "fix" }>,
): Outcome {
  const { active: run } = view;
  if (!ownsIssue(run) || !run.pull) return refuse({ reason: "no_implementation" });
  if (isAtWork(run)) return refuse({ reason: "at_work" });
  const { by, at } = input;
  const event: NewEvent = {
    type: "pull.signalled",
    payload: { from: "findings", findings, by, request: requestOf(input) },
    actor: by,
  };
  return { decision: stepOf(run, { events: [event], work: canRead(run) }, at) };
}
