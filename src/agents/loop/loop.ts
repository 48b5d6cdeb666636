import { act } from "./act.ts";
import { callsOf } from "./classify-reply.ts";
import { conclude } from "./conclude.ts";
import { type Journal, keepJournal } from "./journal.ts";
import { learn } from "./learn.ts";
import type { LoopState } from "./loop-state.ts";
import { perceive } from "./perceive.ts";
import { reason } from "./reason.ts";
import type { Run, Turn } from "./turn.ts";

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
    turn = await journal.record(goesOn(done) ? done : await conclude(done, run));
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
