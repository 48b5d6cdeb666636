import type { NewEvent } from "../../domain/events.ts";
import { redactBeginning } from "../../safety/redact-beginning.ts";
import { contextShare } from "./compress.ts";
import { appendExchange } from "./history.ts";
import type { LoopState, OpenReply, Standing, WARNINGS } from "./loop-state.ts";
import { ASK_HUMAN, COMPLETE } from "./loop-tools.ts";
import { callsOf, wordsOf } from "./reply.ts";
import { settingsOf } from "./settings.ts";
import { type Stuck, watchForCircles } from "./stagnation.ts";
import { change, type Run, type Turn } from "./turn.ts";

const RATIONALE_CHARACTERS = 500;

/** Makes the reply and its results part of the history, and looks at what the step taught (LOOP-8). */
export async function learn(turn: Turn, run: Run): Promise<Turn> {
  const { standing } = turn.state;
  if (standing.is !== "acting") return turn;
  const { open } = standing;
  if (open.results.length < callsOf(open.content).length) return turn;
  const closed = change(
    turn,
    { standing: after(open), steps: [...turn.state.steps, open.step] },
    iteration(turn, open, run),
  );
  const { step, at, latencyMs, costUsd } = open.step;
  run.dependencies.onEvent?.({
    type: "step_ended",
    step,
    costUsd,
    ms: latencyMs + Math.max(0, run.dependencies.clock.now() - at),
  });
  const done = closed.state.standing.is === "ended";
  const warned = done ? closed : warnNearLimits(closed, run);
  const notes = warned.state.notes.map((text) => ({ type: "text" as const, text }));
  const appended: Turn = {
    ...warned,
    state: { ...appendExchange(warned.state, open.content, [...open.results, ...(done ? [] : notes)]), notes: [] },
  };
  const { stagnation, stuck, freshFailure } = watchForCircles(
    turn.state.stagnation,
    appended.state.messages,
    open,
    settingsOf(run.dependencies).stagnation,
  );
  const watched = change(appended, { stagnation });
  if (done) return watched;
  if (stuck || freshFailure) run.reflections.begin(watched.state, stuck ? "escalation" : "error", run);
  return stuck ? giveUp(watched, stuck, open, run) : watched;
}

function after({ end, wait }: OpenReply): Standing {
  if (end) return { is: "ended", end };
  return wait ? { is: "waiting", wait } : { is: "ready" };
}

function iteration({ state }: Turn, open: OpenReply, { dependencies }: Run): NewEvent {
  const calls = callsOf(open.content);
  const names = calls.map(({ name }) => name);
  const words = redactBeginning(wordsOf(open.content), dependencies.redact);
  const decision = names.includes(COMPLETE)
    ? "complete"
    : names.includes(ASK_HUMAN) || open.wait
      ? "ask_human"
      : names.length > 0
        ? "call_tools"
        : words !== ""
          ? "answer"
          : "none";
  const rationale = words.slice(0, RATIONALE_CHARACTERS);
  const payload = {
    agentId: state.agent.id,
    step: open.step.step,
    decision,
    tool: names.join(", "),
    rationale,
  } as const;
  return { type: "agent.iteration", payload };
}

/** Somebody has to look at it; without anybody the loop ends. */
function giveUp(turn: Turn, { pattern, times }: Stuck, open: OpenReply, { dependencies }: Run): Turn {
  const agentId = turn.state.agent.id;
  const what = pattern === "same_failure" ? "the same call failed in the same way" : "the same step was repeated";
  const error = pattern === "same_failure" ? failureOf(open, dependencies.redact) : "";
  const question = `I am going round in circles: ${what} ${times} times${error}. How should I go on?`;
  const stagnated: NewEvent = { type: "agent.stagnated", payload: { agentId, pattern, times } };
  const end = { reason: "stagnated" as const, message: `Ended: ${what} ${times} times.` };
  return dependencies.someoneToAsk
    ? change(turn, { standing: { is: "waiting", wait: { for: "answer", question, options: [] } } }, stagnated)
    : change(turn, { standing: { is: "ended", end } }, stagnated);
}

const ERROR_CHARACTERS = 300;

/** What failed, for the person who is asked: " (write_file: ...)". */
function failureOf({ content, results }: OpenReply, redact: Run["dependencies"]["redact"]): string {
  const at = results.findLastIndex(({ isError }) => isError);
  const call = callsOf(content)[at];
  const said = redactBeginning(results[at]?.content ?? "", redact)
    .replace(/\s+/g, " ")
    .trim();
  if (!call || said === "") return "";
  const short = said.length > ERROR_CHARACTERS ? `${said.slice(0, ERROR_CHARACTERS)}…` : said.replace(/\.$/, "");
  return ` (${call.name === COMPLETE ? "my result" : call.name}: ${short})`;
}

type About = (typeof WARNINGS)[number];

/** Of a long run; of a short one a quarter is left when it is told, and one call at least. */
const CALLS_LEFT = 3;
const SHARE_LEFT = 0.2;

/** Tells the agent, once each, when little is left of iterations, budget, time or context (LOOP-12). */
function warnNearLimits(turn: Turn, run: Run): Turn {
  const fresh = nearLimits(turn, run).filter(([about]) => !turn.state.warned.includes(about));
  return fresh.reduce(
    (now, [about, message]) =>
      change(
        now,
        { warned: [...now.state.warned, about], notes: [...now.state.notes, message] },
        { type: "agent.warning", payload: { agentId: now.state.agent.id, about, message } },
        ...(about === "budget" ? [thresholdReached(now.state, run)] : []),
      ),
    turn,
  );
}

function thresholdReached({ agent }: LoopState, { dependencies }: Run): NewEvent {
  const { usd, share } = dependencies.budget.left();
  const left = { leftUsd: Math.max(0, usd), leftShare: Math.min(1, Math.max(0, share)) };
  return { type: "cost.threshold_reached", payload: { agentId: agent.id, ...left } };
}

function nearLimits(turn: Turn, run: Run): [About, string][] {
  const { state } = turn;
  const { dependencies } = run;
  const near: [About, string][] = [];
  const calls = run.iterationLimit - state.calls;
  const few = Math.max(1, Math.min(CALLS_LEFT, Math.floor(run.iterationLimit / 4)));
  if (calls > 0 && calls <= few && state.calls > 0) {
    near.push([
      "iterations",
      calls === 1
        ? "One step is left: the next one has to hand in your result."
        : `${calls} steps are left. Finish what matters most and hand in your result in time.`,
    ]);
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
