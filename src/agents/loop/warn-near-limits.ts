import { contextShare } from "./compress.ts";
import type { WARNINGS } from "./loop-state.ts";
import { change, type Run, type Turn } from "./turn.ts";

type About = (typeof WARNINGS)[number];

const CALLS_LEFT = 3;
const SHARE_LEFT = 0.2;

/** Tells the agent, once each, when little is left of iterations, budget, time or context (LOOP-12). */
export function warnNearLimits(turn: Turn, run: Run): Turn {
  const fresh = nearLimits(turn, run).filter(([about]) => !turn.state.warned.includes(about));
  return fresh.reduce(
    (now, [about, message]) =>
      change(
        now,
        { warned: [...now.state.warned, about], notes: [...now.state.notes, message] },
        { type: "agent.warning", payload: { agentId: now.state.agent.id, about, message } },
      ),
    turn,
  );
}

function nearLimits(turn: Turn, run: Run): [About, string][] {
  const { state } = turn;
  const { dependencies } = run;
  const near: [About, string][] = [];
  const calls = run.iterationLimit - state.calls;
  if (calls > 0 && calls <= CALLS_LEFT && state.calls > 0) {
    near.push(["iterations", `${calls} steps are left. Finish what matters most and hand in your result in time.`]);
  }
  const money = dependencies.budget.left();
  if (money.share <= SHARE_LEFT) {
    near.push(["budget", `$${money.usd.toFixed(2)} of the budget are left. Come to your result.`]);
  }
  const { timeLimitMs } = dependencies;
  if (timeLimitMs !== undefined && timeLimitMs - state.activeMs <= timeLimitMs * SHARE_LEFT) {
    const minutes = Math.max(0, Math.floor((timeLimitMs - state.activeMs) / 60_000));
    near.push(["time", `${minutes} minutes of working time are left. Come to your result.`]);
  }
  if (contextShare(turn, run) >= 1 - SHARE_LEFT) {
    near.push([
      "context",
      "The context is nearly full: earlier messages will be summarised. Note what you need to keep.",
    ]);
  }
  if (dependencies.errorsAreMany?.()) {
    near.push(["errors", "Of the last calls many failed. Do with few, and come to your result."]);
  }
  return near;
}
