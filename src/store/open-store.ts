import { hostname } from "node:os";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@libsql/client";
import { desc, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { migrate } from "drizzle-orm/libsql/migrator";
import { defined } from "../domain/defined.ts";
import { ForgeError } from "../domain/errors.ts";
import { createRedactor, type Redact } from "../safety/redact.ts";
import { type Connection, connectToFile, connectToServer, isFile } from "./connection.ts";
import { createGroup } from "./group.ts";
import { acceptInQueue, acceptInThread, type Inbox } from "./inbox/accept-delivery.ts";
import { SLOT_BYTES, SLOTS } from "./inbox/inbox-protocol.ts";
import { owners } from "./schema.ts";
import { statement } from "./statement.ts";
import { isBusy, storageError } from "./storage-error.ts";
import type { OnListenerError, Store } from "./store.ts";
import { createWriteQueue, type WriteQueue } from "./write-queue.ts";

const MIGRATIONS = fileURLToPath(new URL("../../drizzle", import.meta.url));

/** Deliveries in one commit: enough to share an fsync, few enough to keep the event loop free. */
const DELIVERIES_PER_COMMIT = 64;

export interface OpenOptions {
  /** `file:<path>`, or `libsql:`, `https:`, `http:`, `wss:`, `ws:` for a libSQL server. */
  readonly url: string;
  readonly authToken?: string;
  /** How a second process hears of this one. */
  readonly processName?: string;
  /** Knows the secrets of this process; without it only what looks like one is hidden. */
  readonly redact?: Redact;
  /** Told when a subscriber of events throws; without it the error goes to `process.emitWarning`. */
  readonly onListenerError?: OnListenerError;
}

/**
 * Opens the database and brings its tables up to date. A `file:` database is owned by this process until `closeStore`: the leases that its
 * last owner left are given free.
 * @throws ForgeError `database_in_use`, `database_url_unsupported`, `database_unreachable`, `storage_full`.
 */
export async function openStore(options: OpenOptions): Promise<Store> {
  refuseMemory(options.url);
  const owned = isFile(options.url) ? await ownFile(options.url) : undefined;
  const clients: Client[] = [];
  try {
    const writer = owned ? await connectToFile(options.url, "writer") : connectToServer(options);
    clients.push(writer.client);
    await bringUpToDate(writer);
    const reader = owned ? await connectToFile(options.url, "reader") : writer;
    if (reader !== writer) clients.push(reader.client);
    const queue = createWriteQueue(writer);
    const inbox = owned ? acceptInThread(options.url, queue) : acceptInQueue(queue);
    const store = assemble(options, reader.client, queue, inbox, () => {
      for (const client of clients) client.close();
      owned?.release();
    });
    if (owned) {
      await queue.alone([ownerStatement(options.processName ?? "forge", new Date().toISOString())]);
      await releaseOwnedLeases(store);
    }
    return store;
  } catch (error) {
    for (const client of clients) client.close();
    owned?.release();
    throw storageError(error);
  }
}

/**
 * Opens the database for a few short writes, beside a running server too: nothing is migrated or owned, and no work is taken up. On a file the two
 * wait for each other's commits.
 */
export async function openStoreBeside(url: string, authToken?: string): Promise<Store> {
  refuseMemory(url);
  const writer = isFile(url)
    ? await connectToFile(url, "writer")
    : connectToServer({ url, ...defined({ authToken: authToken || undefined }) });
  const queue = createWriteQueue(writer);
  return assemble({ url }, writer.client, queue, acceptInQueue(queue), () => writer.client.close());
}

/** Opens the database for reading beside a running server: nothing is migrated, owned or written. Writing verbs are refused. */
export async function openStoreReadOnly(url: string, authToken?: string): Promise<Store> {
  refuseMemory(url);
  const { client } = isFile(url)
    ? await connectToFile(url, "reader")
    : connectToServer({ url, ...defined({ authToken: authToken || undefined }) });
  const refuse = () =>
    Promise.reject(
      new ForgeError("store_read_only", "The database was opened for reading only.", {
        source: "logic",
        recoverability: "none",
      }),
    );
  const queue: WriteQueue = {
    alone: refuse,
    together: refuse,
    step: refuse,
    elsewhere: refuse,
    close: () => Promise.resolve(),
  };
  return assemble({ url }, client, queue, acceptInQueue(queue), () => client.close());
}

/** Writes what still waits, then lets go of the database. Later calls join the first. */
export function closeStore(store: Store): Promise<void> {
  return store.close();
}

function assemble(options: OpenOptions, reader: Client, queue: WriteQueue, inbox: Inbox, release: () => void): Store {
  const deliveries = createGroup({
    limit: DELIVERIES_PER_COMMIT,
    maxBytes: SLOT_BYTES,
    atOnce: SLOTS,
    sizeOf: (delivery) => delivery.body.length,
    commit: inbox.accept,
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await deliveries.idle();
    await queue.close();
    await inbox.close();
    release();
  };
  return {
    url: options.url,
    read: drizzle({ client: reader }),
    queue,
    deliveries,
    eventListeners: new Set(),
    jobListeners: new Set(),
    cancelListeners: new Set(),
    redact: options.redact ?? createRedactor([]),
    onListenerError: options.onListenerError ?? ((error) => process.emitWarning(String(error))),
    close: () => (closing ??= close()),
  };
}

/** Several processes may start on one server at once; the one that comes second finds the tables made when it looks again. */
async function bringUpToDate(connection: Connection): Promise<void> {
  const run = () => migrate(drizzle({ client: connection.client }), { migrationsFolder: MIGRATIONS });
  await run().catch(run);
}

function refuseMemory(url: string): void {
  if (!url.includes(":memory:")) return;
  throw new ForgeError(
    "database_url_unsupported",
    "A database in memory forgets everything: give a file or a server.",
    {
      source: "validation",
      severity: "critical",
      recoverability: "manual",
    },
  );
}

/**
 * Makes every running job claimable at once. Right only for a process that owns its `file:` database and has no worker yet: then every
 * lease is a dead process's. Does nothing on a server, whose other workers live.
 */
async function releaseOwnedLeases(store: Store): Promise<void> {
  if (!isFile(store.url)) return;
  await store.queue.together([statement(sql`update jobs set lease_until = '' where state = 'running'`)]);
}

/**
 * Makes this process the owner of a database file until `release`: a write lock on the empty file `<database>-owner` beside it. The lock is
 * the kernel's, so that it ends with the process however it dies, and a pid that was given to another program cannot be mistaken for ours.
 * @throws ForgeError `database_in_use` naming the process that has it.
 */
async function ownFile(url: string): Promise<{ release: () => void }> {
  const client = createClient({ url: `${url}-owner`, timeout: 0, concurrency: 1 });
  try {
    const lock = await client.transaction("write");
    return {
      release: () => {
        lock.close();
        client.close();
      },
    };
  } catch (error) {
    client.close();
    if (!isBusy(error)) throw error;
    throw inUse(await readOwner(url), error);
  }
}

/** Writes down who the owner is, for the message that a second process shows. */
function ownerStatement(processName: string, since: string) {
  return statement(
    sql`insert or replace into owners (id, pid, host, process_name, since)
        values (1, ${process.pid}, ${hostname()}, ${processName}, ${since})`,
  );
}

type Owner = Pick<typeof owners.$inferSelect, "pid" | "host" | "processName" | "since">;

async function readOwner(url: string): Promise<Owner | undefined> {
  const { client } = await connectToFile(url, "reader");
  try {
    return (await drizzle({ client }).select().from(owners).orderBy(desc(owners.id)).limit(1))[0];
  } catch {
    // The owner has not made its tables yet: then it is not known by name.
    return undefined;
  } finally {
    client.close();
  }
}

function inUse(owner: Owner | undefined, cause: unknown): ForgeError {
  const who = owner
    ? `${owner.processName} (pid ${owner.pid} on ${owner.host}, since ${owner.since})`
    : "another process";
  return new ForgeError(
    "database_in_use",
    `The database file is in use by ${who}. One process owns a file: stop it first, or give both a libSQL server in DATABASE_URL.`,
    { source: "resource", severity: "critical", recoverability: "manual", context: { ...owner }, cause },
  );
}
