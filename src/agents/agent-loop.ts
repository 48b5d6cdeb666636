import { ForgeError } from "../domain/errors.ts";
import { type AgentDefinition, ITERATION_LIMITS, identifyAgent } from "./agent-definition.ts";
import { adopt } from "./loop/checkpoint.ts";
import { answerQuestion, instruct, reopen, resolveApproval, type Verdict } from "./loop/go-on.ts";
import { runLoop } from "./loop/loop.ts";
import { type LoopState, newLoopState } from "./loop/loop-state.ts";
import { toolSpecs } from "./loop/loop-tools.ts";
import { openReflections } from "./loop/reflect.ts";
import { describeEnd } from "./loop/run-report.ts";
import type { Run, Turn } from "./loop/turn.ts";
import type { AgentDependencies } from "./ports.ts";

/** Reasons for a waiting or ended loop to go on. */
export type Impulse =
  | { readonly by: "answer"; readonly text: string }
  | { readonly by: "approval"; readonly verdict: Verdict }
  | { readonly by: "instruction"; readonly text: string }
  | { readonly by: "reopening" };

/** An agent at work, in this process: at most one run of it at a time. */
export interface AgentLoop {
  /**
   * Runs until the agent finishes, waits or is ended, and gives the state as it was recorded. Without an impulse a loop that has ended
   * or waits stays as it is, but for one whose provider's time has come.
   * @throws {ForgeError} `loop_running` while it runs, `not_waiting` for an impulse that fits nothing.
   */
  readonly run: (impulse?: Impulse) => Promise<LoopState>;
  /** Ends the loop after the step in flight; tools that run are aborted, and what is recorded stays. */
  readonly stop: () => void;
  readonly state: () => LoopState;
}

/**
 * One agent at work. Everything outside comes in by `dependencies`; what it knows is one plain value, from which any process can go on.
 * @param resumed a state that was recorded, or restored from a dump
 * @param abort cuts off the model call in flight as well: for a process that goes away
 */
export function createAgentLoop(
  definition: AgentDefinition,
  dependencies: AgentDependencies,
  resumed?: LoopState,
  abort: AbortSignal = new AbortController().signal,
): AgentLoop {
  const taken = resumed && adopt(resumed, definition);
  let state =
    taken?.state ?? newLoopState(definition, identifyAgent(definition, dependencies.makeId), dependencies.clock.now());
  let changes = taken?.warnings ?? [];
  let stopper: AbortController | undefined;
  return {
    state: () => state,
    stop: () => stopper?.abort(),
    run: async (impulse) => {
      if (stopper) {
        const options = { source: "logic", severity: "warning", recoverability: "auto" } as const;
        throw new ForgeError("loop_running", "The agent is at work: it can only do one thing at a time.", options);
      }
      stopper = new AbortController();
      try {
        const run = prepareRun(definition, dependencies, abort, stopper.signal);
        const recorded = state.recorded === 0 ? undefined : state;
        const begin = withWarnings(impulse ? follow(impulse, state, dependencies) : begun(state, run), changes);
        for (const { beforeRun } of dependencies.hooks) await beforeRun?.(state);
        if (recorded === undefined || goesOn(begin.state)) {
          state = await runLoop(recorded, begin, run);
          changes = [];
        }
        for (const { afterRun } of dependencies.hooks) await afterRun?.(state);
        dependencies.onEvent?.({ type: "done", end: describeEnd(state) });
        return state;
      } finally {
        stopper = undefined;
      }
    },
  };
}

/** Constant through all steps, made once. */
function prepareRun(
  definition: AgentDefinition,
  dependencies: AgentDependencies,
  abort: AbortSignal,
  stop: AbortSignal,
): Run {
  const specs = toolSpecs(definition, dependencies.someoneToAsk);
  const fixedText = definition.layers.map(({ text }) => text).join("\n") + JSON.stringify(specs);
  return {
    definition,
    dependencies,
    tools: new Map(definition.tools.map((tool) => [tool.name, tool])),
    specs,
    iterationLimit: definition.iterationLimit ?? ITERATION_LIMITS[definition.type],
    overhead: dependencies.estimateTokens(fixedText),
    reflections: openReflections(),
    abort,
    stop: AbortSignal.any([abort, stop]),
  };
}

function begun(state: LoopState, { definition, iterationLimit, dependencies }: Run): Turn {
  const { standing } = state;
  if (
    standing.is === "waiting" &&
    standing.wait.for === "provider" &&
    dependencies.clock.now() >= standing.wait.until
  ) {
    return reopen(state);
  }
  if (state.recorded > 0) return { state, events: [] };
  const tools = definition.tools.map(({ name }) => name);
  return { state, events: [{ type: "agent.started", payload: { agent: state.agent, tools, iterationLimit } }] };
}

/** How the definition differs from the one that the loop was recorded with stands in the log (LOOP-16). */
function withWarnings({ state, events }: Turn, warnings: readonly string[]): Turn {
  const { id: agentId } = state.agent;
  const said = warnings.map((message) => {
    return { type: "agent.warning", payload: { agentId, about: "definition", message } } as const;
  });
  return { state, events: [...said, ...events] };
}

function follow(impulse: Impulse, state: LoopState, dependencies: AgentDependencies): Turn {
  switch (impulse.by) {
    case "answer":
      return answerQuestion(state, impulse.text);
    case "approval":
      return resolveApproval(state, impulse.verdict, dependencies);
    case "instruction":
      return instruct(state, impulse.text);
    case "reopening":
      return reopen(state);
    default:
      return impulse satisfies never;
  }
}

function goesOn({ standing }: LoopState): boolean {
  return standing.is === "ready" || standing.is === "acting";
}
