import type { Command } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import { effectKey } from "../../../domain/effects.ts";
import type { LedgerEntry } from "../../../domain/findings.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { type Outcome, refuse, requestOf } from "../../commands/command-result.ts";
import { applyEffects, type Decision, NOTHING } from "../../runs/decision.ts";
import { isOlder } from "../../runs/elapsed.ts";
import { overrideOn, type SubjectFacts } from "../../runs/subject-facts.ts";
import { reportAnew } from "../reviewed-report.ts";
import { isActive } from "../run-state.ts";
import type { SubjectView } from "../view.ts";

/** What a command changed: the ledger or the facts as they are after it. */
export interface Changed {
  readonly ledger: readonly LedgerEntry[];
  readonly facts: SubjectFacts;
}

/**
 * Says on the check of the head what it comes to after a command, at once and from what the last review looked at. Nothing where a run is
 * at work, which will see the change itself, and where the newest head has no finished check.
 */
export function reviseCheck(view: SubjectView, input: CommandGiven, { ledger, facts }: Changed): Decision {
  const run = view.latest;
  if (!run || (run.status !== "completed" && run.status !== "failed" && run.status !== "waiting")) return NOTHING;
  const { headSha } = run.ends;
  const settled = reportAnew(run, { ledger, recent: view.recent });
  if (!settled || headSha !== input.pull.ends.headSha) return NOTHING;
  const overridden = overrideOn(facts, "forge/review", headSha);
  const of = subjectKey(run.subject);
  return {
    ...NOTHING,
    effects: [
      {
        runId: run.runId,
        headSha,
        effects: [
          {
            kind: "check.revise",
            key: effectKey("check.revise", of, headSha, requestOf(input)),
            payload: {
              check: "forge/review",
              headSha,
              openKey: effectKey("check.open", of, headSha, run.request.id),
              completeKey: effectKey("check.complete", of, headSha, run.request.id),
              conclusion: overridden ? "success" : settled.conclusion,
              report: settled.report,
              ...defined({ overridden }),
            },
          },
        ],
      },
    ],
    jobs: [applyEffects(run.subject, input.at)],
  };
}

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
  return {
    events: [{ type: "check.overridden", payload: { check, headSha, reason }, actor: input.by }],
    decision: reviseCheck(view, input, { ledger: view.ledger, facts }),
  };
}

type Why = Extract<Refusal, { reason: "nothing_to_override" }>["why"];

function reasonAgainst({ latest, active, facts }: SubjectView, input: CommandGiven, check: string): Why | undefined {
  const { headSha } = input.pull.ends;
  if (check !== "forge/review" || !latest) return "no_check";
  if (isActive(active)) return "at_work";
  if (latest.ends.headSha !== headSha) return "other_head";
  // One that came late, after an outage say, may be about an older head. Both times are GitHub's.
  if (isOlder(input.writtenAt, latest.updatedAt)) return "newer_head";
  if (overrideOn(facts, check, headSha)) return "passes";
  if (latest.status === "failed" || latest.status === "waiting") return undefined;
  if (latest.status !== "completed") return "no_check";
  return latest.conclusion === "failure" || latest.conclusion === "action_required" ? undefined : "passes";
}
