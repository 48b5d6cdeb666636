import type { Answer } from "../../../domain/answers.ts";
import type { RunLimit } from "../../../domain/command-arguments.ts";
import type { Command } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { RunRequest } from "../../../domain/event-catalogue.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { type Outcome, refuse, requestOf } from "../../commands/command-result.ts";
import { raiseLimit } from "../../commands/shared-commands.ts";
import { applyEffects, type Decision, NOTHING } from "../../runs/decision.ts";
import { PIPELINES } from "../../runs/definition.ts";
import { moneyGate } from "../../runs/gates/gate-rules.ts";
import { extensionsOf } from "../../runs/subject-facts.ts";
import { openCheck } from "../decide-head.ts";
import { closeCheck } from "../end-events.ts";
import { answerReview } from "../gates.ts";
import { reviewOn } from "../review-on.ts";
import { type CompletedRun, isActive, type WaitingRun, waitsAtGate } from "../run-state.ts";
import type { SubjectView } from "../view.ts";

type Resume = Extract<Command, { name: "resume" }>;

/** `/forge resume`: a review that was stopped, or that ended at a limit which was raised since, goes on with what it has. */
export function giveResume(view: SubjectView, input: CommandGiven, { instructions }: Resume): Outcome {
  const { active, latest } = view;
  if (!input.pull.open) return refuse({ reason: "closed" });
  if (isActive(active)) return instructions ? refuse({ reason: "at_work" }) : {};
  const pause = view.facts.pause ?? view.repository.pause;
  if (pause) return refuse({ reason: "paused", by: pause.by, scope: pause.scope });
  if (active?.status === "waiting") return { decision: goOn(active, input, instructions) };
  const limits = latest ? limitsMet(view, input) : [];
  if (latest?.status !== "completed" || limits.length === 0) return refuse({ reason: "nothing_to_resume" });
  const extensions = extensionsOf(view.facts, latest.runId);
  return limits.some((limit) => extensions[limit] > 0)
    ? { decision: goOn(latest, input, instructions) }
    : refuse({ reason: "nothing_to_resume", limit: limits[0] });
}

/** The limits at which the finished review of the newest head left something unread. */
export function limitsMet({ latest }: SubjectView, { pull }: CommandGiven): readonly RunLimit[] {
  if (latest?.status !== "completed" || latest.ends.headSha !== pull.ends.headSha) return [];
  const ai = latest.review?.coverage.layers.find(({ layer }) => layer === "ai");
  return ai?.state === "partly" || ai?.state === "failed" ? (latest.endedAtLimits ?? []) : [];
}

/**
 * The same run once more, so that its agents go on from their checkpoints and nothing is paid twice. The request is a new one: it has a check
 * of its own.
 */
export function goOn(run: WaitingRun | CompletedRun, input: CommandGiven, instructions?: string): Decision {
  const { runId, subject, ends, version } = run;
  const { at, by } = input;
  const request: RunRequest = { ...run.request, id: requestOf(input), reason: "commanded", automatic: false };
  const payload = { attempt: 1, reason: `${by.login} had it go on`, request, ...defined({ instructions }) };
  return {
    ...NOTHING,
    appends: [
      {
        runId,
        expectedVersion: version,
        events: [{ type: "run.resumed", phase: "review", payload, actor: by }],
      },
    ],
    effects: [
      {
        runId,
        headSha: ends.headSha,
        effects: [openCheck({ subject, ends, request })],
      },
    ],
    jobs: [reviewOn(run, at), applyEffects(subject, at)],
  };
}

/**
 * `/forge stop`: the review that is at work ends after its step in flight, and keeps what it has. Its check says so at once; whoever works
 * on it finds out when the step is recorded, and what the work comes to all the same is not taken any more.
 */
export function giveStop({ active: run }: SubjectView, { at, by }: CommandGiven): Outcome {
  if (run?.status === "waiting") return {};
  if (!isActive(run)) return refuse({ reason: "nothing_at_work" });
  const { runId, version, status } = run;
  return {
    decision: {
      appends: [{ runId, expectedVersion: version, events: [{ type: "run.stopped", payload: {}, actor: by }] }],
      ...closeCheck(run, { conclusion: "action_required", report: { kind: "stopped", by: by.login } }, at),
      // Work that has begun is not cut off: a call of a model that is in flight is paid. One that waits has only the job for the deadline.
      cancelJobsOfRuns: status === "pending" || waitsAtGate(run) ? [runId] : [],
    },
  };
}

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
