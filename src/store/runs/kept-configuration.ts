import { and, eq, sql } from "drizzle-orm";
import { configurations } from "../schema.ts";
import { statement } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** Whose configuration: a repository's, or without one that of the installation's organisation. */
export interface ConfigurationKey {
  readonly installationId: number;
  readonly repositoryId?: number;
}

/** Remembers a configuration that was accepted, in place of the one before it (CONF-1). */
export async function keepConfiguration(
  store: Store,
  { installationId, repositoryId = 0 }: ConfigurationKey,
  { text, at }: { readonly text: string; readonly at: string },
): Promise<void> {
  await store.queue.together([
    statement(sql`
      insert into configurations (installation_id, repository_id, text, at)
      values (${installationId}, ${repositoryId}, ${text}, ${at})
      on conflict (installation_id, repository_id) do update set text = excluded.text, at = excluded.at`),
  ]);
}

/** The last text that was kept; undefined when there never was one. */
export async function readKeptConfiguration(store: Store, key: ConfigurationKey): Promise<string | undefined> {
  const { installationId, repositoryId = 0 } = key;
  const ofKey = and(eq(configurations.installationId, installationId), eq(configurations.repositoryId, repositoryId));
  const [row] = await reading(store.read.select({ text: configurations.text }).from(configurations).where(ofKey));
  return row?.text;
}
