import { asc, eq, sql } from "drizzle-orm";
import type { Pause } from "../../domain/answers.ts";
import { defined } from "../../domain/defined.ts";
import { StandingDismissal } from "../../domain/findings.ts";
import type { Hiding } from "../../domain/hiding.ts";
import { type LevelAction, type RunOutcome, StandingLevel } from "../../domain/ladder.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { versionConflict } from "../events/append-events.ts";
import { dismissals, levels, pauses } from "../schema.ts";
import { type Statement, statement } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import { changeHidings, type HidingChange, readHidings } from "./hidings.ts";

/** What a command on a subject changes for its whole repository. */
export type RepositoryChange =
  | HidingChange
  | { readonly kind: "dismissed"; readonly subject: Subject; readonly standing: StandingDismissal }
  | { readonly kind: "undismissed"; readonly subject: Subject; readonly findingId: string }
  | { readonly kind: "paused"; readonly subject: Subject; readonly pause: Pause }
  | { readonly kind: "unpaused"; readonly subject: Subject }
  | {
      readonly kind: "levelled";
      readonly subject: Subject;
      readonly standing: StandingLevel;
      /** Changes of the level before this one: where there were others it is decided anew. */
      readonly after: number;
    }
  | { readonly kind: "came_out"; readonly subject: Subject; readonly outcome: RunOutcome; readonly at: string }
  | {
      readonly kind: "acted";
      readonly subject: Subject;
      readonly level: number;
      readonly action: LevelAction;
      readonly at: string;
    };

export function changeRepository(changes: readonly RepositoryChange[]): Statement[] {
  return changes.flatMap((change) => {
    if (change.kind === "levelled") return setLevel(change);
    if (isOfHiding(change)) return changeHidings(change);
    return statement(change.kind === "dismissed" ? dismiss(change) : toSql(change));
  });
}

function isOfHiding(change: RepositoryChange): change is HidingChange {
  return change.kind === "hiding_proposed" || change.kind === "hiding_set" || change.kind === "hiding_judged";
}

/** A miss begins the record anew: what was known before counts no more. */
function setLevel({ subject, standing, after }: Extract<RepositoryChange, { kind: "levelled" }>): Statement[] {
  const { id, installationId } = subject.repository;
  const known = sql`(select coalesce(max(sequence), 0) from run_outcomes where repository_id = ${id})`;
  return [
    statement(
      sql`insert into guards (passed) select 0
          where coalesce((select changes from levels where repository_id = ${id}), 0) <> ${after}`,
      () => versionConflict(`the level of repository ${id}`),
    ),
    statement(sql`
      insert into levels (repository_id, installation_id, standing, changes, after_outcome)
      values (${id}, ${installationId}, ${JSON.stringify(standing)}, 1, ${standing.miss ? known : 0})
      on conflict (repository_id) do update set standing = excluded.standing, changes = changes + 1,
        after_outcome = max(after_outcome, excluded.after_outcome)`),
  ];
}

/** A finding has one dismissal: a later one takes the place of the earlier. */
function dismiss({ subject, standing }: Extract<RepositoryChange, { kind: "dismissed" }>) {
  const { id, installationId } = subject.repository;
  const { findingId, fingerprint, rule, ...rest } = standing;
  return sql`
    insert into dismissals (repository_id, installation_id, finding_id, fingerprint, rule, dismissal)
    values (${id}, ${installationId}, ${findingId}, ${fingerprint}, ${rule}, ${JSON.stringify(rest)})
    on conflict (repository_id, finding_id) do update set
      fingerprint = excluded.fingerprint, rule = excluded.rule, dismissal = excluded.dismissal`;
}

function toSql(change: Exclude<RepositoryChange, HidingChange | { kind: "dismissed" | "levelled" }>) {
  const { id, installationId } = change.subject.repository;
  switch (change.kind) {
    case "undismissed":
      return sql`delete from dismissals where repository_id = ${id} and finding_id = ${change.findingId}`;
    case "paused":
      return sql`
        insert into pauses (repository_id, installation_id, by, at)
        values (${id}, ${installationId}, ${change.pause.by}, ${change.pause.at})
        on conflict (repository_id) do nothing`;
    case "unpaused":
      return sql`delete from pauses where repository_id = ${id}`;
    case "came_out":
      return sql`
        insert into run_outcomes (run_id, repository_id, installation_id, subject, outcome, at)
        values (${change.outcome.runId}, ${id}, ${installationId}, ${JSON.stringify(change.subject)},
          ${JSON.stringify(change.outcome)}, ${change.at})
        on conflict (run_id) do update set outcome = excluded.outcome`;
    case "acted":
      return sql`
        insert into level_actions (repository_id, installation_id, subject_key, level, action, at)
        values (${id}, ${installationId}, ${subjectKey(change.subject)}, ${change.level}, ${change.action}, ${change.at})`;
  }
}

/** What people decided for a whole repository: whether Forge is paused in it, which dismissals stand, what learning hides, and its level. */
export async function readRepositoryFacts(
  store: Store,
  repositoryId: number,
): Promise<{
  readonly pause?: Pause;
  readonly dismissals: StandingDismissal[];
  readonly hidings: Hiding[];
  readonly level?: StandingLevel & { readonly changes: number };
}> {
  const [paused, standing, [levelled], hidings] = await Promise.all([
    reading(store.read.select().from(pauses).where(eq(pauses.repositoryId, repositoryId))),
    reading(
      store.read
        .select()
        .from(dismissals)
        .where(eq(dismissals.repositoryId, repositoryId))
        .orderBy(asc(dismissals.findingId)),
    ),
    reading(store.read.select().from(levels).where(eq(levels.repositoryId, repositoryId))),
    readHidings(store, repositoryId),
  ]);
  const [pause] = paused.map(({ by, at }): Pause => ({ scope: "repository", by, at }));
  return {
    ...defined({
      pause,
      level: levelled && { ...StandingLevel.parse(JSON.parse(levelled.standing)), changes: levelled.changes },
    }),
    hidings,
    dismissals: standing.map(({ findingId, fingerprint, rule, dismissal }) =>
      StandingDismissal.parse({ ...JSON.parse(dismissal), findingId, fingerprint, rule }),
    ),
  };
}
