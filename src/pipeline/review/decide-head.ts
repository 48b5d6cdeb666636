import { defined } from "../../domain/defined.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { CANCEL_REASONS } from "../../domain/event-catalogue.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { HeadChanged, Input } from "../../domain/inputs.ts";
import { numberOf, subjectKey } from "../../domain/subjects.ts";
import { worksWithoutMemory } from "../../safety/held-out.ts";
import { applyEffects, both, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import { PIPELINES } from "../runs/definition.ts";
import { isOlder } from "../runs/kind.ts";
import { brokenRunLimit } from "../runs/run-limits.ts";
import { closeCheck, skipRun } from "./end-events.ts";
import { reviewOn } from "./review-on.ts";
import { ownsSubject, type RunState } from "./run-state.ts";
import type { SubjectView } from "./view.ts";

/** A head wants a review (GH-2): supersedes the run of an older one (GH-3), joins a run of the same one, or starts a new run. */
export function decideHead(view: SubjectView, input: HeadChanged): Decision {
  const repeated = reasonToIgnore(view, input);
  if (repeated) return ignore(repeated);
  const cancelled = ownsSubject(view.active)
    ? cancelActive(view, input, { reason: "superseded", byHead: input.ends.headSha, settle: true })
    : NOTHING;
  // Only our check holds up a merge queue, and an implementation has limits of its own.
  const unlimited = input.subject.kind === "merge_group" || input.implements !== undefined;
  const limit = unlimited ? undefined : brokenRunLimit(view.recent, input, PIPELINES.review.limits);
  const started = limit ? skipNewRun(input, limit) : startReview(input);
  return both(cancelled, started);
}

function reasonToIgnore(view: SubjectView, input: HeadChanged): string | undefined {
  const { ends, request } = input;
  const active = view.active;
  if (view.recent.some((run) => run.requestId === request.id)) return "this request was taken before";
  if (!request.automatic) return undefined;
  if (ownsSubject(active) && active.ends.headSha === ends.headSha && active.ends.baseRef === ends.baseRef) {
    return active.status === "waiting" ? "its review was stopped" : "this head is being reviewed already";
  }
  // Deliveries come in any order. Nothing comes before the opening of a pull request, and what is older than what we know is over.
  if (request.reason === "opened" && view.recent.length > 0) return "the pull request has moved on since it was opened";
  if (ownsSubject(active) && isOlder(input.updatedAt, active.updatedAt)) return "GitHub told of a later state before";
  // Whatever the run came to, people do not see it.
  if (request.reason === "check_left") return undefined;
  const ofThisHead = view.recent.filter((run) => run.headSha === ends.headSha);
  // Another base is another diff, though the head is the same.
  if (
    request.reason !== "base_changed" &&
    ofThisHead.some((run) => run.status === "completed" && run.conclusion !== "skipped")
  ) {
    return "this head was reviewed already";
  }
  // The reconcile pass looks for heads that were missed; one that failed or was left out has its answer.
  if (request.reason === "reconciled" && ofThisHead.some((run) => run.status !== "cancelled")) {
    return "this head was taken already";
  }
  return undefined;
}

function startReview(input: HeadChanged): Decision {
  const { subject, newRunId, ends, at } = input;
  const workAt = new Date(Date.parse(at) + input.debounceMs).toISOString();
  return {
    ...NOTHING,
    appends: [{ runId: newRunId, expectedVersion: 0, events: startEvents(input) }],
    effects: [{ runId: newRunId, headSha: ends.headSha, effects: [openCheck(input)] }],
    jobs: [reviewOn({ runId: newRunId, subject }, workAt), applyEffects(subject, at)],
  };
}

/** A check appears on every head, also on one that is not reviewed (GH-8d). */
function skipNewRun(input: HeadChanged, reason: string): Decision {
  const { newRunId, ends, at, subject } = input;
  const open = openCheck(input);
  const { events, effects } = skipRun({
    subject,
    headSha: ends.headSha,
    request: input.request,
    startedAt: at,
    at,
    reason,
  });
  return {
    ...NOTHING,
    appends: [{ runId: newRunId, expectedVersion: 0, events: [...startEvents(input), ...events] }],
    effects: [{ runId: newRunId, headSha: ends.headSha, effects: [open, ...effects] }],
    jobs: [applyEffects(subject, at)],
  };
}

function startEvents(input: HeadChanged): NewEvent[] {
  const { webhook, subject, ends, request, debounceMs, by, updatedAt } = input;
  const received: NewEvent[] = webhook ? [{ type: "webhook.received", payload: webhook, actor: by }] : [];
  const what = subject.kind === "merge_group" ? "merge group of" : "pull request";
  const task = `review ${what} #${numberOf(subject)}: ${input.title}`;
  const known = defined({ updatedAt, implements: input.implements });
  const memory = worksWithoutMemory(subject) ? "without" : "with";
  const about = { subject, ends, request, task, memory } as const;
  const payload = { kind: "review", ...about, estimatedCostUsd: 0, debounceMs, ...known } as const;
  // The start comes first: a run's log always begins with it.
  return [{ type: "run.started", payload, actor: by }, ...received];
}

/** Opens the check of a request on its head. */
export function openCheck({ subject, ends, request }: Pick<RunState, "subject" | "ends" | "request">): Effect {
  return {
    kind: "check.open",
    key: effectKey("check.open", subjectKey(subject), ends.headSha, request.id),
    payload: { check: "forge/review", headSha: ends.headSha },
  };
}

export interface Cancellation {
  readonly reason: (typeof CANCEL_REASONS)[number];
  readonly byHead?: string;
  /** Whether the check on GitHub is closed as well. */
  readonly settle: boolean;
}

/** Ends the run that owns the subject, if there is one: it posts nothing, its jobs go, its check closes as cancelled. */
export function cancelActive(view: SubjectView, input: Input, how: Cancellation): Decision {
  const run = view.active;
  if (!ownsSubject(run)) return ignore("no run is active here");
  // The check of a stopped one is complete.
  return cancelRun(run, input.at, run.status === "waiting" ? { ...how, settle: false } : how);
}

export function cancelRun(run: RunState, at: string, how: Cancellation): Decision {
  const why = { reason: how.reason, ...defined({ byHead: how.byHead }) };
  return {
    ...NOTHING,
    ...(how.settle && closeCheck(run, { conclusion: "cancelled", report: { kind: "cancelled", ...why } }, at)),
    appends: [
      {
        runId: run.runId,
        expectedVersion: run.version,
        events: [{ type: "run.cancelled", payload: why }],
      },
    ],
    cancelJobsOfRuns: [run.runId],
  };
}
