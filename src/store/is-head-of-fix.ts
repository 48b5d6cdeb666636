import { sql } from "drizzle-orm";
import { reading } from "./reading.ts";
import type { Store } from "./store.ts";

/** Whether a commit of a repository is one of suggested fixes, which Forge pushed or is about to push. Such a push is to a branch of people. */
export async function isHeadOfFix(store: Store, repositoryId: number, headSha: string): Promise<boolean> {
  const found = await reading(
    store.read.all(sql`
      select 1 from effects where head_sha = ${headSha} and kind = 'branch.push' and json_extract(payload, '$.theirs') = 1
        and json_extract(subject, '$.repository.id') = ${repositoryId} limit 1`),
  );
  return found.length > 0;
}
