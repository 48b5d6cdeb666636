import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import {
  Dismissal,
  Finding,
  type FindingOutcome,
  type FindingState,
  type LedgerEntry,
  type Placement,
} from "../../domain/findings.ts";
import { numberOf, type Subject, subjectKey } from "../../domain/subjects.ts";
import { findings } from "../schema.ts";
import { portions, type Statement, statement } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** All findings of a subject, in the order of their ids. */
export async function readLedger(store: Store, subject: Subject): Promise<LedgerEntry[]> {
  const rows = await reading(
    store.read
      .select()
      .from(findings)
      .where(eq(findings.subjectKey, subjectKey(subject)))
      .orderBy(asc(findings.findingId)),
  );
  return rows.map(({ finding, state, placement, headSha, commentId, dismissal }) => ({
    finding: Finding.parse(JSON.parse(finding)),
    state,
    placement: placement ?? "none",
    headSha,
    ...defined({ commentId: commentId ?? undefined }),
    ...(dismissal === null ? {} : { dismissal: Dismissal.parse(JSON.parse(dismissal)) }),
  }));
}

/** Which of these ids are in use in the repository, and by what. */
export async function takenFindingIds(
  store: Store,
  repositoryId: number,
  ids: readonly string[],
): Promise<Map<string, { fingerprint: string; subjectNumber: number }>> {
  const taken = new Map<string, { fingerprint: string; subjectNumber: number }>();
  for (const portion of portions(ids)) {
    const rows = await reading(
      store.read
        .select({ id: findings.findingId, fingerprint: findings.fingerprint, subjectNumber: findings.subjectNumber })
        .from(findings)
        .where(and(eq(findings.repositoryId, repositoryId), inArray(findings.findingId, portion))),
    );
    for (const { id, fingerprint, subjectNumber } of rows) taken.set(id, { fingerprint, subjectNumber });
  }
  return taken;
}

/** What is new about a finding; placement, comment and outcome stay as they were where they are not given, a dismissal while it is dismissed. */
export interface LedgerChange {
  readonly subject: Subject;
  readonly finding: Finding;
  readonly state: FindingState;
  readonly placement?: Placement;
  readonly commentId?: number;
  readonly headSha: string;
  readonly dismissal?: Dismissal;
  readonly outcome?: FindingOutcome;
}

/** An id that belongs to another subject of the repository is refused: its subject would become NULL. */
export function upsertFindings(changes: readonly LedgerChange[]): Statement[] {
  return portions(changes).map((portion) =>
    statement(
      sql`insert into findings
          (repository_id, finding_id, subject_key, subject_number, installation_id, fingerprint, finding, state, placement,
           comment_id, head_sha, dismissal, outcome)
          values ${sql.join(portion.map(row), sql`, `)}
          on conflict (repository_id, finding_id) do update set
            subject_key = case when subject_key = excluded.subject_key then subject_key end,
            installation_id = excluded.installation_id, fingerprint = excluded.fingerprint, finding = excluded.finding,
            state = excluded.state, placement = coalesce(excluded.placement, placement),
            comment_id = coalesce(excluded.comment_id, comment_id), head_sha = excluded.head_sha,
            outcome = coalesce(excluded.outcome, outcome),
            dismissal = case when excluded.state = 'dismissed' then coalesce(excluded.dismissal, dismissal) end`,
      () =>
        new ForgeError("finding_id_taken", "A finding's id was taken by another pull request: choose ids again.", {
          source: "resource",
          severity: "warning",
          recoverability: "auto",
          context: { ids: portion.map(({ finding }) => finding.id) },
        }),
    ),
  );
}

function row({ subject, finding, state, placement, commentId, headSha, dismissal, outcome }: LedgerChange) {
  return sql`(${subject.repository.id}, ${finding.id}, ${subjectKey(subject)}, ${numberOf(subject)},
    ${subject.repository.installationId}, ${finding.fingerprint}, ${JSON.stringify(finding)}, ${state}, ${placement ?? null},
    ${commentId ?? null}, ${headSha}, ${dismissal ? JSON.stringify(dismissal) : null}, ${outcome ?? null})`;
}
