import { asc, eq, sql } from "drizzle-orm";
import type { Pause } from "../../domain/answers.ts";
import { defined } from "../../domain/defined.ts";
import { StandingDismissal } from "../../domain/findings.ts";
import type { Subject } from "../../domain/subjects.ts";
import { dismissals, pauses } from "../schema.ts";
import { type Statement, statement } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** What a command on a subject changes for its whole repository. */
export type RepositoryChange =
  | { readonly kind: "dismissed"; readonly subject: Subject; readonly standing: StandingDismissal }
  | { readonly kind: "undismissed"; readonly subject: Subject; readonly findingId: string }
  | { readonly kind: "paused"; readonly subject: Subject; readonly pause: Pause }
  | { readonly kind: "unpaused"; readonly subject: Subject };

export function changeRepository(changes: readonly RepositoryChange[]): Statement[] {
  return changes.map((change) => statement(change.kind === "dismissed" ? dismiss(change) : toSql(change)));
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

function toSql(change: Exclude<RepositoryChange, { kind: "dismissed" }>) {
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
  }
}

/** What people decided for a whole repository: whether Forge is paused in it, and which dismissals stand. */
export async function readRepositoryFacts(
  store: Store,
  repositoryId: number,
): Promise<{ readonly pause?: Pause; readonly dismissals: StandingDismissal[] }> {
  const [paused, standing] = await Promise.all([
    reading(store.read.select().from(pauses).where(eq(pauses.repositoryId, repositoryId))),
    reading(
      store.read
        .select()
        .from(dismissals)
        .where(eq(dismissals.repositoryId, repositoryId))
        .orderBy(asc(dismissals.findingId)),
    ),
  ]);
  const [pause] = paused.map(({ by, at }): Pause => ({ scope: "repository", by, at }));
  return {
    ...defined({ pause }),
    dismissals: standing.map(({ findingId, fingerprint, rule, dismissal }) =>
      StandingDismissal.parse({ ...JSON.parse(dismissal), findingId, fingerprint, rule }),
    ),
  };
}
