import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { ACTIVE_STATUSES } from "../domain/phases.ts";
import { Subject } from "../domain/subjects.ts";
import { reading } from "./reading.ts";
import { runs } from "./schema.ts";
import type { Store } from "./store.ts";

/** The pull requests of a repository that runs on issues wait for, by number, with the issue. */
export async function listWaitingPulls(store: Store, repositoryId: number): Promise<ReadonlyMap<number, Subject>> {
  const here = and(eq(runs.repositoryId, repositoryId), eq(runs.kind, "implement"));
  const waiting = and(here, inArray(runs.status, [...ACTIVE_STATUSES]), isNotNull(runs.pullNumber));
  const rows = await reading(
    store.read.select({ number: runs.pullNumber, subject: runs.subject }).from(runs).where(waiting),
  );
  return new Map(
    rows.flatMap(({ number, subject }) => (number === null ? [] : [[number, Subject.parse(JSON.parse(subject))]])),
  );
}
