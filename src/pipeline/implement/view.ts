import type { Gate } from "../../domain/gates.ts";
import type { Phase } from "../../domain/phases.ts";
import type { RunView } from "../runs/decision.ts";
import { nextPhase, type PipelineDefinition } from "../runs/definition.ts";
import type { Implementation } from "./implementation.ts";

/** All that deciding about an issue may know of it. */
export interface IssueView extends RunView<Implementation> {
  /** Of all runs on the issue, oldest first. */
  readonly gates: readonly Gate[];
  /** Open gates of deployments whose comments are here: their numbers are taken. */
  readonly toldHere?: readonly Gate[];
  /** The phases, and what leads where. */
  readonly pipeline: PipelineDefinition;
}

/** The part of the view for asking a person and going on. */
export type Asking = Pick<IssueView, "gates" | "toldHere" | "pipeline">;

/** The phase that every new head goes through first, Forge's own as well. */
export function firstOfHead(view: Pick<Asking, "pipeline">): Phase {
  return after(view, view.pipeline.work);
}

/** The phase after this one; after the last it is that one again. */
export function after({ pipeline }: Pick<Asking, "pipeline">, phase: Phase): Phase {
  return nextPhase(pipeline, phase) ?? phase;
}
