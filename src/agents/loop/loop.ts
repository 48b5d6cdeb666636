import { defined } from "../../domain/defined.ts";
import type { NewEvent } from "../../domain/events.ts";
import { tripOnIterations } from "../../safety/trip-rules.ts";
import { act } from "./act.ts";
import { checkpointOf } from "./checkpoint.ts";
import { compressWhenFull } from "./compress.ts";
import { gatherContext } from "./gather-context.ts";
import { addToUser } from "./history.ts";
import { learn } from "./learn.ts";
import type { End, LoopState } from "./loop-state.ts";
import { reason } from "./reason.ts";
import { callsOf } from "./reply.ts";
import { change, endTurn, findTrip, type Occasion, type Run, type Turn, tripEnd } from "./turn.ts";

/**
 * The agent loop (LOOP-1): perceive → reason → act → learn, until the agent finishes, waits for somebody, or a limit ends it. Each step
 * is recorded before the next begins, so that it can be stopped, resumed, audited and paid for step by step.
 * @param recorded the state as it was recorded last; undefined for a new loop
 * @param begin the state to go on from, with the events that brought it there
 */
export async function runLoop(recorded: LoopState | undefined, begin: Turn, run: Run): Promise<LoopState> {
  const journal = keepJournal(recorded, run);
  let turn = begin;
  for (;;) {
    const done = await takeStep(turn, journal, run);
    // Cut off before anything was paid for: there is nothing to record, and whoever resumes takes the step again.
    if (run.abort.aborted && goesOn(done) && done.state.totalCalls === turn.state.totalCalls) return turn.state;
    turn = await journal.record(goesOn(done) ? run.reflections.gather(done) : await conclude(done, run));
    for (const { afterStep } of run.dependencies.hooks) await afterStep?.(turn.state);
    if (!goesOn(turn) || run.abort.aborted) return turn.state;
  }
}

async function takeStep(turn: Turn, journal: Journal, run: Run): Promise<Turn> {
  const seen = await perceive(turn, run);
  const answered = await reason(seen, run);
  const secured = mayChangeSomething(answered, run) ? await journal.record(answered) : answered;
  const acted = await act(secured, run);
  return learn(acted, run);
}

/** A paid reply whose calls may take effect is recorded first: whoever resumes then knows what was about to happen, and pays once. */
function mayChangeSomething({ state: { standing } }: Turn, { tools }: Run): boolean {
  if (standing.is !== "acting") return false;
  return callsOf(standing.open.content).some(({ name }) => tools.get(name)?.readOnly === false);
}

function goesOn({ state: { standing } }: Turn): boolean {
  return standing.is === "ready" || standing.is === "acting";
}

interface Journal {
  /** Persists the events and the checkpoint of a turn in one go, and gives the turn as it goes on; nothing goes on before (LOOP-8). */
  readonly record: (turn: Turn) => Promise<Turn>;
}

/** Keeps in mind what was recorded last, so that each checkpoint holds only what is new, and counts the working time. */
function keepJournal(recorded: LoopState | undefined, { dependencies }: Pick<Run, "dependencies">): Journal {
  let last = recorded;
  let since = dependencies.clock.now();
  return {
    record: async (turn) => {
      const now = dependencies.clock.now();
      const activeMs = turn.state.activeMs + Math.max(0, now - since);
      since = now;
      const { state } = change(turn, { activeMs, recorded: turn.state.recorded + 1 });
      await dependencies.recorder.record(turn.events, checkpointOf(last, state));
      last = state;
      return { state, events: [] };
    },
  };
}

/** What a step that was the last one leaves behind: why it is over or whom it waits for, and what is to be learnt from that. */
async function conclude(turn: Turn, run: Run): Promise<Turn> {
  const { standing, agent } = turn.state;
  // A model that did not answer teaches nothing, and asking another one would cost a second wait.
  const teaches = standing.is === "ended" && standing.end.reason !== "model_failed";
  if (teaches) run.reflections.begin(turn.state, occasionOf(standing.end), run);
  const reflected = await run.reflections.finish(turn, run);
  if (standing.is === "waiting" && standing.wait.for === "answer") {
    const { question } = standing.wait;
    const reason = standing.open ? "the agent asked" : "the loop or the agent's words asked";
    return change(reflected, {}, { type: "agent.escalated", payload: { agentId: agent.id, question, reason } });
  }
  if (standing.is !== "ended") return reflected;
  const { limit } = standing.end;
  if (!limit) return change(reflected, {}, endEvent(reflected.state, standing.end));
  const { name: breaker, ...reached } = limit;
  const tripped = { type: "breaker.tripped", payload: { agentId: agent.id, breaker, ...reached } } as const;
  return change(reflected, {}, tripped, endEvent(reflected.state, standing.end));
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

/** What the agent sees before it thinks: its context at first, later a history that fits; and nothing at all when a limit is reached. */
async function perceive(turn: Turn, run: Run): Promise<Turn> {
  if (turn.state.standing.is !== "ready" || run.abort.aborted) return turn;
  const { state } = turn;
  if (run.stop.aborted) return endTurn(turn, { reason: "stopped", message: "The run was stopped." });
  const enough = tripOnIterations(state.calls, { iterations: run.iterationLimit });
  if (enough) return endTurn(turn, tripEnd("iteration_limit", enough));
  for (const { beforeStep } of run.dependencies.hooks) {
    if ((await beforeStep?.(state)) === "stop")
      return endTurn(turn, { reason: "stopped", message: "A hook stopped it." });
  }
  const trip = await findTrip(state, run);
  if (trip) return endTurn(turn, tripEnd("breaker", trip));
  const mark = await run.dependencies.hold?.();
  if (mark) return change(turn, { standing: { is: "waiting", wait: { for: "money", ...mark } } });
  if (state.messages.length > 0) return compressWhenFull(turn, run);
  const text = await gatherContext(run);
  return change(turn, addToUser(state, [{ type: "text", text }]));
}
