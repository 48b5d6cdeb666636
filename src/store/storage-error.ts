import { LibsqlError } from "@libsql/client";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { ForgeError } from "../domain/errors.ts";

/** Codes of a server that did not answer, or not in its protocol. */
const UNREACHABLE = new Set([
  "SERVER_ERROR",
  "HRANA_CLOSED_ERROR",
  "HRANA_WEBSOCKET_ERROR",
  "HRANA_PROTO_ERROR",
  "PROTOCOL_VERSION_ERROR",
]);

/** What the database said to a query that it refused; undefined for any other error. */
export function refusedQuery(error: unknown): string | undefined {
  if (error instanceof LibsqlError) return error.message;
  if (!(error instanceof DrizzleQueryError)) return undefined;
  return error.cause instanceof Error ? error.cause.message : String(error.cause);
}

/**
 * A known failure of the storage as a ForgeError: `storage_full`, `storage_failing`, `database_busy`, `database_unreachable`. Anything
 * else comes back as it is: a bug.
 */
export function storageError(error: unknown): unknown {
  const thrown = error instanceof DrizzleQueryError ? error.cause : error;
  const code = sqliteCode(thrown);
  if (code.startsWith("SQLITE_FULL")) {
    return new ForgeError(
      "storage_full",
      "The disk with the database is full: nothing was written. Free some space; Forge goes on by itself.",
      { source: "resource", severity: "critical", recoverability: "auto", cause: thrown },
    );
  }
  if (code.startsWith("SQLITE_IOERR") || code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_READONLY")) {
    return new ForgeError(
      "storage_failing",
      `The database could not be read or written (${extendedCode(thrown)}): look at the disk and the permissions of its file.`,
      { source: "resource", severity: "critical", recoverability: "manual", cause: thrown },
    );
  }
  if (isBusy(thrown)) {
    return new ForgeError(
      "database_busy",
      "Another program holds a lock on the database: nothing was written. Close whatever else has the file open.",
      { source: "resource", severity: "high", recoverability: "auto", cause: thrown },
    );
  }
  if (UNREACHABLE.has(code) || isFetchFailure(thrown)) {
    return new ForgeError(
      "database_unreachable",
      "The libSQL server did not answer as expected: whether the last write arrived is not known.",
      { source: "network", severity: "high", recoverability: "auto", cause: thrown },
    );
  }
  return error;
}

function extendedCode(thrown: unknown): string {
  return thrown instanceof LibsqlError ? (thrown.extendedCode ?? thrown.code) : "";
}

/** Node's fetch reports a refused or dropped connection as a TypeError with the system's error as its cause. */
function isFetchFailure(thrown: unknown): boolean {
  return thrown instanceof TypeError && thrown.cause instanceof Error;
}

/** The code of an error of the client; empty for any other. */
function sqliteCode(thrown: unknown): string {
  return thrown instanceof LibsqlError ? thrown.code : "";
}

/** Another connection holds the lock; nothing was written. */
export function isBusy(thrown: unknown): boolean {
  return sqliteCode(thrown).startsWith("SQLITE_BUSY");
}

/** A unique index, a check or a NOT NULL refused a row. A server sends the extended code, the file client the plain one. */
export function isConstraint(thrown: unknown): boolean {
  return sqliteCode(thrown).startsWith("SQLITE_CONSTRAINT");
}

/** Runs a query of Drizzle's builder; a known failure of the storage is thrown as a ForgeError. */
export async function reading<Rows>(query: PromiseLike<Rows>): Promise<Rows> {
  try {
    return await query;
  } catch (error) {
    throw storageError(error);
  }
}
