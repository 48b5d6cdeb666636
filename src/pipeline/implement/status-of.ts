import { isDeepStrictEqual } from "node:util";
import { defined } from "../../domain/defined.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { WorkProgress } from "../../domain/implementation.ts";
import type { ImplementationStatus } from "../../domain/implementation-status.ts";
import type { CommonInput, IssueInput } from "../../domain/inputs.ts";
import { type Conclusion, type Phase, WORK_PHASES } from "../../domain/phases.ts";
import { subjectKey } from "../../domain/subjects.ts";
import type { RunProjection } from "../../store/runs/upsert-runs.ts";
import { applyEffects, type Decision } from "../runs/decision.ts";
import { placeEvents, runOf } from "../runs/kind.ts";
import { followGuarded } from "./guards.ts";
import { type Implementation, isAtWork, openGates } from "./implementation.ts";
import type { IssueView } from "./view.ts";

/** The facts for the status comment of a run (GH-12). */
export function statusOf(run: Implementation): ImplementationStatus {
  const { progress } = run;
  const { task, requestedBy, costUsd, configuration, branch, pull, work, plan, tasksDone, bounces, took } = run;
  const ending = endingOf(run);
  return {
    task,
    requestedBy: requestedBy.login,
    step: stepOf(run),
    phases: WORK_PHASES.map((phase) => {
      const { times = 0, costUsd: usd = 0, durationMs = 0 } = took[phase] ?? {};
      return { phase, state: standingOf(run, phase), times, costUsd: usd, durationMs };
    }),
    usedUsd: Math.max(costUsd, progress?.costUsd ?? 0),
    ...(progress && isAtWork(run) ? { doing: doingOf(progress) } : {}),
    limitUsd: configuration?.safety.cost.run ?? 0,
    ...defined({ branch, pull: pull && { number: pull.number, draft: !pull.ready } }),
    commits: work?.commits.length ?? 0,
    testsAdded: work?.testsAdded ?? 0,
    tasks: { done: tasksDone.length, all: plan?.plan.tasks.length ?? 0 },
    gates: openGates(run).map(({ gate, question, deadline }) => ({ gate, question, deadline })),
    bounces: { ...bounces },
    durationMs: Object.values(took).reduce((sum, each) => sum + each.durationMs, 0),
    ...(ending && work && work.headSha !== run.pushed ? { unpushed: true } : {}),
    ...defined({ ending, faults: run.faults && [...run.faults], release: run.release }),
  };
}

function doingOf({ doing, costUsd: _ofTheRun, ...activity }: WorkProgress): NonNullable<ImplementationStatus["doing"]> {
  return { ...activity, is: doing };
}

function stepOf(run: Implementation): ImplementationStatus["step"] {
  const { phase, plan, tasksDone, cause, feedback, work, pushed, leftDraft } = run;
  if (run.readyHead !== undefined && run.readyHead === work?.headSha && !isAtWork(run))
    return { is: "ready", ...defined({ leftDraft }) };
  switch (phase) {
    case "planning":
      // A plan that waits for an answer, or was all that was wanted, is not being changed.
      return { is: "planning", revision: plan?.revision ?? 0, ...(plan && !isAtWork(run) ? { made: true } : {}) };
    case "implementation": {
      if (work && work.headSha !== pushed && cause === undefined) return { is: "pushing" };
      if (cause !== undefined) return { is: "feedback", cause, items: feedback.length };
      const tasks = plan?.plan.tasks ?? [];
      const next = tasks.find(({ id }) => !tasksDone.some(({ taskId }) => taskId === id));
      return next ? { is: "task", done: tasksDone.length, all: tasks.length, title: next.title } : { is: "pushing" };
    }
    case "review":
      return { is: "reviewing" };
    case "testing":
      return { is: "testing" };
    case undefined:
      return { is: "beginning" };
    case "deployment":
    case "monitoring":
    case "verification":
      return { is: "in_phase", phase };
  }
}

function standingOf(run: Implementation, phase: Phase): "to_come" | "active" | "done" | "again" {
  const times = run.took[phase]?.times ?? 0;
  if (times === 0) return "to_come";
  if (run.phase !== phase || run.pull?.ready || run.end?.is === "completed") return "done";
  return times > 1 ? "again" : "active";
}

function endingOf({ end, stopped }: Implementation): ImplementationStatus["ending"] {
  if (stopped && !end) {
    const { by, reason, limit } = stopped;
    return { is: "stopped", reason, ...defined({ by, limit }) };
  }
  switch (end?.is) {
    case "completed":
      if (end.outcome === "merged" || end.outcome === "planned") return { is: end.outcome };
      return { is: "nothing_to_do", reason: end.reason ?? "there was nothing to change" };
    case "failed":
      return { is: "failed", ...end.error };
    case "cancelled":
      return { is: "cancelled", reason: end.reason, ...defined({ by: end.by }) };
    case undefined:
      return undefined;
    default:
      return end satisfies never;
  }
}

/**
 * The status comment says anew what is so, whenever that is something else than before (GH-12).
 * @throws ForgeError `guard_failed` when the decision enters a phase that may not be entered
 */
export function withStatus(
  view: IssueView,
  decision: Decision,
  { subject, at, type }: IssueInput | CommonInput,
): Decision {
  // Nothing can be written any more where the repository is gone.
  if (type === "subject.gone") return decision;
  const said = decision.appends.flatMap((append): Effect[] => {
    const { runId, expectedVersion } = append;
    const before = runOf(view, runId);
    if (!before && expectedVersion > 0) return [];
    const after = followGuarded(before, placeEvents(append, at), view.pipeline);
    if (!after) return [];
    const status = statusOf(after);
    if (before && isDeepStrictEqual(statusOf(before), status)) return [];
    const key = effectKey("issue.status", subjectKey(after.subject), "", runId, String(after.version));
    return [{ kind: "issue.status", key, payload: { status, of: after.version } }];
  });
  if (said.length === 0) return decision;
  const { runId } = decision.appends.find(({ runId: id }) => id !== subjectKey(subject)) ?? { runId: "" };
  return {
    ...decision,
    effects: [...decision.effects, { runId, headSha: "", effects: said }],
    jobs: [...decision.jobs, applyEffects(subject, at)],
  };
}

const CONCLUSIONS: Readonly<Record<NonNullable<Implementation["end"]>["is"], Conclusion>> = {
  completed: "success",
  failed: "failure",
  cancelled: "cancelled",
};

/** The row of a run on an issue: `headSha` is what stands on its branch, empty before there is one. */
export function projectImplementation(run: Implementation): RunProjection {
  const { runId, kind, subject, status, base, request, startedAt, version, endedAt, end, pushed, pull, branch } = run;
  const isWaiting = status === "running" && openGates(run).length > 0;
  return {
    traceId: runId,
    kind,
    subject,
    status: isWaiting ? "waiting" : status,
    headSha: pushed ?? "",
    baseSha: base?.sha ?? "",
    requestId: request.id,
    startedAt,
    version,
    ...defined({ endedAt }),
    ...(end === undefined ? {} : { conclusion: CONCLUSIONS[end.is] }),
    ...defined({ pullNumber: pull?.number, branch }),
  };
}
