import { sql } from "drizzle-orm";
import { reading } from "./reading.ts";
import type { Store } from "./store.ts";

/** Whether a commit of a repository is one of suggested fixes, which Forge pushed or is about to push. */
export async function isHeadOfFix(store: Store, repositoryId: number, headSha: string): Promise<boolean> {
  // The bounds are those of everything that begins with "fix:".
  const found = await reading(
    store.read.all(sql`
      select 1 from effects where run_id >= 'fix:' and run_id < 'fix;' and head_sha = ${headSha}
        and json_extract(subject, '$.repository.id') = ${repositoryId} limit 1`),
  );
  return found.length > 0;
}
