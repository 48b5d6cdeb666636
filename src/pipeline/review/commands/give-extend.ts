import type { Answer } from "../../../domain/answers.ts";
import type { Command } from "../../../domain/commands.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { type Outcome, refuse } from "../../runs/commands/deed.ts";
import type { SubjectView } from "../../runs/decision.ts";
import { moneyGate } from "../../runs/gates/gate-rules.ts";
import { extensionsOf } from "../../runs/subject-facts.ts";
import { answerReview } from "../gates.ts";
import { isActive } from "../run-state.ts";
import { goOn, limitsMet } from "./give-resume.ts";

type Extend = Extract<Command, { name: "extend" }>;

/** With all that was added a limit may become so many times what is configured. */
const CEILING = 5;

/** `/forge extend`: raises a limit of the newest run; a review that ended at it goes on at once. */
export function giveExtend(view: SubjectView, input: CommandGiven, { limit, amount }: Extend): Outcome {
  const { active, latest, facts, repository } = view;
  const run = active ?? latest;
  if (!run || run.ends.headSha !== input.pull.ends.headSha) return refuse({ reason: "nothing_to_extend" });
  const configured = input.limits?.[limit] ?? 0;
  const before = extensionsOf(facts, run.runId)[limit];
  const most = Math.max(0, (CEILING - 1) * configured - before);
  if (amount > most) return refuse({ reason: "above_ceiling", limit, most });
  const payload = { runId: run.runId, limit, amount };
  const events: NewEvent[] = [{ type: "limit.extended", payload, actor: input.by }];
  const extended = (to: Extract<Answer, { kind: "extended" }>["run"]): Answer => {
    return { kind: "extended", limit, total: configured + before + amount, run: to };
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
