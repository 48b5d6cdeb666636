import { defined } from "../../domain/defined.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { End, LoopState } from "./loop-state.ts";
import { type Occasion, reflectOnStep } from "./reflect.ts";
import { change, type Run, type Turn } from "./turn.ts";

/** What a step that was the last one leaves behind: why it is over or whom it waits for, and what is to be learnt from that. */
export async function conclude(turn: Turn, run: Run): Promise<Turn> {
  const { standing, agent } = turn.state;
  if (standing.is === "waiting" && standing.wait.for === "answer") {
    const { question } = standing.wait;
    const reason = standing.open ? "the agent asked" : "the loop or the agent's words asked";
    return change(turn, {}, { type: "agent.escalated", payload: { agentId: agent.id, question, reason } });
  }
  if (standing.is !== "ended") return turn;
  const reflected = await reflectOnStep(turn, occasionOf(standing.end), run);
  return change(reflected, {}, endEvent(reflected.state, standing.end));
}

function occasionOf({ reason }: End): Occasion {
  if (reason === "completed" || reason === "stopped") return "success";
  return reason === "breaker" || reason === "budget" || reason === "iteration_limit" ? "breaker" : "error";
}

function endEvent({ agent, totalCalls, spentUsd, activeMs }: LoopState, { reason, message, limit }: End): NewEvent {
  const totals = { agentId: agent.id, steps: totalCalls, costUsd: spentUsd, activeMs };
  if (reason === "completed") return { type: "agent.completed", payload: totals };
  if (reason === "stopped") return { type: "agent.stopped", payload: { ...totals, message } };
  return { type: "agent.failed", payload: { ...totals, reason, message, ...defined({ limit: limit?.name }) } };
}
