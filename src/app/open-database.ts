import { ForgeError } from "../domain/errors.ts";
import { missingFile } from "../store/missing-file.ts";
import type { openStoreReadOnly } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { calledAs } from "../workspace/called-as.ts";
import { readDatabaseConfig } from "./config.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Opens the database of the environment.
 * @throws ForgeError `not_started`, or `database_unreadable` with what to do
 */
export async function openOrSay(open: typeof openStoreReadOnly, environment: Environment): Promise<Store> {
  const { url, authToken } = readDatabaseConfig(environment);
  const options = { source: "resource", recoverability: "manual" } as const;
  const missing = missingFile(url);
  if (missing !== undefined) {
    const how = `Start it with \`${calledAs(environment)} start\`, or set DATABASE_URL to its database.`;
    throw new ForgeError(
      "not_started",
      `Forge has not been started here yet: ${missing} does not exist. ${how}`,
      options,
    );
  }
  return open(url, authToken).catch((cause: unknown) => {
    throw unreadable(url, cause instanceof Error ? cause.message : String(cause), cause);
  });
}

/** The database is there and cannot be read. */
export function unreadable(url: string, why: string, cause: unknown): ForgeError {
  const message = `The database ${url} cannot be read: ${why}. Is DATABASE_URL right? The first start creates its tables.`;
  return new ForgeError("database_unreadable", message, { source: "resource", recoverability: "manual", cause });
}
