import type { Command } from "../../../domain/commands.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import type { CheckName } from "../../../domain/phases.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import { type Outcome, refuse } from "../../commands/command-result.ts";
import { causeOfNote } from "../../runs/decision.ts";
import { isOlder } from "../../runs/kind.ts";
import { overrideOn, type SubjectFacts } from "../../runs/subject-facts.ts";
import { reviseTests } from "../head-tests.ts";
import { isActive } from "../run-state.ts";
import { reportAnew, reviseCheck } from "../show-ledger.ts";
import type { SubjectView } from "../view.ts";

type Override = Extract<Command, { name: "override" }>;

/**
 * `/forge override`: passes the check on this head, and no other. Only a check that is settled on the newest head can be passed: nobody
 * overrides what they have not seen.
 */
export function giveOverride(view: SubjectView, input: CommandGiven, { check, reason }: Override): Outcome {
  const { headSha } = input.pull.ends;
  const why = reasonAgainst(view, input, check);
  if (why) return refuse({ reason: "nothing_to_override", check, why });
  const override = { check, headSha, by: input.by.login, at: input.at, reason };
  const facts = { ...view.facts, overrides: [...view.facts.overrides, override] };
  const { tests } = facts;
  const ofTests = check === "forge/tests" && tests !== undefined;
  return {
    events: [
      { type: "check.overridden", payload: { check, headSha, reason }, actor: input.by },
      ...noteOf(view, headSha),
    ],
    decision: ofTests ? reviseTests(tests, input, facts) : reviseCheck(view, input, { ledger: view.ledger, facts }),
  };
}

/** A person decided otherwise than the review of this head (RUN-1). */
function noteOf({ latest, facts }: SubjectView, headSha: string): NewEvent[] {
  if (latest?.ends.headSha !== headSha) return [];
  const { runId } = latest;
  const note = { what: "overridden" } as const;
  const cause = causeOfNote(runId, note);
  return facts.causes.has(cause) ? [] : [{ type: "run.noted", payload: { cause, runId, ...note } }];
}

type Why = Extract<Refusal, { reason: "nothing_to_override" }>["why"];

function reasonAgainst(
  { latest, active, facts, ledger }: SubjectView,
  input: CommandGiven,
  check: CheckName,
): Why | undefined {
  const { headSha } = input.pull.ends;
  if (check === "forge/tests") return reasonAgainstTests(facts, input);
  if (check !== "forge/review" || !latest) return "no_check";
  if (isActive(active)) return "at_work";
  if (latest.ends.headSha !== headSha) return "other_head";
  // One that came late, after an outage say, may be about an older head. Both times are GitHub's.
  if (isOlder(input.writtenAt, latest.updatedAt)) return "newer_head";
  if (overrideOn(facts, check, headSha)) return "passes";
  if (latest.status === "failed" || latest.status === "waiting") return undefined;
  if (latest.status !== "completed") return "no_check";
  // What its tests reached and what people said since then counts as well.
  const { conclusion = latest.conclusion } = reportAnew(latest, { ledger, recent: [], facts }) ?? {};
  return conclusion === "failure" || conclusion === "action_required" ? undefined : "passes";
}

/** Late commands do no harm here: tests belong to the head that the command was given on, or to none. */
function reasonAgainstTests(facts: SubjectFacts, { pull }: CommandGiven): Why | undefined {
  const { tests } = facts;
  const { headSha } = pull.ends;
  if (!tests) return "no_check";
  if (tests.headSha !== headSha) return "other_head";
  if (!tests.ended) return "at_work";
  const { conclusion } = tests.ended;
  const passes = conclusion !== "failure" && conclusion !== "action_required";
  return passes || overrideOn(facts, "forge/tests", headSha) ? "passes" : undefined;
}
