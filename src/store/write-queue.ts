import { LibsqlBatchError, type ResultSet } from "@libsql/client";
import { ForgeError } from "../domain/errors.ts";
import type { Connection } from "./connection.ts";
import { type Statement, toClient } from "./statement.ts";
import { isBusy, isConstraint, storageError } from "./storage-error.ts";

/** At most this many statements share one commit, so that a burst does not hold the event loop for long. */
const STATEMENTS_PER_COMMIT = 200;
/** Each try may wait for the whole busy timeout, and the event loop with it. */
const BUSY_RETRIES = 1;

interface Waiting {
  readonly statements: readonly Statement[];
  readonly together: boolean;
  readonly resolve: (results: ResultSet[]) => void;
  readonly reject: (error: unknown) => void;
}

export interface WriteQueue {
  /** Runs the statements as one transaction of their own: all of them or none. */
  readonly alone: (statements: readonly Statement[]) => Promise<ResultSet[]>;
  /** The same for statements that no constraint can refuse: what waits at the same time shares one commit, and so one fsync. */
  readonly together: (statements: readonly Statement[]) => Promise<ResultSet[]>;
  /** Resolves when everything that waits now is written; nothing is taken afterwards. */
  readonly close: () => Promise<void>;
}

/**
 * The one way into the database: first come, first served, one batch at a time. Interactive transactions are not offered: on a file they
 * freeze the event loop as soon as another write comes between.
 */
export function createWriteQueue(connection: Connection): WriteQueue {
  const waiting: Waiting[] = [];
  let draining: Promise<void> | undefined;
  let closed = false;

  const enqueue = (statements: readonly Statement[], together: boolean) =>
    new Promise<ResultSet[]>((resolve, reject) => {
      if (closed) {
        reject(new ForgeError("store_closed", "The store is closed.", { source: "logic", recoverability: "none" }));
        return;
      }
      waiting.push({ statements, together, resolve, reject });
      draining ??= drain();
    });

  const drain = async () => {
    // Requests that arrive in the same turn of the event loop get into the same commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      await write(connection, takeCommit(waiting));
      await new Promise((resolve) => setImmediate(resolve));
    }
    draining = undefined;
  };

  return {
    alone: (statements) => enqueue(statements, false),
    together: (statements) => enqueue(statements, true),
    close: async () => {
      closed = true;
      await draining;
    },
  };
}

/** The first that waits, with those right behind it that may share its commit. */
function takeCommit(waiting: Waiting[]): Waiting[] {
  const first = waiting.shift()!;
  const commit = [first];
  let size = first.statements.length;
  while (first.together && waiting[0]?.together && size + waiting[0].statements.length <= STATEMENTS_PER_COMMIT) {
    const next = waiting.shift()!;
    commit.push(next);
    size += next.statements.length;
  }
  return commit;
}

async function write(connection: Connection, commit: readonly Waiting[]): Promise<void> {
  try {
    const results = await runBatch(
      connection,
      commit.flatMap((one) => one.statements),
    );
    for (const one of commit) one.resolve(results.splice(0, one.statements.length));
  } catch (error) {
    if (commit.length === 1 || error instanceof ForgeError) for (const one of commit) one.reject(error);
    // A bug in one of them must not fail the others: each gets a commit of its own.
    else for (const one of commit) await write(connection, [one]);
  }
}

async function runBatch(connection: Connection, statements: readonly Statement[]): Promise<ResultSet[]> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await connection.client.batch(statements.map(toClient), "write");
    } catch (error) {
      if (isBusy(error)) {
        await connection.reopen();
        if (attempt < BUSY_RETRIES) continue;
      }
      throw refusalOf(error, statements) ?? storageError(error);
    }
  }
}

/** What the refused statement wanted to say, when a constraint refused one that expects it. */
function refusalOf(error: unknown, statements: readonly Statement[]): ForgeError | undefined {
  if (!(error instanceof LibsqlBatchError) || !isConstraint(error)) return undefined;
  return statements[error.statementIndex]?.refusal?.();
}
