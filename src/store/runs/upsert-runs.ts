import { sql } from "drizzle-orm";
import { ACTIVE_STATUSES, type Conclusion, type RunKind, type RunStatus } from "../../domain/phases.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { versionConflict } from "../events/append-events.ts";
import { type Statement, statement } from "../statement.ts";

/** A run as its events tell it, for those who look for runs rather than at one. */
export interface RunProjection {
  readonly traceId: string;
  readonly kind: RunKind;
  readonly subject: Subject;
  readonly status: RunStatus;
  readonly headSha: string;
  readonly baseSha: string;
  readonly requestId: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly conclusion?: Conclusion;
  readonly version: number;
  /** Of an implementation. */
  readonly branch?: string;
  /** Of the pull request that an implementation opened. */
  readonly pullNumber?: number;
}

/**
 * One statement a run, those that have ended first: a run that supersedes another finds the place free. The index of active runs refuses
 * a second one on the same subject, which means that somebody else started a run since: the decision is made again.
 */
export function upsertRuns(runs: readonly RunProjection[]): Statement[] {
  const active = (run: RunProjection) => (ACTIVE_STATUSES as readonly RunStatus[]).includes(run.status);
  return [...runs.filter((run) => !active(run)), ...runs.filter(active)].map((run) =>
    statement(
      sql`insert into runs
          (trace_id, kind, subject_key, subject, repository_id, installation_id, status, head_sha, base_sha, request_id,
           started_at, ended_at, conclusion, version, branch, pull_number)
          values (${run.traceId}, ${run.kind}, ${subjectKey(run.subject)}, ${JSON.stringify(run.subject)},
            ${run.subject.repository.id}, ${run.subject.repository.installationId}, ${run.status}, ${run.headSha},
            ${run.baseSha}, ${run.requestId}, ${run.startedAt}, ${run.endedAt ?? null}, ${run.conclusion ?? null}, ${run.version},
            ${run.branch ?? null}, ${run.pullNumber ?? null})
          on conflict (trace_id) do update set
            subject = excluded.subject, installation_id = excluded.installation_id, status = excluded.status,
            head_sha = excluded.head_sha, base_sha = excluded.base_sha, request_id = excluded.request_id,
            ended_at = excluded.ended_at, conclusion = excluded.conclusion, version = excluded.version,
            branch = excluded.branch, pull_number = excluded.pull_number`,
      () => versionConflict(run.traceId),
    ),
  );
}
