import type { RunEvent } from "../../domain/events.ts";
import type { ImplementationStatus } from "../../domain/implementation-status.ts";
import { dollars, type Progress, plainLine } from "../terminal.ts";

/** What a run does at the moment, on the one line of progress. */
export interface RunProgress {
  /** As often as the run itself comes a step further. */
  readonly status: (status: ImplementationStatus) => void;
  /** As often as anything is recorded. */
  readonly event: (event: RunEvent) => void;
  readonly say: (text: string) => void;
}

/** Characters of a title on the line. */
const SHOWN = 50;

export function showProgress(progress: Progress): RunProgress {
  let where = "beginning";
  let what = "";
  let spentUsd = 0;
  const tell = () => progress.show([where, ...(what === "" ? [] : [what]), dollars(spentUsd)].join(" · "));
  return {
    status: ({ step }) => {
      where = stepWords(step);
      what = "";
      tell();
    },
    event: (event) => {
      spentUsd += event.cost?.usd ?? 0;
      what = eventWords(event) ?? what;
      tell();
    },
    say: (text) => progress.show(text),
  };
}

function stepWords(step: ImplementationStatus["step"]): string {
  switch (step.is) {
    case "beginning":
      return "beginning";
    case "planning":
      return step.revision === 0 ? "planning" : "planning anew";
    case "task":
      return `task ${step.done + 1} of ${step.all}: ${plainLine(step.title, SHOWN)}`;
    case "feedback":
      return `working on what came back (${step.cause}, ${step.items})`;
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

function eventWords(event: RunEvent): string | undefined {
  switch (event.type) {
    case "agent.reasoned":
      return `step ${event.payload.step}`;
    case "tool.called":
      return `${plainLine(event.payload.tool, 30)} ${plainLine(event.payload.input, SHOWN)}`;
    case "agent.compressed":
      return "shortening its notes";
    default:
      return undefined;
  }
}
