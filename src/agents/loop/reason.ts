import { defined } from "../../domain/defined.ts";
import type { NewEvent } from "../../domain/events.ts";
import { BUDGET_FACTOR } from "../../llm/estimate-tokens.ts";
import type { Model, ModelFailure, StepEvent, StepRequest } from "../../llm/ports.ts";
import { callModel, lostUsd, type ModelAnswer } from "./call-model.ts";
import { compress } from "./compress.ts";
import { guardReply } from "./guard.ts";
import { anchorAt, estimateHistory } from "./history.ts";
import type { End, OpenReply } from "./loop-state.ts";
import { composeSystem } from "./prompt-layers.ts";
import { followReply, trimReply } from "./reply.ts";
import { change, endTurn, findTrip, type Run, type Turn, tripEnd } from "./turn.ts";

type Reply = Extract<ModelAnswer, { got: "reply" }>;

/** One model call, what its reply is (LOOP-4), and whether a breaker lets its calls be carried out. */
export async function reason(turn: Turn, run: Run): Promise<Turn> {
  if (turn.state.standing.is !== "ready") return turn;
  return holdWhenTripped(await askForReply(turn, run), run);
}

/** A reply that is paid for becomes part of the history all the same, and a result that it hands in is taken. */
async function holdWhenTripped(turn: Turn, run: Run): Promise<Turn> {
  const { standing } = turn.state;
  if (standing.is !== "acting" || standing.open.end) return turn;
  const trip = await findTrip(turn.state, run);
  return trip
    ? change(turn, { standing: { is: "acting", open: { ...standing.open, end: tripEnd("breaker", trip) } } })
    : turn;
}

/** A context that is too long is compressed and asked once more. */
async function askForReply(turn: Turn, run: Run): Promise<Turn> {
  const first = await ask(turn, run);
  if (!isTooLong(first.answer)) return take(first, run);
  const counted = countTooLong(first);
  const shorter = counted.state.calls < run.iterationLimit ? compress(counted, run) : undefined;
  if (!shorter) return endTurn(counted, TOO_LONG);
  const second = await ask(shorter, run);
  return isTooLong(second.answer) ? endTurn(countTooLong(second), TOO_LONG) : take(second, run);
}

/** A reply that says that the context is full is paid all the same; a request that was refused for it is not. */
function countTooLong({ turn, answer }: Asked): Turn {
  return answer.got === "reply" ? count(turn, answer) : turn;
}

interface Asked {
  readonly turn: Turn;
  readonly answer: ModelAnswer;
}

async function ask(turn: Turn, run: Run): Promise<Asked> {
  const errors: NewEvent[] = [];
  const { dependencies } = run;
  const step = turn.state.totalCalls + 1;
  dependencies.onEvent?.({ type: "step_started", step, model: dependencies.models()[0].id });
  const answer = await callModel(dependencies, {
    request: (model) => request(turn, run, model),
    inputTokens: Math.ceil(estimateHistory(turn.state, run.overhead, dependencies.estimateTokens) * BUDGET_FACTOR),
    purpose: "step",
    name: `${turn.state.agent.id}:${step}`,
    signal: run.abort,
    onError: (event) => errors.push(event),
    ...(dependencies.onEvent ? { onEvent: (event: StepEvent) => pass(event, run) } : {}),
  });
  return { turn: change(turn, { spentUsd: turn.state.spentUsd + lostUsd(errors) }, ...errors), answer };
}

function request({ state }: Turn, { definition, specs }: Run, model: Model): StepRequest {
  return {
    system: composeSystem(state.layers),
    messages: state.messages,
    tools: specs,
    maxOutputTokens: Math.min(definition.maxOutputTokens, model.maxOutputTokens),
    ...defined({ effort: definition.effort }),
  };
}

function pass(event: StepEvent, { dependencies }: Run): void {
  if (event.type !== "tool_call_started") dependencies.onEvent?.(event);
}

function isTooLong(answer: ModelAnswer): boolean {
  return answer.got === "too_long" || (answer.got === "reply" && answer.reply.stopReason === "context_exceeded");
}

const TOO_LONG: End = {
  reason: "context_exceeded",
  message: "The conversation does not fit the model's context window, also after it was compressed.",
};

/** A refused key is for a person to replace. */
function failureWords({ class: kind, message }: ModelFailure): string {
  if (kind !== "auth") return message;
  return `${message.replace(/\.$/, "")}. Check the API key and the address of the provider: Forge's command \`doctor\` tests both.`;
}

async function take({ turn, answer }: Asked, run: Run): Promise<Turn> {
  switch (answer.got) {
    case "reply":
      return await open(turn, answer, run);
    case "no_budget":
      return endTurn(turn, tripEnd("budget", answer.trip));
    case "refused":
      return endTurn(turn, { reason: "refused", message: `The provider refused the request: ${answer.message}` });
    case "later":
      return change(turn, {
        standing: { is: "waiting", wait: { for: "provider", until: answer.until, message: answer.message } },
      });
    case "failure":
      return endTurn(turn, { reason: "model_failed", message: failureWords(answer.failure) });
    case "too_long":
      return endTurn(turn, TOO_LONG);
    case "aborted":
      return turn;
    default:
      return answer satisfies never;
  }
}

/** Counts and pays for a reply. */
function count(turn: Turn, { reply, costUsd, latencyMs }: Reply): Turn {
  const { state } = turn;
  const { provider, model, stopReason, usage } = reply;
  const step = state.totalCalls + 1;
  return change(
    turn,
    { calls: state.calls + 1, totalCalls: step, spentUsd: state.spentUsd + costUsd },
    {
      type: "agent.reasoned",
      payload: { agentId: state.agent.id, step, provider, model, stopReason, usage, costUsd, latencyMs },
      durationMs: latencyMs,
      cost: {
        tokens: usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens,
        usd: costUsd,
      },
    },
  );
}

async function open(turn: Turn, answer: Reply, run: Run): Promise<Turn> {
  const { reply, costUsd, latencyMs } = answer;
  const counted = count(turn, answer);
  const guarded = await guardReply(counted, trimReply(reply.content, run.dependencies.makeId), run);
  const { provider, model, stopReason, usage, requestId } = reply;
  const base: OpenReply = {
    content: guarded.content,
    results: [],
    step: {
      step: counted.state.totalCalls,
      at: run.dependencies.clock.now(),
      provider,
      model,
      stopReason,
      latencyMs,
      usage,
      costUsd,
      ...defined({ requestId, late: answer.late }),
      calls: [],
    },
  };
  // What the provider counted is what it was sent and what it said: the reply is the next message of the history.
  const anchored = change(guarded.turn, anchorAt(guarded.turn.state, guarded.turn.state.messages.length + 1, usage));
  if (guarded.end) return change(anchored, { standing: { is: "acting", open: { ...base, end: guarded.end } } });
  return followReply(anchored, base, run);
}
