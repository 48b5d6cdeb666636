import type { NewJob } from "../../domain/jobs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import type { RunOn } from "../runs/decision.ts";

/** The job that has a worker take up a review. */
export function reviewOn({ runId, subject }: RunOn, runAt: string): NewJob {
  return { kind: "review", key: subjectKey(subject), payload: { runId, subject }, runId, runAt };
}
