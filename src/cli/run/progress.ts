import type { LoopEvent } from "../../agents/library.ts";
import type { RunEvent } from "../../domain/events.ts";
import type { ImplementationStatus } from "../../domain/implementation-status.ts";
import { activityWords } from "../../github/words/work/activity-words.ts";
import { followActivity } from "../../pipeline/ai/follow-activity.ts";
import { plainLine } from "../../safety/plain-line.ts";
import { dollars, lasting, type Progress } from "../terminal.ts";

/** The present activity of a run, on the one line of progress. */
export interface RunProgress {
  /** Called when the run takes a step. */
  readonly status: (status: ImplementationStatus) => void;
  /** Called for each recorded event; those of a step are recorded at its end. */
  readonly event: (event: RunEvent) => void;
  /** Called at once with what an agent does. */
  readonly heard: (event: LoopEvent) => void;
  /** Updates the clock of the line. */
  readonly tick: () => void;
}

interface Start {
  /** Of the run so far. */
  readonly events: readonly RunEvent[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Prints a line that stays. */
  readonly say: (text: string) => void;
}

/** Characters of a title or a file on the line. */
const SHOWN = 50;

/** `events`: those of the run so far, so that time and money continue after `--resume`. */
export function showProgress(progress: Progress, { events, now, say }: Start): RunProgress {
  const startedAt = Date.parse(events[0]?.at ?? "") || now();
  let spentUsd = events.reduce((sum, { cost }) => sum + (cost?.usd ?? 0), 0);
  let where = "starting";
  let what = "";
  let since = now();
  const follow = followActivity();
  const tick = () => {
    const activity = what === "" ? "" : `${what}, ${lasting(now() - since)}`;
    progress.show(activity, ` · ${lasting(now() - startedAt)} in all · ${dollars(spentUsd)}`, where);
  };
  const turnTo = (words: string) => {
    if (words !== what) since = now();
    what = words;
    tick();
  };
  return {
    tick,
    status: ({ step }) => {
      const words = stepWords(step);
      if (words === where) return tick();
      where = words;
      turnTo("");
    },
    event: (event) => {
      spentUsd += event.cost?.usd ?? 0;
      const trouble = troubleWords(event);
      if (trouble !== undefined) say(trouble);
      tick();
    },
    heard: (event) => {
      if (event.type === "done") return turnTo("");
      const activity = follow(event);
      if (activity) turnTo(activityWords(activity));
    },
  };
}

/** The phase in words. */
export function stepWords(step: ImplementationStatus["step"]): string {
  switch (step.is) {
    case "beginning":
      return "starting";
    case "planning":
      return step.revision === 0 || step.made ? "planning" : "changing the plan";
    case "task":
      return `task ${step.done + 1} of ${step.all}: ${plainLine(step.title, SHOWN)}`;
    case "feedback":
      return `working on feedback (${step.cause}, ${step.items})`;
    case "pushing":
      return "writing the branch";
    case "reviewing":
      return "reviewing";
    case "in_phase":
      return step.phase;
    case "testing":
      return "testing";
    case "ready":
      return "done";
  }
}

/** Events of other families: what happens around the agents, which the phase tells. */
type Apart<Family extends string> = Exclude<RunEvent["type"], `${Family}.${string}`>;

/** Events of agents that leave nothing on the screen. */
type Quiet =
  | `agent.${"started" | "resumed" | "reasoned" | "iteration" | "completed" | "stopped" | "reflected" | "escalated" | "compressed"}`
  | `tool.${"called" | "completed" | "skipped" | "approval_requested" | "approval_resolved"}`
  | "breaker.reset";

/** Errors and warnings stay on the screen. */
function troubleWords(event: RunEvent): string | undefined {
  switch (event.type) {
    case "agent.warning":
      return `warning: ${plainLine(event.payload.message)}`;
    case "agent.failed":
      // The end of the run says why, and what to do.
      if (event.payload.reason === "model_failed") return "error: the model did not answer";
      return `error: ${plainLine(event.payload.message)}`;
    case "agent.stagnated":
      return `warning: the agent repeats itself (${event.payload.times} times)`;
    case "tool.failed":
      if (event.payload.tool === "complete")
        return `the result was returned to the agent to correct: ${plainLine(event.payload.message)}`;
      return `${plainLine(event.payload.tool, 30)} failed: ${plainLine(event.payload.message)}`;
    case "breaker.tripped":
      return `limit reached: ${plainLine(event.payload.breaker, 60)}`;
    default:
      event.type satisfies Apart<"agent" | "tool" | "breaker"> | Quiet;
      return undefined;
  }
}
