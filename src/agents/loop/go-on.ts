import { ForgeError } from "../../domain/errors.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { UserBlock } from "../../llm/ports.ts";
import type { AgentDependencies } from "../ports.ts";
import { describeInput, skippedCall } from "./call-result.ts";
import { addToUser } from "./history.ts";
import { FRESH_STAGNATION, type LoopState, type OpenReply } from "./loop-state.ts";
import { callsOf } from "./reply.ts";
import { change, type Turn } from "./turn.ts";

/** A person's word on one tool call (LOOP-15). */
export type Verdict =
  | { readonly is: "approved"; readonly note?: string }
  | { readonly is: "denied" | "skipped"; readonly reason: string }
  /** The call does not run; the model gets this as its result. */
  | { readonly is: "overridden"; readonly text: string };

/**
 * The loop with an answer to the question that it waits for. A person's word resets the count of steps (LOOP-20).
 * @throws {ForgeError} `not_waiting` when it waits for nothing of the kind.
 */
export function answerQuestion(state: LoopState, answer: string): Turn {
  const { standing } = state;
  if (standing.is !== "waiting" || standing.wait.for !== "answer") throw notWaiting("an answer");
  const { callId } = standing.wait;
  const event = { type: "agent.resumed" as const, payload: { agentId: state.agent.id, by: "answer" as const } };
  if (callId === undefined || !standing.open) {
    const said: UserBlock = { type: "text", text: `Answer of a person: ${answer}` };
    return change(heard(addToUser(state, [said])), { standing: { is: "ready" } }, event);
  }
  const open = addResult(standing.open, callId, answer, false);
  return change(heard(state), { standing: { is: "acting", open } }, event);
}

/**
 * The loop after a person's word on the call that it waits with. Approved, exactly that call runs, with the arguments that were shown.
 * @throws {ForgeError} `not_waiting` when it waits for nothing of the kind.
 */
export function resolveApproval(
  state: LoopState,
  verdict: Verdict,
  { redact }: Pick<AgentDependencies, "redact">,
): Turn {
  const { standing, agent } = state;
  if (standing.is !== "waiting" || standing.wait.for !== "approval" || !standing.open) throw notWaiting("an approval");
  const { callId, tool, input } = standing.wait;
  const who = { agentId: agent.id, callId, tool };
  const reason = "reason" in verdict ? { reason: verdict.reason } : {};
  const resumed = change(
    heard(state),
    {},
    { type: "agent.resumed", payload: { agentId: agent.id, by: "approval" } },
    { type: "tool.approval_resolved", payload: { ...who, verdict: verdict.is, ...reason } },
  );
  if (verdict.is === "approved") {
    const notes = verdict.note ? [`Who approved the call of ${tool} said: ${verdict.note}`] : [];
    return change(resumed, {
      standing: { is: "acting", open: { ...standing.open, approved: callId } },
      notes: [...state.notes, ...notes],
    });
  }
  const choice =
    verdict.is === "overridden"
      ? ({ do: "override", text: verdict.text } as const)
      : ({
          do: "skip",
          reason: `a person ${verdict.is === "denied" ? "denied" : "skipped"} it: ${verdict.reason}`,
        } as const);
  const left = skippedCall({ id: callId, tool: { name: tool } }, describeInput(input, redact), agent.id, choice);
  const open = addResult(standing.open, callId, left.text, left.isError);
  const step = { ...open.step, calls: [...open.step.calls, left.report] };
  return change(resumed, { standing: { is: "acting", open: { ...open, step } } }, ...left.events);
}

/**
 * The loop with a new instruction (interrupt and redirect): also after an end or instead of an answer. Calls that were still open are
 * told that they did not run.
 */
export function instruct(state: LoopState, text: string): Turn {
  const { standing } = state;
  const open = standing.is === "acting" || standing.is === "waiting" ? standing.open : undefined;
  const closed = open ? closeOpen(state, open) : state;
  const said: UserBlock = { type: "text", text: `New instruction of a person: ${text}` };
  const event = { type: "agent.resumed" as const, payload: { agentId: state.agent.id, by: "instruction" as const } };
  return change(heard(addToUser(closed, [said])), { standing: { is: "ready" } }, ...resetOf(state), event);
}

/** The loop after a stop, a limit that was extended, a word on the money, or a provider's wait that is over: it goes on where it was. */
export function reopen(state: LoopState): Turn {
  const event = { type: "agent.resumed" as const, payload: { agentId: state.agent.id, by: "reopened" as const } };
  const { standing } = state;
  const waits = standing.is === "waiting" && (standing.wait.for === "provider" || standing.wait.for === "money");
  const halted = standing.is === "ended" || waits;
  return halted ? change(heard(state), { standing: { is: "ready" } }, ...resetOf(state), event) : { state, events: [] };
}

/** That the limit at which the loop had ended holds it up no more. */
function resetOf({ agent, standing }: LoopState): NewEvent[] {
  const limit = standing.is === "ended" ? standing.end.limit : undefined;
  return limit ? [{ type: "breaker.reset", payload: { agentId: agent.id, breaker: limit.name } }] : [];
}

function heard(state: LoopState): Turn {
  return { state: { ...state, calls: 0, oddReplies: 0, warned: [], stagnation: FRESH_STAGNATION }, events: [] };
}

/** The next open call is the one that was waited with: results stand in the order of the calls. */
function addResult(open: OpenReply, toolUseId: string, content: string, isError: boolean): OpenReply {
  const result = { type: "tool_result" as const, toolUseId, content, isError };
  return { ...open, results: [...open.results, result] };
}

function closeOpen(state: LoopState, open: OpenReply): LoopState {
  const missing = callsOf(open.content).slice(open.results.length);
  const closed = missing.reduce(
    (now, { id }) => addResult(now, id, "Not run: a person redirected the work.", true),
    open,
  );
  const answered: LoopState = {
    ...state,
    messages: [
      ...state.messages,
      { role: "assistant", content: closed.content },
      ...(closed.results.length > 0 ? [{ role: "user" as const, content: closed.results }] : []),
    ],
    steps: [...state.steps, closed.step],
  };
  return answered;
}

function notWaiting(what: string): ForgeError {
  const message = `The agent does not wait for ${what}.`;
  return new ForgeError("not_waiting", message, { source: "logic", severity: "warning", recoverability: "none" });
}
