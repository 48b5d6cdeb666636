import type { LoopEvent } from "../../../agents/library.ts";
import type { WorkProgress } from "../../../domain/implementation.ts";
import { submit } from "../../runs/handle-input.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** A phase that ends sooner is told by its end; after that one comment a minute is as much as anybody reads. */
const FIRST_MS = 20_000;
const EVERY_MS = 60_000;

export interface ProgressReporter {
  /** Events of a loop. */
  readonly heard: (event: LoopEvent) => void;
  readonly say: (doing: Omit<WorkProgress, "costUsd">) => void;
}

/**
 * Has the status comment move while a phase goes on (GH-12), with what is done at that moment and the cost so far. It is a courtesy: no phase
 * waits for it, and one that fails is not missed.
 * @param spentUsd what the run cost up to now
 */
export function reportProgress(
  dependencies: WorkDependencies,
  job: WorkJob,
  { spentUsd, clock }: { readonly spentUsd: () => Promise<number>; readonly clock: { readonly now: () => number } },
): ProgressReporter {
  let next = clock.now() + FIRST_MS;
  const say = (doing: Omit<WorkProgress, "costUsd">) => {
    const now = clock.now();
    if (now < next || job.signal.aborted) return;
    next = now + EVERY_MS;
    const told = spentUsd().then((costUsd) =>
      submit(dependencies, job, { type: "work.progressed", runId: job.runId, progress: { ...doing, costUsd } }),
    );
    // The job does not end before it is written, or was not.
    const settled = told.catch(() => {});
    job.afterwards?.(settled);
  };
  return {
    say,
    heard: (event) => {
      if (event.type === "step_started") say({ doing: "thinking" });
      if (event.type === "tool_started") say({ doing: "tool", tool: event.tool });
    },
  };
}
