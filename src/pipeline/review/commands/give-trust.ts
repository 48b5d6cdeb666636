import type { Answer } from "../../../domain/answers.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { type Outcome, refuse } from "../../runs/commands/deed.ts";
import { PIPELINES } from "../../runs/definition.ts";
import { brokenRunLimit } from "../../runs/run-limits.ts";
import { decideHead } from "../decide-head.ts";
import { isActive } from "../run-state.ts";
import type { SubjectView } from "../view.ts";
import { reviewOf } from "./give-review.ts";

/**
 * `/forge trust`: the AI layer may look at this change and what is pushed to it later, although its author cannot push here (GH-8c). Where it
 * waited for that on the newest head, the head is reviewed anew.
 */
export function giveTrust(view: SubjectView, input: CommandGiven): Outcome {
  const events = view.facts.trusted ? [] : [{ type: "subject.trusted", payload: {}, actor: input.by } as const];
  const because = reasonNotToReview(view, input);
  return because
    ? { events, answer: { kind: "trusted", because } }
    : { events, decision: decideHead(view, reviewOf(input, { automatic: false, full: false })) };
}

/** `/forge untrust`: from the next review on the AI layer waits again. */
export function giveUntrust(view: SubjectView, input: CommandGiven): Outcome {
  if (!view.facts.trusted) return refuse({ reason: "not_trusted" });
  return { events: [{ type: "subject.untrusted", payload: {}, actor: input.by }] };
}

function reasonNotToReview(
  { active, latest, facts, repository, recent }: SubjectView,
  { pull, at }: CommandGiven,
): Extract<Answer, { kind: "trusted" }>["because"] | undefined {
  if (!pull.open) return "closed";
  if (isActive(active)) return "at_work";
  const review = latest && "review" in latest ? latest.review : undefined;
  const waits = review?.coverage.layers.some(({ layer, state }) => layer === "ai" && state === "waiting");
  if (!waits || latest?.ends.headSha !== pull.ends.headSha) return "not_waiting";
  if (facts.pause || repository.pause) return "paused";
  return brokenRunLimit(recent, at, PIPELINES.review.limits) ? "limit" : undefined;
}
