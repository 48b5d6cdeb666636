import { inArray, sql } from "drizzle-orm";
import { defined } from "../../domain/defined.ts";
import { DeployRequest } from "../../domain/deployments.ts";
import { ACTIVE_STATUSES, type RunStatus } from "../../domain/phases.ts";
import { ENVIRONMENT_NAMES, type RepositoryRef, subjectKey } from "../../domain/subjects.ts";
import { runs } from "../schema.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** Runs with their first event, which records what was asked for. */
const RUNS_AS_ASKED = sql`runs join events on events.trace_id = runs.trace_id and events.version = 1`;

/** A deployment that a run on an issue went on to; `endedAt` is ISO 8601. */
export interface Release {
  readonly traceId: string;
  readonly active: boolean;
  readonly endedAt?: string;
}

/** The deployments that a run on an issue went on to, the newest first. */
export async function listReleases(
  store: Store,
  repository: RepositoryRef,
  runId: string,
): Promise<readonly Release[]> {
  const rows = await reading(
    store.read.all<{ traceId: string; status: RunStatus; endedAt: string | null }>(sql`
      select runs.trace_id as traceId, runs.status as status, runs.ended_at as endedAt
      from ${RUNS_AS_ASKED}
      where ${inArray(runs.subjectKey, environmentsOf(repository))}
        and json_extract(events.payload, '$.deploy.implements.runId') = ${runId}
      order by runs.started_at desc, runs.trace_id desc`),
  );
  return rows.map(({ traceId, status, endedAt }) => ({
    ...{ traceId, ...defined({ endedAt: endedAt ?? undefined }) },
    active: (ACTIVE_STATUSES as readonly string[]).includes(status),
  }));
}

/** What is being deployed in a repository now, at most one version for each environment. */
export async function listActiveDeployments(store: Store, repository: RepositoryRef): Promise<DeployRequest[]> {
  const rows = await reading(
    store.read.all<{ deploy: string }>(sql`
      select json_extract(events.payload, '$.deploy') as deploy
      from ${RUNS_AS_ASKED}
      where ${inArray(runs.subjectKey, environmentsOf(repository))} and ${inArray(runs.status, [...ACTIVE_STATUSES])}`),
  );
  return rows.map(({ deploy }) => DeployRequest.parse(JSON.parse(deploy)));
}

/** What was deployed last to each environment of a repository, the newest first. */
export async function listNewestDeployments(store: Store, repository: RepositoryRef): Promise<DeployRequest[]> {
  const rows = await Promise.all(
    environmentsOf(repository).map((environment) => {
      return reading(
        store.read.all<{ deploy: string; at: string }>(sql`
          select json_extract(events.payload, '$.deploy') as deploy, runs.started_at as at
          from runs join events on events.trace_id = runs.trace_id and events.version = 1
          where runs.subject_key = ${environment} and json_extract(events.payload, '$.deploy') is not null
          order by runs.started_at desc, runs.trace_id desc limit 1`),
      );
    }),
  );
  const newestFirst = rows.flat().toSorted((one, other) => other.at.localeCompare(one.at));
  return newestFirst.map(({ deploy }) => DeployRequest.parse(JSON.parse(deploy)));
}

/** The deployment that a check-run on its commit shows. */
export async function findDeploymentOf(
  store: Store,
  repositoryId: number,
  { headSha, checkRunId }: { readonly headSha: string; readonly checkRunId: number },
): Promise<DeployRequest | undefined> {
  const [row] = await reading(
    store.read.all<{ deploy: string }>(sql`
      select json_extract(events.payload, '$.deploy') as deploy
      from ${RUNS_AS_ASKED}
      where runs.repository_id = ${repositoryId} and runs.head_sha = ${headSha}
        and exists (
          select 1 from effects where effects.run_id = runs.trace_id and effects.kind = 'deploy.check'
          and json_extract(effects.result, '$.checkRunId') = ${checkRunId})
      limit 1`),
  );
  return row && DeployRequest.parse(JSON.parse(row.deploy));
}

function environmentsOf(repository: RepositoryRef): string[] {
  return ENVIRONMENT_NAMES.map((environment) => subjectKey({ kind: "environment", repository, environment }));
}
