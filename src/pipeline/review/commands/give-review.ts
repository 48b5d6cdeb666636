import type { Command } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { CommandGiven, HeadChanged } from "../../../domain/inputs.ts";
import { type Outcome, refuse, requestOf } from "../../runs/commands/deed.ts";
import { PIPELINES } from "../../runs/definition.ts";
import { brokenRunLimit } from "../../runs/run-limits.ts";
import { decideHead } from "../decide-head.ts";
import { isActive, waitsAtGate } from "../run-state.ts";
import type { SubjectView } from "../view.ts";
import { tellStatus } from "./tell.ts";

/** `/forge review`: the head is looked at again, also a draft or what the configuration leaves out; with `--full` also where Forge is paused. */
export function giveReview(
  view: SubjectView,
  input: CommandGiven,
  { full }: Extract<Command, { name: "review" }>,
): Outcome {
  if (!input.pull.open) return refuse({ reason: "closed" });
  const pause = view.facts.pause ?? view.repository.pause;
  if (pause && !full) return refuse({ reason: "paused", by: pause.by, scope: pause.scope });
  const { active } = view;
  if (isActive(active) && active.ends.headSha === input.pull.ends.headSha && !full) {
    // What it waits for is an answer, not another command.
    return waitsAtGate(active) ? { answer: tellStatus(view, input) } : {};
  }
  const limit = brokenRunLimit(view.recent, input.at, PIPELINES.review.limits);
  if (limit) return refuse({ reason: "run_limit", limit });
  return { decision: decideHead(view, reviewOf(input, { automatic: false, full })) };
}

/** A command as the request for a review of the head that the pull request has now. */
export function reviewOf(
  input: CommandGiven,
  how: { readonly automatic: boolean; readonly full: boolean },
): HeadChanged {
  const { subject, at, newRunId, by, pull } = input;
  const { automatic, full } = how;
  return {
    type: "head.changed",
    subject,
    at,
    newRunId,
    by,
    request: { id: requestOf(input), reason: "commanded", automatic, ...defined({ full: full || undefined }) },
    ends: pull.ends,
    title: pull.title,
    debounceMs: 0,
  };
}
