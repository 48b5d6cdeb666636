import { and, eq } from "drizzle-orm";
import type { ConfigurationKey } from "./keep-configuration.ts";
import { reading } from "./reading.ts";
import { configurations } from "./schema.ts";
import type { Store } from "./store.ts";

/** The last text that was kept; undefined when there never was one. */
export async function readKeptConfiguration(store: Store, key: ConfigurationKey): Promise<string | undefined> {
  const { installationId, repositoryId = 0 } = key;
  const ofKey = and(eq(configurations.installationId, installationId), eq(configurations.repositoryId, repositoryId));
  const [row] = await reading(store.read.select({ text: configurations.text }).from(configurations).where(ofKey));
  return row?.text;
}
