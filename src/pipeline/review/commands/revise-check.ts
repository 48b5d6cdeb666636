import { defined } from "../../../domain/defined.ts";
import { effectKey } from "../../../domain/effects.ts";
import type { LedgerEntry } from "../../../domain/findings.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { requestOf } from "../../runs/commands/deed.ts";
import { applyEffects, type Decision, NOTHING } from "../../runs/decision.ts";
import { overrideOn, type SubjectFacts } from "../../runs/subject-facts.ts";
import { reportAnew } from "../report-anew.ts";
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
