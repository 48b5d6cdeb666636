import type { Input } from "../../../domain/inputs.ts";
import type { Subject } from "../../../domain/subjects.ts";
import type { Fence } from "../../../store/jobs/fence.ts";
import { type Handled, handleInput, type InputDependencies } from "../../runs/handle-input.ts";
import type { PullRequestHost } from "../../runs/ports.ts";
import type { ReviewWork } from "./review-change.ts";

export interface ReviewDependencies extends InputDependencies, ReviewWork {
  readonly host: PullRequestHost;
}

export interface ReviewJob {
  readonly runId: string;
  readonly subject: Subject;
  readonly attempt: number;
  readonly fence: Fence;
  readonly signal: AbortSignal;
}

type Fields<T> = T extends Input ? Omit<T, "subject" | "at" | "newRunId"> : never;

/** Tells the pipeline what the work on a run came to, as long as the job is the worker's. */
export function submit(
  dependencies: ReviewDependencies,
  { subject, fence }: ReviewJob,
  fields: Fields<Input>,
): Promise<Handled> {
  const input = { ...fields, subject, at: dependencies.now(), newRunId: dependencies.makeId() } as Input;
  return handleInput(dependencies, input, fence);
}
