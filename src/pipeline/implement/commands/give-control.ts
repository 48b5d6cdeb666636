import type { RunLimit } from "../../../domain/command-arguments.ts";
import type { Command } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { Gate } from "../../../domain/gates.ts";
import type { IssueCommandGiven } from "../../../domain/inputs.ts";
import type { Phase } from "../../../domain/phases.ts";
import { type Outcome, refuse, requestOf } from "../../commands/command-result.ts";
import { pause, raiseLimit, unpause } from "../../commands/shared-commands.ts";
import { limitsIn } from "../../runs/definition.ts";
import { moneyGate, voidGates } from "../../runs/gates/gate-rules.ts";
import { extensionsOf } from "../../runs/subject-facts.ts";
import { isReviewed } from "../approvals.ts";
import { askPerson } from "../ask-person.ts";
import { emptied, openPull } from "../branch.ts";
import { type FailedGuard, failedGuard } from "../guards.ts";
import {
  type Active,
  headOf,
  type Implementation,
  isAtWork,
  isInRound,
  isLooked,
  openGates,
  ownsIssue,
  reopen,
} from "../implementation.ts";
import { enter, type Step, stepOf } from "../step.ts";
import { type Asking, firstOfHead, type IssueView } from "../view.ts";
import { push } from "../worked.ts";
import { answer } from "./give-verdict.ts";

/** `/forge stop`: the run ends after its step in flight and keeps what it has. */
export function giveIssueStop({ active: run }: IssueView, { at, by }: IssueCommandGiven): Outcome {
  if (!ownsIssue(run)) return refuse({ reason: "nothing_at_work" });
  if (run.stopped) return {};
  const stopped: NewEvent = { type: "run.stopped", payload: {}, actor: by };
  // Work that has begun is not cut off: a call of a model that is in flight is paid.
  return { decision: stepOf(run, { events: [stopped], cancelJobs: run.status === "pending" }, at) };
}

/** `/forge resume`: the run goes on where it stands, with new instructions for whoever works next. */
export function giveIssueResume(
  view: IssueView,
  input: IssueCommandGiven,
  command: Extract<Command, { name: "resume" }>,
): Outcome {
  const { active: run } = view;
  if (!ownsIssue(run)) return refuse({ reason: "nothing_to_resume" });
  const { stopped } = run;
  if (!stopped) return command.instructions ? refuse({ reason: "at_work" }) : {};
  const { limit } = stopped;
  if (limit && extensionsOf(view.facts, run.runId)[limit] === 0) return refuse({ reason: "nothing_to_resume", limit });
  const resumed = resumedBy(run, input, `${input.by.login} had it go on`, command.instructions);
  return { decision: stepOf(run, goOn(view, run, resumed, input.at), input.at) };
}

/** The event that a run goes on because somebody said so. */
export function resumedBy(
  run: Implementation,
  input: IssueCommandGiven,
  reason: string,
  instructions?: string,
): NewEvent {
  const request = { ...run.request, id: requestOf(input), reason: "commanded" as const };
  const payload = { attempt: 1, reason, request, ...defined({ instructions }) };
  return { type: "run.resumed", payload, actor: input.by };
}

/** `/forge retry`: a phase once more, by default the present one; also of a run that failed. */
export function giveRetry(
  view: IssueView,
  input: IssueCommandGiven,
  { phase }: Pick<Extract<Command, { name: "retry" }>, "phase">,
): Outcome {
  const known = view.active ?? view.latest;
  const failed = known?.is === "ended" && known.end.is === "failed" ? reopen(known) : undefined;
  const run = failed ?? (ownsIssue(known) ? known : undefined);
  if (!run) return refuse({ reason: "nothing_to_retry" });
  if (failed && !input.issue.open) return refuse({ reason: "closed" });
  if (!failed && isAtWork(run)) return refuse({ reason: "at_work" });
  const step = again(view, run, input, phase);
  return "guard" in step
    ? refuse({ reason: "guarded", phase: phase ?? run.phase ?? "planning", why: step.why })
    : { decision: stepOf(run, step, input.at) };
}

/** Nobody gets past a gate or a review by having the phase behind it done again. */
function again(view: IssueView, run: Active, input: IssueCommandGiven, phase?: Phase): Step | FailedGuard {
  const { by, at } = input;
  const wanted = phase ?? run.phase;
  // One that no worker has looked at yet begins as any other.
  if (wanted === undefined || !run.configuration || (phase === undefined && askedAgain(run))) {
    return goOn(view, run, resumedBy(run, input, `${by.login} had it go on`), at);
  }
  const resumed = resumedBy(run, input, `${by.login} wanted ${wanted} again`);
  const voided = voidGates(run, openGates(run));
  const enterAgain = (into: Phase): Step => {
    const entered = enter(run, into, `${by.login} wanted it again`);
    return { events: [...voided, resumed, entered], work: true, cancelJobs: true };
  };
  const failed = failedGuard(run, wanted, view.pipeline);
  if (!failed) return enterAgain(wanted);
  if (failed.guard === "head_reviewed") return enterAgain(firstOfHead(view));
  if (failed.guard !== "work_pushed" || isInRound(run)) return failed;
  const step = goOn(view, run, resumed, at);
  return { ...step, events: [...voided, ...step.events], cancelJobs: true };
}

/** What is configured for the phase that the run is in, or for all of the run where it stopped at that. */
function configuredLimit({ pipeline }: IssueView, run: Active, limit: RunLimit): number {
  const { configuration, phase = pipeline.start, stopped } = run;
  const safety = configuration?.safety;
  // A review has limits of its own: what people raise during it is the implementer's.
  const ofPhase = limitsIn(pipeline, phase) ?? "implementation";
  const of = stopped?.limit === limit && stopped.ofRun ? "run" : ofPhase;
  return { usd: safety?.cost[of], iterations: safety?.iterations[of], minutes: safety?.time[of] }[limit] ?? 0;
}

/** `/forge extend`: raises a limit of the run; one that stopped at it, or asks about its money, goes on at once. */
export function giveIssueExtend(
  view: IssueView,
  input: IssueCommandGiven,
  command: Extract<Command, { name: "extend" }>,
): Outcome {
  const { limit, amount } = command;
  const run = view.active;
  if (!ownsIssue(run)) return refuse({ reason: "nothing_to_extend" });
  const raised = raiseLimit(
    view,
    {
      runId: run.runId,
      configured: configuredLimit(view, run, limit),
      extendedTo: view.pipeline.limits.extendedTo,
      by: input.by,
    },
    { limit, amount },
  );
  if ("refusal" in raised) return raised;
  const events = [raised.event];
  const told = (to: "resumed" | "at_work" | "stopped") =>
    ({ kind: "extended", limit, total: raised.total, run: to }) as const;
  const { role = "none" } = input;
  const gate = limit === "usd" ? moneyGate(run, role, input.at) : undefined;
  if (gate && isLooked(run))
    return { events, decision: answer(view, run, gate, input, { name: "approve" }), answer: told("resumed") };
  if (run.stopped?.limit === limit) {
    const resumed = resumedBy(run, input, `${input.by.login} raised its limit`);
    return { events, decision: stepOf(run, goOn(view, run, resumed, input.at), input.at), answer: told("resumed") };
  }
  return { events, answer: told(run.stopped ? "stopped" : "at_work") };
}

type Pausing = Extract<Command, { name: "pause" | "unpause" }>;

/** `/forge pause` on an issue: what is at work stops with what it has. */
export function giveIssuePause(view: IssueView, { by, at }: IssueCommandGiven, command: Pausing): Outcome {
  const paused = pause(view, by, command);
  if (!paused) return {};
  const { active: run } = view;
  const stopped: NewEvent = { type: "run.stopped", payload: {}, actor: by };
  const isRunning = ownsIssue(run) && !run.stopped;
  return { events: [paused.event], ...(isRunning ? { decision: stepOf(run, { events: [stopped] }, at) } : {}) };
}

/** `/forge unpause`: work may be asked for again; what was stopped waits for `/forge resume`. */
export function giveIssueUnpause(view: IssueView, { by }: IssueCommandGiven, command: Pausing): Outcome {
  const ended = unpause(view, by, command);
  return "refusal" in ended ? ended : { events: [ended.event] };
}

/**
 * A run that stood still goes on where it stands: a question that nobody answered in time, or that the stop made void, is asked again; what
 * GitHub does not have yet is sent again; and no head gets to its tests without a review.
 */
function goOn(view: Asking, run: Active, resumed: NewEvent, at: string): Step {
  const asked = askedAgain(run);
  if (asked && run.is !== "pending") {
    const again = askPerson(view, { ...run, stopped: undefined }, asked.question, at, asked.needs);
    return { ...again, events: [resumed, ...again.events] };
  }
  if (run.is !== "working" || run.phase === "planning" || isInRound(run) || run.toJoin !== undefined) {
    return { events: [resumed], work: true };
  }
  const { phase, work, branch, pushed, pull } = run;
  if (branch === undefined || pushed !== work.headSha) return { events: [resumed], effects: [push(run, work.headSha)] };
  if (!pull) return { events: [resumed], effects: [openPull(run, { branch, pushed })] };
  if (work.headSha === run.base.sha) return { events: [resumed, emptied(run)] };
  const isUnseen = phase === "implementation" || (phase === "testing" && !isReviewed(run));
  if (isUnseen)
    return { events: [resumed, enter(run, firstOfHead(view), "its head was not reviewed yet")], work: true };
  const isReady = run.readyHead === work.headSha;
  const isTested = phase === "testing" && run.tests?.headSha === work.headSha && !isReady;
  return { events: isTested ? [resumed, enter(run, phase, "it went on")] : [resumed], work: true };
}

/** The question that was open when the run stopped, if what it was about is still there. */
function askedAgain(run: Implementation): Gate | undefined {
  const last = run.gates.at(-1);
  if (!last || !run.stopped || last.headSha !== headOf(run)) return undefined;
  const { standing } = last;
  const isOver = standing.is === "timed_out" || (standing.is === "voided" && standing.byHead === undefined);
  return isOver && standing.at === run.stopped.at ? last : undefined;
}
