import { effectKey } from "../../../domain/effects.ts";
import type { NewEvent, PlacedEvent } from "../../../domain/events.ts";
import type { RuleObserved } from "../../../domain/inputs.ts";
import type { RuleAnswer, RuleRequest } from "../../../domain/protection.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { applyEffects, type Decision, ignore, NOTHING, type RunView, withOwnEvents } from "../../runs/decision.ts";
import { answerTo } from "./answer-to.ts";

/** What was answered last, and how many reports were written, to one run about one environment. */
export interface Answered {
  readonly last?: RuleAnswer;
  readonly reports: number;
}

/** What this log of an environment says of it. */
export function answeredIn(events: readonly PlacedEvent[], asked: RuleRequest): Answered {
  const ours = events.flatMap((event) =>
    event.type === "rule.answered" && isSame(event.payload.asked, asked) ? [event.payload.answer] : [],
  );
  const last = ours.at(-1);
  return { ...(last ? { last } : {}), reports: ours.filter(({ is }) => is === "waits").length };
}

/** GitHub does not tell names of environments apart by their case. */
function isSame(one: RuleRequest, other: RuleRequest): boolean {
  const isSameRun = one.workflowRunId === other.workflowRunId && one.attempt === other.attempt;
  return isSameRun && one.environment.toLowerCase() === other.environment.toLowerCase();
}

/** GitHub takes ten for a deployment. */
const MOST_REPORTS = 10;

/** What follows from a look at what asks Forge as the rule of an environment. The same is said once, and a yes or no is final. Pure. */
export function decideRule(
  { facts }: Pick<RunView<unknown>, "facts">,
  answered: Answered,
  input: RuleObserved,
): Decision {
  const { subject, asked, look, at } = input;
  const answer = answerTo(look);
  const { last, reports } = answered;
  if (last && last.is !== "waits") return ignore("this was answered before");
  if (last && JSON.stringify(last) === JSON.stringify(answer)) return ignore("the same was said before");
  if (answer.is === "waits" && reports >= MOST_REPORTS) return ignore("GitHub takes no more reports");
  const event: NewEvent = { type: "rule.answered", payload: { asked, answer } };
  const runId = subjectKey(subject);
  const about = answer.is === "waits" ? `${reports + 1}` : undefined;
  const attempt = asked.attempt === undefined ? "" : `.${asked.attempt}`;
  const which = `${asked.workflowRunId}${attempt}:${asked.environment.toLowerCase()}`;
  const key = effectKey("rule.answer", runId, asked.sha, which, about);
  const effects = [{ kind: "rule.answer", key, payload: { asked, answer } } as const];
  const decision: Decision = {
    ...NOTHING,
    effects: [{ runId, headSha: asked.sha, effects }],
    jobs: [applyEffects(subject, at)],
  };
  return withOwnEvents(decision, { subject, version: facts.version }, [event]);
}
