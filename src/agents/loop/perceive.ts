import { tripOnIterations } from "../../safety/trip-rules.ts";
import { compressWhenFull } from "./compress.ts";
import { gatherContext } from "./gather-context.ts";
import { addToUser } from "./history.ts";
import { change, endTurn, findTrip, type Run, type Turn, tripEnd } from "./turn.ts";

/** What the agent sees before it thinks: its context at first, later a history that fits; and nothing at all when a limit is reached. */
export async function perceive(turn: Turn, run: Run): Promise<Turn> {
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
