import { z } from "zod";
import { ForgeError } from "../domain/errors.ts";
import { missingFile } from "../store/missing-file.ts";
import type { openStoreReadOnly } from "../store/open-store.ts";
import { refusedQuery } from "../store/storage-error.ts";
import type { Store } from "../store/store.ts";
import { calledAs } from "../workspace/called-as.ts";
import { readDatabaseConfig } from "./config.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Opens the database of the environment.
 * @throws ForgeError `not_started`, or `database_unreadable` with what to do
 */
export async function openOrSay(open: typeof openStoreReadOnly, environment: Environment): Promise<Store> {
  const place = readDatabaseConfig(environment);
  const options = { source: "resource", recoverability: "manual" } as const;
  const missing = missingFile(place.url);
  if (missing !== undefined) {
    const how = `Start it with \`${calledAs(environment)} start\`, or set DATABASE_URL to its database.`;
    throw new ForgeError(
      "not_started",
      `Forge has not been started here yet: ${missing} does not exist. ${how}`,
      options,
    );
  }
  return openDatabase(open, place);
}

/** A database, and whether it is that of `forge run` on one checkout. */
export interface DatabasePlace {
  readonly url: string;
  readonly isLocal?: boolean;
}

/** @throws ForgeError `database_unreadable` with what to do */
export function openDatabase(
  open: typeof openStoreReadOnly,
  place: DatabasePlace & { readonly authToken?: string | undefined },
): Promise<Store> {
  return open(place.url, place.authToken).catch((cause: unknown) => {
    throw unreadable(place, cause instanceof Error ? cause.message : String(cause), cause);
  });
}

/** Reads from an open database. @throws ForgeError `database_unreadable` with what to do; what else `read` throws */
export async function orUnreadable<T>(place: DatabasePlace, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const why = refusedQuery(error) ?? unknownContent(error);
    throw why === undefined ? error : unreadable(place, why, error);
  }
}

/** Codes of what a database that cannot be read, or its server, answers. */
const OF_DATABASE: ReadonlySet<string> = new Set(["storage_failing", "database_busy", "database_unreachable"]);

/** Why a row cannot be taken for what it was: it is damaged, or another version of Forge wrote it. Undefined for any other error. */
function unknownContent(error: unknown): string | undefined {
  if (error instanceof ForgeError) {
    if (OF_DATABASE.has(error.code)) return withoutStop(error.message);
    return error.code === "event_invalid" ? `${OTHER_VERSION} (${withoutStop(error.message)})` : undefined;
  }
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const at = issue && issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
    return `${OTHER_VERSION} (${issue?.message ?? "it does not fit"}${at})`;
  }
  return error instanceof SyntaxError ? `${OTHER_VERSION} (${error.message})` : undefined;
}

const OTHER_VERSION = "it is damaged, or a different version of Forge wrote it";

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}

export function isUnreadable(error: unknown): error is ForgeError {
  return error instanceof ForgeError && error.code === "database_unreadable";
}

/** The database is there and cannot be read. */
function unreadable({ url, isLocal }: DatabasePlace, why: string, cause: unknown): ForgeError {
  const how = isLocal
    ? `A \`${calledAs()} run\` in its checkout updates the tables of an older version; if that fails too, move the file away.`
    : `Is DATABASE_URL right? \`${calledAs()} start\` creates its tables, and updates those of an older version.`;
  const message = `The database ${url} cannot be read: ${why}. ${how}`;
  return new ForgeError("database_unreadable", message, { source: "resource", recoverability: "manual", cause });
}
