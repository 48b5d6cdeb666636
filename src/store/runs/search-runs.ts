import { type SQL, sql } from "drizzle-orm";
import type { RunKind, RunStatus } from "../../domain/phases.ts";
import type { Store } from "../store.ts";
import { type ListedRun, listRuns, type Wanted } from "./overview.ts";
import { TITLE } from "./run-title.ts";

/** What people look for among runs (OPS-2). */
export interface RunSearch {
  /** A number, an id of a run or of a finding, or a part of a title, a login or the name of a repository. */
  readonly text?: string | undefined;
  readonly kind?: RunKind | undefined;
  readonly status?: RunStatus | undefined;
  /** The last run of the page before: what comes after it in the list. */
  readonly after?: { readonly startedAt: string; readonly runId: string } | undefined;
}

/** Runs that fit all of it, the latest first. */
export function searchRuns(
  store: Store,
  { text, kind, status, after, ...wanted }: RunSearch & Wanted,
): Promise<ListedRun[]> {
  const all = [
    ...(kind === undefined ? [] : [sql`runs.kind = ${kind}`]),
    ...(status === undefined ? [] : [sql`runs.status = ${status}`]),
    ...(after === undefined ? [] : [sql`(runs.started_at, runs.trace_id) < (${after.startedAt}, ${after.runId})`]),
    ...(text === undefined || text === "" ? [] : [named(text, wanted.repositoryIds)]),
  ];
  return listRuns(store, wanted, all.length === 0 ? sql`true` : sql.join(all, sql` and `));
}

const FINDING = /^F-[0-9A-Z]{4,8}$/i;
const NUMBER = /^#?([0-9]{1,9})$/;
/** The first characters of an id are its time; fewer than these would fit every run of a year. */
const RUN_ID = /^[0-9A-HJKMNP-TV-Z]{6,26}$/i;

function named(text: string, repositoryIds: readonly number[] | undefined): SQL {
  if (FINDING.test(text)) {
    const here =
      repositoryIds && sql`and repository_id in (select value from json_each(${JSON.stringify(repositoryIds)}))`;
    return sql`runs.subject_key in (select subject_key from findings where finding_id = ${text.toUpperCase()} ${here ?? sql``})`;
  }
  const number = NUMBER.exec(text)?.[1];
  if (number !== undefined) {
    return sql`(json_extract(runs.subject, '$.number') = ${Number(number)} or runs.pull_number = ${Number(number)})`;
  }
  const id = text.toUpperCase();
  // SQLite's own lower() on both sides: it changes ASCII letters alone, other than JavaScript's.
  const part = sql`lower(${text})`;
  const said = sql`exists (select 1 from events begun where begun.trace_id = runs.trace_id and begun.version = 1
    and (instr(lower(${TITLE}), ${part}) > 0
      or instr(lower(json_extract(begun.actor, '$.login')), ${part}) > 0
      or instr(lower((runs.subject ->> '$.repository.owner') || '/' || (runs.subject ->> '$.repository.name')), ${part}) > 0))`;
  return RUN_ID.test(text) ? sql`(runs.trace_id between ${id} and ${`${id}~`} or ${said})` : said;
}
