import { LibsqlError } from "@libsql/client";

/** The code of an error of the client; empty for any other. */
export function sqliteCode(thrown: unknown): string {
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
