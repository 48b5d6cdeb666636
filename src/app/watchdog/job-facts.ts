import { defined } from "../../domain/defined.ts";
import { Subject, subjectName } from "../../domain/subjects.ts";
import type { Redact } from "../../safety/redact.ts";
import { redactValue } from "../../safety/redact-value.ts";
import type { ClaimedJob } from "../../store/jobs/claim-job.ts";

/** A running job as the watchdog's line names it, without secrets (SEC-6): the thread does not know them. */
export function jobFacts({ id, kind, key, runId, attempt, payload }: ClaimedJob, redact: Redact): object {
  const facts = { job: id, kind, key, ...defined({ subject: subjectOf(payload), traceId: runId }), attempt };
  return redactValue(facts, redact) as object;
}

function subjectOf(payload: unknown): string | undefined {
  const { data } = Subject.safeParse((payload as { readonly subject?: unknown } | null)?.subject);
  return data && `${data.kind} ${subjectName(data)}`;
}
