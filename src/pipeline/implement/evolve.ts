import { defined } from "../../domain/defined.ts";
import type { Others, PlacedEvent } from "../../domain/events.ts";
import type { PullSignal } from "../../domain/implementation.ts";
import type { Phase } from "../../domain/phases.ts";
import { FORGE } from "../../domain/subjects.ts";
import { PIPELINES } from "../runs/definition.ts";
import { failedEffect } from "../runs/effects/effect-input.ts";
import { evolveGates } from "../runs/gates/evolve-gates.ts";
import { replayBy, runWithoutStart } from "../runs/kind.ts";
import {
  addWork,
  type Facts,
  headOf,
  type Implementation,
  isInRound,
  type Pending,
  type PhaseTook,
  stageOf,
} from "./implementation.ts";

/** Folds one event into the run on an issue (PIPE-2): pure, so that the same events always give the same state. */
export function evolveImplementation(state: Implementation | undefined, event: PlacedEvent): Implementation {
  if (event.type === "run.started" && event.payload.kind === "implement") return begin(event, event.payload);
  if (!state) throw runWithoutStart(event.traceId);
  const next = { ...state, ...transition(state, event), version: event.version };
  return stageOf({ ...next, gates: evolveGates(next.gates, event) });
}

type Started = Extract<Extract<PlacedEvent, { type: "run.started" }>["payload"], { kind: "implement" }>;

function begin(event: PlacedEvent, started: Started): Pending {
  const { subject, request, task, issue, planOnly, instructions } = started;
  return {
    is: "pending",
    kind: "implement",
    runId: event.traceId,
    version: event.version,
    ...{ subject, request, task, issue, planOnly },
    requestedBy: event.actor ?? FORGE,
    startedAt: event.at,
    instructions: instructions === undefined ? [] : [instructions],
    status: "pending",
    took: {},
    costUsd: 0,
    tasksDone: [],
    feedback: [],
    bounces: {},
    roundDone: false,
    resumes: 0,
    answers: [],
    heads: [],
    signals: [],
    heard: [],
    gates: [],
  };
}

function transition(state: Facts, event: PlacedEvent): Partial<Facts> {
  switch (event.type) {
    case "work.observed":
      return {
        ...{ configuration: event.payload.configuration, base: event.payload.base, faultIn: event.payload.faultIn },
        phase: PIPELINES.implement.start,
      };
    case "phase.entered":
      return "ends" in event.payload ? {} : { ...entered(state, event.payload.phase), status: "running" };
    case "phase.completed": {
      const { phase, durationMs, costUsd = state.costUsd } = event.payload;
      const took = tookOf(state, phase);
      const spent = took.costUsd + Math.max(0, costUsd - state.costUsd);
      return {
        costUsd,
        progress: undefined,
        took: { ...state.took, [phase]: { ...took, durationMs: took.durationMs + durationMs, costUsd: spent } },
      };
    }
    case "plan.proposed": {
      const { plan, estimate, revision } = event.payload;
      // Another plan has other tasks, and what came back was about the one before.
      const begun = { tasksDone: [], feedback: [], cause: undefined };
      return { ...begun, changeWanted: undefined, plan: { plan, estimate, revision, accepted: false } };
    }
    case "plan.accepted":
      return state.plan ? { plan: { ...state.plan, accepted: true } } : {};
    case "plan.change_wanted":
      return { changeWanted: event.payload.instructions };
    case "release.moved":
      return { release: event.payload.release };
    case "work.progressed":
      return { progress: event.payload };
    case "ci.passed": {
      const { headSha, name, app } = event.payload;
      const before = state.ciPassed?.headSha === headSha ? state.ciPassed.names : [];
      const isSame = (signal: PullSignal) =>
        signal.from === "ci" && signal.headSha === headSha && signal.name === name && signal.app === app;
      return {
        ciPassed: { headSha, names: [...before.filter((one) => one !== name), name] },
        signals: state.signals.filter((signal) => !isSame(signal)),
      };
    }
    case "task.completed": {
      return { tasksDone: [...state.tasksDone, event.payload] };
    }
    case "phase.bounced": {
      const { cause, bounce, feedback } = event.payload;
      const fixes = feedback.flatMap((item) =>
        item.from === "review" && item.suggestion !== undefined ? [item.id] : [],
      );
      const given = { ...state.fixesGiven, ...Object.fromEntries(fixes.map((id) => [id, undefined])) };
      return {
        ...{ cause, feedback, bounces: { ...state.bounces, [cause]: bounce } },
        ...(fixes.length > 0 ? { fixesGiven: given } : {}),
      };
    }
    case "work.completed":
      return worked(state, event.payload);
    case "branch.pushed":
      return { branch: event.payload.branch, ...stands(state, event.payload.headSha) };
    case "branch.taken":
      return { taken: event.payload.branch };
    case "branch.adopted":
      return adopted(state, event.payload.headSha);
    case "pull.opened":
      return { pull: { number: event.payload.number, ready: false } };
    case "pull.merged":
      return { mergedAt: event.at };
    case "pull.reviewed":
      return { reviewed: event.payload };
    case "test.passed":
    case "test.failed":
    case "test.skipped":
      return { tests: event.payload };
    case "pull.ready":
      return {
        ...{ status: "waiting", phase: "testing", readyHead: event.payload.headSha, leftDraft: undefined },
        ...defined({ pull: state.pull && { ...state.pull, ready: true } }),
      };
    case "error.escalated":
      return failedEffect(event.payload) === "pull.ready" ? { leftDraft: event.payload.error.message } : {};
    case "pull.signalled":
      return {
        ...{ signals: [...state.signals, event.payload], heard: [...state.heard, signalKey(event.payload)] },
        ...withoutFailed(state, event.payload),
      };
    case "signal.read":
      return { signals: state.signals.slice(1) };
    case "production.traced":
      return { faults: [...(state.faults ?? []), event.payload.fault] };
    case "gate.approved":
    case "gate.rejected":
      return heard(state, event);
    default:
      event.type satisfies Others<"work" | "plan" | "task" | "branch" | "pull" | "ci" | "signal">;
      return ended(state, event);
  }
}

/** Events that stop, resume or end a run. */
function ended(state: Facts, event: PlacedEvent): Partial<Facts> {
  switch (event.type) {
    case "run.stopped": {
      const { reason, limit, ofRun } = event.payload;
      const by = event.actor && event.actor.kind !== "forge" ? { by: event.actor.login } : {};
      const why = reason ?? "it was stopped";
      const at = defined({ limit, ofRun: ofRun || undefined });
      return { stopped: { at: event.at, reason: why, ...by, ...at }, status: "waiting" };
    }
    case "run.resumed": {
      const { instructions } = event.payload;
      const said = instructions === undefined ? {} : { instructions: [...state.instructions, instructions] };
      const isReady = state.phase === "testing" && state.readyHead !== undefined && state.readyHead === headOf(state);
      const status = isReady ? "waiting" : state.phase === undefined ? "pending" : "running";
      const resumes = state.resumes + 1;
      return { ...said, status, resumes, end: undefined, endedAt: undefined, stopped: undefined };
    }
    case "phase.skipped":
      return { skipped: event.payload.reason };
    case "run.completed": {
      const because = defined({ reason: state.skipped });
      const end = { is: "completed", outcome: event.payload.outcome, ...because } as const;
      return { status: "completed", endedAt: event.at, end };
    }
    case "run.failed": {
      const { code, message } = event.payload.error;
      return { status: "failed", endedAt: event.at, end: { is: "failed", error: { code, message } } };
    }
    case "run.cancelled": {
      // Where Forge only saw that it had ended, it is unknown by whom.
      const by = event.actor && event.actor.kind !== "forge" ? { by: event.actor.login } : {};
      return {
        status: "cancelled",
        endedAt: event.at,
        end: { is: "cancelled", reason: event.payload.reason, ...by },
      };
    }
    default:
      event.type satisfies Others<
        "run" | "phase",
        | "run.started"
        | "run.noted"
        | "run.reflected"
        | "run.outcome"
        | "phase.entered"
        | "phase.completed"
        | "phase.bounced"
        | "phase.failed"
      >;
      return {};
  }
}

function entered(state: Facts, phase: Phase): Partial<Facts> {
  const took = tookOf(state, phase);
  // What is reviewed or tested anew is ready no more; what people asked for may come to nothing, and then it is as ready as it was.
  const from = phase === "implementation" ? { roundFrom: headOf(state) } : { readyHead: undefined };
  return { phase, ...from, roundDone: false, took: { ...state.took, [phase]: { ...took, times: took.times + 1 } } };
}

function tookOf({ took }: Facts, phase: Phase): PhaseTook {
  return took[phase] ?? { times: 0, durationMs: 0, costUsd: 0 };
}

type Worked = Extract<PlacedEvent, { type: "work.completed" }>["payload"];

function worked(state: Facts, done: Worked): Partial<Facts> {
  return {
    work: addWork(state.work, done),
    answers: done.answers,
    ...fixesLeft(state, done),
    ...(done.joined === undefined
      ? { roundDone: done.unfinished !== true }
      : { toJoin: undefined, ...stands(state, done.joined) }),
  };
}

/** A check that passed and was run again has failed now. */
function withoutFailed({ ciPassed }: Facts, signal: PullSignal): Pick<Facts, "ciPassed"> {
  if (signal.from !== "ci" || ciPassed?.headSha !== signal.headSha) return {};
  return { ciPassed: { ...ciPassed, names: ciPassed.names.filter((name) => name !== signal.name) } };
}

function fixesLeft({ fixesGiven }: Facts, { answers }: Worked): Pick<Facts, "fixesGiven"> {
  const left = answers.filter(({ id, done }) => !done && fixesGiven !== undefined && Object.hasOwn(fixesGiven, id));
  if (left.length === 0) return {};
  return { fixesGiven: { ...fixesGiven, ...Object.fromEntries(left.map(({ id, answer }) => [id, answer])) } };
}

/** What is on the branch is ours and theirs: where ours stands there already theirs follows it, else both have to be joined. */
function adopted(state: Facts, headSha: string): Partial<Facts> {
  const { work, pushed } = state;
  if (headSha === "") return { pushed: undefined };
  const there = stands(state, headSha);
  if (!work || pushed !== work.headSha || isInRound(state)) return { toJoin: headSha, ...there };
  return { ...there, work: { ...work, headSha, treeSha: undefined } };
}

function stands({ heads }: Facts, headSha: string): Pick<Facts, "pushed" | "heads"> {
  return { pushed: headSha, heads: heads.includes(headSha) ? heads : [...heads, headSha] };
}

/** One line for what was said: a webhook that comes twice says the same. */
export function signalKey(signal: PullSignal): string {
  switch (signal.from) {
    case "person":
      return `review ${signal.reviewId}`;
    case "findings":
      return `command ${signal.request}`;
    case "ci":
      return `${signal.app}/${signal.name} ${signal.checkRunId ?? ""} on ${signal.headSha}`;
  }
}

type Answered = Extract<PlacedEvent, { type: "gate.approved" | "gate.rejected" }>;

/** The answer to a question goes to the agent that asked; the note on another gate is an instruction as well. */
function heard(state: Facts, event: Answered): Partial<Facts> {
  const { note } = event.payload;
  if (note === undefined || event.type === "gate.rejected") return {};
  return { instructions: [...state.instructions, note] };
}

/** The state of a run on an issue from its events alone; undefined for a run that never was, or that is about something else. */
export function replayImplementation(events: readonly PlacedEvent[]): Implementation | undefined {
  const [first] = events;
  if (first?.type !== "run.started" || first.payload.kind !== "implement") return undefined;
  return replayBy(evolveImplementation, events);
}
