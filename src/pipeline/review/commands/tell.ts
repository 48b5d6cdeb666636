import type { Answer, StatusFacts } from "../../../domain/answers.ts";
import { defined } from "../../../domain/defined.ts";
import { isBlocking, isOpen, type LedgerEntry } from "../../../domain/findings.ts";
import { isOpenGate } from "../../../domain/gates.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { PIPELINES } from "../../runs/definition.ts";
import { countRuns } from "../../runs/run-limits.ts";
import { overrideOn } from "../../runs/subject-facts.ts";
import { isActive, waitsAtGate } from "../run-state.ts";
import { countBySeverity } from "../verdict.ts";
import type { SubjectView } from "../view.ts";

/** `/forge status`: what is going on at this pull request. */
export function tellStatus(view: SubjectView, input: CommandGiven): Answer {
  const { active, latest, facts, repository, ledger } = view;
  const { headSha } = input.pull.ends;
  const open = ledger.filter(isOpen).map(({ finding }) => finding);
  const inState = (state: string) => ledger.filter((entry) => entry.state === state).length;
  const runs = countRuns(view.recent, input.at);
  const override = overrideOn(facts, "forge/review", headSha);
  const status: StatusFacts = {
    headSha,
    ...(isActive(active)
      ? { active: { headSha: active.ends.headSha, status: active.status, since: active.startedAt } }
      : {}),
    ...(latest && "endedAt" in latest
      ? {
          last: {
            headSha: latest.ends.headSha,
            at: latest.endedAt,
            runId: latest.runId,
            ...(latest.status === "completed" ? { conclusion: latest.conclusion } : {}),
            ...(latest.status === "failed" ? { conclusion: "action_required" as const } : {}),
            ...(latest.status === "cancelled" ? { conclusion: "cancelled" as const } : {}),
          },
        }
      : {}),
    ...(active && waitsAtGate(active)
      ? { gates: active.gates?.filter(isOpenGate).map(({ gate, deadline }) => ({ gate, deadline })) }
      : {}),
    ...(active?.status === "waiting"
      ? { stopped: { headSha: active.ends.headSha, by: active.stoppedBy, at: active.stoppedAt } }
      : {}),
    open: countBySeverity(open),
    blocking: open.filter(isBlocking).length,
    dismissed: inState("dismissed"),
    fixed: inState("fixed"),
    pauses: [facts.pause, repository.pause].filter((pause) => pause !== undefined),
    ...defined({ override: override && { by: override.by, reason: override.reason } }),
    runs: {
      hour: runs.hour,
      perHour: PIPELINES.review.limits.runsPerHour,
      day: runs.day,
      perDay: PIPELINES.review.limits.runsPerDay,
    },
    refusals: [...facts.refusals],
  };
  const { deployments } = input;
  return { kind: "status", status, ...defined({ deployments: deployments && [...deployments] }) };
}

/** `/forge explain`: why a finding was reported and what became of it, from what is on record. */
export function tellExplanation(view: SubjectView, { finding, state, headSha, dismissal }: LedgerEntry): Answer {
  const review = view.latest && "review" in view.latest ? view.latest.review : undefined;
  const analyser = finding.rule.split("/")[0];
  const tool = review?.coverage.layers.flatMap(({ tools }) => tools).find(({ name }) => name === analyser);
  return {
    kind: "explained",
    finding,
    state,
    headSha,
    ...defined({ dismissal, tool: tool && { name: tool.name, version: tool.version } }),
    history: [...(view.history ?? [])],
  };
}
