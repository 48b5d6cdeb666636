import type { NewJob } from "../../domain/jobs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import type { RunOn } from "../runs/decision.ts";

/** The one job of a deployment: it is put off from look to look. */
export function deployOn({ runId, subject }: RunOn, runAt: string): NewJob {
  return { kind: "deploy", key: `deploy:${subjectKey(subject)}`, payload: { runId, subject }, runId, runAt };
}
