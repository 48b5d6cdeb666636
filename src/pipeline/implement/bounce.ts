import { defined } from "../../domain/defined.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { BounceCause, Feedback } from "../../domain/implementation.ts";
import { bouncesTo, mostBounces, type PipelineDefinition } from "../runs/definition.ts";
import { askPerson } from "./ask-person.ts";
import type { Looked } from "./implementation.ts";
import { enter, type Step } from "./step.ts";
import type { Asking } from "./view.ts";
import { triedBy } from "./worked.ts";

export interface Back {
  readonly cause: BounceCause;
  /** One sentence. */
  readonly reason: string;
  readonly feedback: readonly Feedback[];
}

/** Work goes back to the implementer with what it has to deal with; past the limit a person is asked, with all that was tried (PIPE-5). */
export function sendBack(view: Asking, run: Looked, back: Back, at: string): Step {
  const { cause, feedback } = back;
  const bounce = (run.bounces[cause] ?? 0) + 1;
  const most = mostBounces(view.pipeline, cause, run.configuration);
  if (bounce > most) {
    const question = {
      type: "bounces_used",
      cause,
      limit: most,
      reasons: feedback.map(({ message }) => message).slice(0, 10),
      tried: triedBy(run),
      ...defined({ pull: run.pull?.number }),
    } as const;
    return askPerson(view, run, question, at);
  }
  return { events: bounced(view.pipeline, run, back, bounce), work: true };
}

/** The events of a bounce, without asking whether there may be another one. */
export function bounced(
  pipeline: PipelineDefinition,
  run: Looked,
  { cause, reason, feedback }: Back,
  bounce: number,
): NewEvent[] {
  const from = run.phase;
  const to = bouncesTo(pipeline, cause);
  return [
    {
      type: "phase.bounced",
      phase: from,
      payload: { from, to, cause, bounce, reason, feedback: [...feedback] },
    },
    enter(run, to, reason),
  ];
}
