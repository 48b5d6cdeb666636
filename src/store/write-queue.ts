import { LibsqlBatchError, type ResultSet } from "@libsql/client";
import { ForgeError } from "../domain/errors.ts";
import { type Connection, type Durability, retryBusy } from "./connection.ts";
import { type Statement, toClient } from "./statement.ts";
import { isConstraint, storageError } from "./storage-error.ts";

/** At most this many statements share one commit, so that a burst does not hold the event loop for long. */
const STATEMENTS_PER_COMMIT = 200;

/** What may share a commit: nothing; writes that cannot be refused; steps, whose commit does not wait for the disk. */
type Company = "none" | "unrefusable" | "steps";

interface Batch {
  readonly statements: readonly Statement[];
  readonly company: Company;
  readonly resolve: (results: ResultSet[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A commit that another connection makes in its turn. */
interface Elsewhere {
  readonly begin: () => Promise<void>;
}

type Waiting = Batch | Elsewhere;

export interface WriteQueue {
  /** Runs the statements as one transaction of their own: all of them or none. */
  readonly alone: (statements: readonly Statement[]) => Promise<ResultSet[]>;
  /** The same for statements that no constraint can refuse: what waits at the same time shares one commit, and so one fsync. */
  readonly together: (statements: readonly Statement[]) => Promise<ResultSet[]>;
  /**
   * A transaction of its own that survives the death of this process, but not a power cut in the next moment: that may take back the last
   * ones, in order, until something else is written. For what can be done again at the price of a model call.
   */
  readonly step: (statements: readonly Statement[]) => Promise<ResultSet[]>;
  /**
   * Calls `commit`, which writes on a connection of its own, when no batch is under way, and lets none begin until it is done. Calls that
   * follow each other may overlap: they are begun in order.
   */
  readonly elsewhere: <T>(commit: () => Promise<T>) => Promise<T>;
  /** Resolves when everything that waits now is written; nothing is taken afterwards. */
  readonly close: () => Promise<void>;
}

/**
 * The one way into the database: first come, first served, one batch at a time. Interactive transactions are not offered: on a file they
 * freeze the event loop as soon as another write comes between.
 */
export function createWriteQueue(connection: Connection): WriteQueue {
  const waiting: Waiting[] = [];
  const underWay = new Set<Promise<void>>();
  let draining: Promise<void> | undefined;
  let closed = false;

  const enqueue = (entry: Waiting) => {
    if (closed) {
      throw new ForgeError("store_closed", "The store is closed.", { source: "logic", recoverability: "none" });
    }
    waiting.push(entry);
    draining ??= drain();
  };
  const batch = (statements: readonly Statement[], company: Company) =>
    new Promise<ResultSet[]>((resolve, reject) => enqueue({ statements, company, resolve, reject }));

  const beginElsewhere = ({ begin }: Elsewhere) => {
    const one = begin().finally(() => underWay.delete(one));
    underWay.add(one);
  };

  const drain = async () => {
    // Requests that arrive in the same turn of the event loop get into the same commit.
    await new Promise((resolve) => setImmediate(resolve));
    for (let next = waiting[0]; next; next = waiting[0]) {
      if ("begin" in next) {
        waiting.shift();
        beginElsewhere(next);
        continue;
      }
      if (underWay.size > 0) await Promise.all(underWay);
      await write(connection, takeCommit(waiting));
      await new Promise((resolve) => setImmediate(resolve));
    }
    draining = undefined;
  };

  return {
    alone: (statements) => batch(statements, "none"),
    together: (statements) => batch(statements, "unrefusable"),
    step: (statements) => batch(statements, "steps"),
    elsewhere: (commit) => new Promise((resolve, reject) => enqueue({ begin: () => commit().then(resolve, reject) })),
    close: async () => {
      closed = true;
      await draining;
      await Promise.all(underWay);
    },
  };
}

/** The batch that waits first, with those right behind it that may share its commit. */
function takeCommit(waiting: Waiting[]): Batch[] {
  const first = waiting.shift() as Batch;
  const commit = [first];
  let size = first.statements.length;
  for (let next = waiting[0]; next && joins(next, first); next = waiting[0]) {
    size += next.statements.length;
    if (size > STATEMENTS_PER_COMMIT) break;
    commit.push(next);
    waiting.shift();
  }
  return commit;
}

function joins(next: Waiting, { company }: Batch): next is Batch {
  return company !== "none" && "company" in next && next.company === company;
}

async function write(connection: Connection, commit: readonly Batch[]): Promise<void> {
  const isStep = commit[0]?.company === "steps";
  const statements = commit.flatMap((one) => one.statements);
  try {
    const results = await runBatch(connection, statements, isStep ? "NORMAL" : "FULL");
    for (const one of commit) one.resolve(results.splice(0, one.statements.length));
  } catch (error) {
    const isOwn = error instanceof ForgeError && !isStep;
    if (commit.length === 1 || isOwn) for (const one of commit) one.reject(error);
    // A bug in one of them, or a step that is refused, must not fail the others: each gets a commit of its own.
    else for (const one of commit) await write(connection, [one]);
  }
}

async function runBatch(
  connection: Connection,
  statements: readonly Statement[],
  durability: Durability,
): Promise<ResultSet[]> {
  const commit = () => connection.client.batch(statements.map(toClient), "write");
  try {
    return await retryBusy(connection, () => connection.committing(durability, commit));
  } catch (error) {
    throw refusalOf(error, statements) ?? storageError(error);
  }
}

/** What the refused statement wanted to say, when a constraint refused one that expects it. */
function refusalOf(error: unknown, statements: readonly Statement[]): ForgeError | undefined {
  if (!(error instanceof LibsqlBatchError) || !isConstraint(error)) return undefined;
  return statements[error.statementIndex]?.refusal?.();
}
