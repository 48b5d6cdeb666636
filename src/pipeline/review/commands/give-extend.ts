import type { Answer } from "../../../domain/answers.ts";
import type { Command } from "../../../domain/commands.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { type Outcome, refuse } from "../../runs/commands/deed.ts";
import { raiseLimit } from "../../runs/commands/shared-commands.ts";
import { PIPELINES } from "../../runs/definition.ts";
import { moneyGate } from "../../runs/gates/gate-rules.ts";
import { answerReview } from "../gates.ts";
import { isActive } from "../run-state.ts";
import type { SubjectView } from "../view.ts";
import { goOn, limitsMet } from "./give-resume.ts";

type Extend = Extract<Command, { name: "extend" }>;

/** `/forge extend`: raises a limit of the newest run; a review that ended at it goes on at once. */
export function giveExtend(view: SubjectView, input: CommandGiven, { limit, amount }: Extend): Outcome {
  const { active, latest, facts, repository } = view;
  const run = active ?? latest;
  if (!run || run.ends.headSha !== input.pull.ends.headSha) return refuse({ reason: "nothing_to_extend" });
  const configured = input.limits?.[limit] ?? 0;
  const raised = raiseLimit(
    view,
    { runId: run.runId, configured, extendedTo: PIPELINES.review.limits.extendedTo, by: input.by },
    { limit, amount },
  );
  if ("refusal" in raised) return raised;
  const events = [raised.event];
  const extended = (to: Extract<Answer, { kind: "extended" }>["run"]): Answer => {
    return { kind: "extended", limit, total: raised.total, run: to };
  };
  const gate = limit === "usd" && isActive(active) ? moneyGate(active, input.role ?? "none", input.at) : undefined;
  if (isActive(active) && gate) {
    return { events, decision: answerReview(active, gate, "approved", input), answer: extended("resumed") };
  }
  if (isActive(active)) return { events, answer: extended("at_work") };
  if (active) return { events, answer: extended("stopped") };
  const isQuiet = !input.pull.open || facts.pause || repository.pause;
  if (run.status !== "completed" || isQuiet || !limitsMet(view, input).includes(limit)) {
    return { events, answer: extended("ended") };
  }
  return { events, decision: goOn(run, input), answer: extended("resumed") };
}
