import { asc, eq } from "drizzle-orm";
import { defined } from "../../src/domain/defined.ts";
import { jobs } from "../../src/store/schema.ts";
import { reading } from "../../src/store/storage-error.ts";
import type { Store } from "../../src/store/store.ts";

export interface DeadJob {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  readonly payload: unknown;
  readonly runId?: string;
  readonly error: string;
}

/** The dead letters, oldest first. */
export async function listDeadJobs(store: Store): Promise<DeadJob[]> {
  const rows = await reading(store.read.select().from(jobs).where(eq(jobs.state, "dead")).orderBy(asc(jobs.id)));
  return rows.map(({ id, kind, key, payload, runId, error }) => ({
    id: String(id),
    kind,
    key,
    payload: JSON.parse(payload),
    ...defined({ runId: runId ?? undefined }),
    error: error ?? "",
  }));
}
