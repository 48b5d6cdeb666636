import { asc, eq } from "drizzle-orm";
import type { Pause } from "../domain/answers.ts";
import { defined } from "../domain/defined.ts";
import { StandingDismissal } from "../domain/dismissals.ts";
import { reading } from "./reading.ts";
import { dismissals, pauses } from "./schema.ts";
import type { Store } from "./store.ts";

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
