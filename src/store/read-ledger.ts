import { and, asc, eq, inArray } from "drizzle-orm";
import { defined } from "../domain/defined.ts";
import { Dismissal, Finding, type LedgerEntry } from "../domain/findings.ts";
import { type Subject, subjectKey } from "../domain/subjects.ts";
import { findings } from "./schema.ts";
import { portions } from "./statement.ts";
import { reading } from "./storage-error.ts";
import type { Store } from "./store.ts";

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
