import type { CommandName } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { NewEvent } from "../../../domain/events.ts";
import {
  type Gate,
  type GateQuestion,
  type GateRequest,
  type GateStanding,
  isOpenGate,
} from "../../../domain/gates.ts";
import type { Input } from "../../../domain/inputs.ts";
import type { Phase } from "../../../domain/phases.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import { DEFAULT_REPO_CONFIG, type RepoConfig } from "../../../domain/repo-config.ts";
import { type Actor, atLeast, FORGE, type Role, type Subject } from "../../../domain/subjects.ts";
import { applyEffects, both, type Decision, findEnd, NOTHING } from "../decision.ts";

const HOUR_MS = 3_600_000;

/** A run of whatever kind, as far as its gates go. */
export interface Gated {
  readonly runId: string;
  readonly subject: Subject;
  readonly phase?: Phase | undefined;
  readonly gates?: readonly Gate[];
  readonly configuration?: Pick<RepoConfig, "gates"> | undefined;
}

/** A question to a person: its head, and who may answer. */
export type Asked = Pick<GateRequest, "question" | "headSha" | "needs">;

/**
 * A question as the gate that it becomes. `known` are the gates of all runs of the subject, and those of deployments whose comments are
 * there: ids are unique where people answer them.
 */
export function requestGate(
  run: Gated,
  known: readonly Gate[],
  { question, headSha, needs }: Asked,
  at: string,
): { readonly gate: Gate; readonly event: NewEvent } {
  const configuration = run.configuration ?? DEFAULT_REPO_CONFIG;
  const { hours } = configuration.gates[question.type];
  const unanswered = unansweredOf(question, configuration);
  const deadline = new Date(Date.parse(at) + Math.round(hours * HOUR_MS)).toISOString();
  const id = `G-${1 + known.reduce((most, { gate }) => Math.max(most, Number(gate.slice(2))), 0)}`;
  const payload: GateRequest = { gate: id, question, headSha, deadline, needs, ...defined({ unanswered }) };
  return {
    gate: { ...payload, runId: run.runId, standing: { is: "open" } },
    event: { type: "gate.requested", payload, ...inPhase(run) },
  };
}

/** The answer of a person: `gate` as it stands with it, and the event. */
export function answerGate(
  run: Gated,
  gate: Gate,
  is: "approved" | "rejected",
  { by, at, note }: { readonly by: Actor; readonly at: string; readonly note?: string | undefined },
): { readonly gate: Gate; readonly event: NewEvent } {
  const said = defined({ note });
  return {
    gate: { ...gate, standing: { is, by: by.login, at, ...said } },
    event: { type: `gate.${is}`, payload: { gate: gate.gate, ...said }, actor: by, ...inPhase(run) },
  };
}

/**
 * The open gates whose time is over, as they stand then (SAFE-3: every gate fails closed, but where the repository wants it otherwise and the
 * risk allows it), with the events; `left` have time. Where the configuration lets a gate pass, Forge answers it and the log has no actor.
 */
export function timeOutGates(
  run: Gated,
  at: string,
): { readonly late: readonly Gate[]; readonly events: readonly NewEvent[]; readonly left: readonly Gate[] } {
  const open = (run.gates ?? []).filter(isOpenGate);
  const isLate = ({ deadline }: Gate) => Date.parse(deadline) <= Date.parse(at);
  const late = open.filter(isLate).map((gate): Gate => {
    return {
      ...gate,
      standing: gate.unanswered === "approve" ? { is: "approved", by: FORGE.login, at } : { is: "timed_out", at },
    };
  });
  const events = late.map(({ gate, standing }): NewEvent => {
    const type = standing.is === "approved" ? "gate.approved" : "gate.timeout";
    return { type, payload: { gate }, ...inPhase(run) };
  });
  return { late, events, left: open.filter((gate) => !isLate(gate)) };
}

/** The configured consequence of no answer in time. A risk that is high is never accepted by silence. */
function unansweredOf(question: GateQuestion, { gates }: Pick<RepoConfig, "gates">): GateRequest["unanswered"] {
  const given = gates[question.type];
  const wanted = "on_timeout" in given ? given.on_timeout : "park";
  const isRisky = "risk" in question && (question.risk === "high" || question.risk === "critical");
  return wanted === "park" || (wanted === "approve" && isRisky) ? undefined : wanted;
}

/** Open questions become void; `byHead` is the head that took the place of theirs. */
export function voidGates(run: Gated, gates: readonly Gate[], byHead?: string): NewEvent[] {
  const payloadOf = ({ gate }: Gate) => ({ gate, ...defined({ byHead }) });
  return gates.map((gate) => ({ type: "gate.voided", payload: payloadOf(gate), ...inPhase(run) }));
}

/**
 * Whatever ends or stops a run voids its open gates, and the comments of all that become void say so: an answer would answer nothing (GH-14a).
 * @param show the comment of a gate as it is now, and its subject, if that is not the input's
 */
export function voidGatesOfEnded<R extends Gated>(
  decision: Decision,
  { subject, at, type }: Input,
  runs: readonly (R | undefined)[],
  show: (run: R, gate: Gate) => Pick<Decision["effects"][number], "headSha" | "effects" | "subject">,
): Decision {
  let shown: Decision = NOTHING;
  const appends = decision.appends.map((append) => {
    const run = runs.find((one) => one?.runId === append.runId);
    const open = (run?.gates ?? []).filter(isOpenGate);
    if (!run || open.length === 0) return append;
    const events = voidAtEnd(run, open, append.events);
    // Nothing can be written any more where the repository is gone.
    if (type !== "subject.gone") {
      for (const { type: what, payload } of events) {
        const gate = what === "gate.voided" ? open.find((one) => one.gate === payload.gate) : undefined;
        if (!gate || what !== "gate.voided") continue;
        const { gate: _id, ...byHead } = payload;
        const standing: GateStanding = { is: "voided", at, ...byHead };
        const effects = { runId: run.runId, ...show(run, { ...gate, standing }) };
        if (effects.effects.length === 0) continue;
        const jobs = [applyEffects(effects.subject ?? subject, at)];
        shown = both(shown, { ...NOTHING, effects: [effects], jobs });
      }
    }
    return { ...append, events };
  });
  const voided = { ...decision, appends };
  return shown === NOTHING ? voided : both(voided, shown);
}

function voidAtEnd(run: Gated, open: readonly Gate[], events: NewEvent[]): NewEvent[] {
  const end = findEnd(events);
  if (end === -1) return events;
  const settled = new Set(events.flatMap(({ payload }) => ("gate" in payload ? [payload.gate] : [])));
  const event = events[end];
  const byHead = event?.type === "run.cancelled" ? event.payload.byHead : undefined;
  const left = open.filter(({ gate }) => !settled.has(gate));
  return [...events.slice(0, end), ...voidGates(run, left, byHead), ...events.slice(end)];
}

/** The gate that a command means: by its id, or the only one that is open. */
export function findGate(gates: readonly Gate[], written: string | undefined): Gate | Refusal {
  const open = gates.filter(isOpenGate);
  const ids = open.map(({ gate }) => gate);
  if (written === undefined) {
    const [only] = open;
    if (!only) return { reason: "no_gate" };
    return open.length === 1 ? only : { reason: "which_gate", open: ids };
  }
  return gates.find(({ gate }) => gate === written) ?? { reason: "unknown_gate", written, open: ids };
}

/** The state when an answer is given: the head, and whether the run that asked still waits. */
export interface Moment {
  readonly head: string;
  readonly at: string;
  readonly isCurrent: boolean;
}

/** Why an answer does not count: the gate is closed, or it is not theirs to answer (GH-14, GH-14a). */
export function refusedAnswer(gate: Gate, name: CommandName, role: Role, now: Moment): Refusal | undefined {
  const closed = whyClosed(gate, now);
  if (closed) return closed;
  return atLeast(role, gate.needs) ? undefined : { reason: "role", name, needs: gate.needs, has: role };
}

/** A gate cannot be answered any more once it was, its time is over, or something else is there than it was asked about. */
function whyClosed({ headSha, deadline, standing, gate }: Gate, { head, at, isCurrent }: Moment): Refusal | undefined {
  const closed = (as: GateStanding): Refusal => ({ reason: "gate_closed", gate, standing: as, headSha, head });
  if (standing.is !== "open") return closed(standing);
  if (headSha !== head) return closed({ is: "voided", at });
  if (Date.parse(deadline) <= Date.parse(at)) return closed({ is: "timed_out", at: deadline });
  return isCurrent ? undefined : closed({ is: "voided", at });
}

/** The open gate about money that somebody answers who raises the limit, as far as it is in time and theirs to answer. */
export function moneyGate({ gates = [] }: Gated, role: Role, at: string): Gate | undefined {
  const asked = gates.find((gate) => gate.question.type === "cost_overrun" && isOpenGate(gate));
  return asked && Date.parse(asked.deadline) > Date.parse(at) && atLeast(role, asked.needs) ? asked : undefined;
}

/** Whether two questions are the same one. */
export function isSameQuestion(one: GateQuestion, other: GateQuestion): boolean {
  if (one.type === "cost_overrun" && other.type === "cost_overrun") return one.budget === other.budget;
  if (one.type !== "tool_call" || other.type !== "tool_call") return one.type === other.type;
  return one.agentId === other.agentId && one.step === other.step && one.callId === other.callId;
}

function inPhase({ phase }: Gated): { readonly phase?: Phase } {
  return defined({ phase });
}
