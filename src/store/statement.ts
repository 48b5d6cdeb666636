import type { InStatement, InValue } from "@libsql/client";
import type { SQL } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { ForgeError } from "../domain/errors.ts";

/** One statement of a batch. `refusal` says what it means when a constraint refuses it; without one that is a bug. */
export interface Statement {
  readonly sql: string;
  readonly args: InValue[];
  readonly refusal?: () => ForgeError;
}

/** How many rows one insert takes: SQLite binds at most 32,766 values and the widest row here has 16. */
export const ROWS_PER_INSERT = 500;

const dialect = new SQLiteAsyncDialect();

/** A statement from SQL text or from Drizzle's builder, bound and ready for a batch. */
export function statement(
  query: SQL | { toSQL(): { sql: string; params: unknown[] } },
  refusal?: () => ForgeError,
): Statement {
  const { sql, params } = "toSQL" in query ? query.toSQL() : dialect.sqlToQuery(query);
  const args = params as InValue[];
  return refusal ? { sql, args, refusal } : { sql, args };
}

export function toClient({ sql, args }: Statement): InStatement {
  return { sql, args };
}

/** Rows in portions that one insert can take. */
export function portions<Row>(rows: readonly Row[], size = ROWS_PER_INSERT): Row[][] {
  const parts: Row[][] = [];
  for (let start = 0; start < rows.length; start += size) parts.push(rows.slice(start, start + size));
  return parts;
}
