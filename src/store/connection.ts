import { type Client, createClient } from "@libsql/client";
import { defined } from "../domain/defined.ts";
import { isBusy } from "./storage-error.ts";

/** How long SQLite waits for a lock before it reports BUSY; the client's own default is not to wait at all. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Settings of a connection to a file. FULL: a commit is on the disk before it is reported, in WAL mode too. Settings belong to a
 * connection, not to the file. The log is written back every 16 MB, four times the default, because pages of an index that many commits
 * touch are then written back once.
 */
const WRITER_SETTINGS = ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA wal_autocheckpoint = 4000"];
const READER_SETTINGS = ["PRAGMA query_only = ON"];

/** As SQLite calls them. */
export type Durability = "FULL" | "NORMAL";

export interface Connection {
  readonly client: Client;
  /** Throws the connection away and opens another with the same settings: after a BUSY the old one may never commit again. */
  readonly reopen: () => Promise<void>;
  /** Does something whose commits are on the disk when it is done, or need not be; a server decides that by itself. */
  readonly committing: <T>(durability: Durability, work: () => Promise<T>) => Promise<T>;
}

export interface Address {
  readonly url: string;
  readonly authToken?: string;
}

export function isFile(url: string): boolean {
  return url.startsWith("file:");
}

/**
 * One connection to a database file. The client keeps a pool, of which a PRAGMA reaches one connection only; a pool of one makes the
 * settings hold for every statement.
 */
export async function connectToFile(url: string, role: "writer" | "reader"): Promise<Connection> {
  const client = createClient({ url, timeout: BUSY_TIMEOUT_MS, concurrency: 1 });
  let now: Durability = "FULL";
  const configure = async () => {
    now = "FULL";
    for (const setting of role === "writer" ? WRITER_SETTINGS : READER_SETTINGS) await client.execute(setting);
  };
  const reopen = async () => {
    await client.reconnect();
    await configure();
  };
  try {
    await configure();
  } catch (error) {
    client.close();
    throw error;
  }
  // What is set stays: steps follow each other, and so does what they lead to.
  const committing = async <T>(durability: Durability, work: () => Promise<T>) => {
    if (now !== durability) await client.execute(`PRAGMA synchronous = ${durability}`);
    now = durability;
    return work();
  };
  return { client, reopen, committing };
}

/** A libSQL server; durability and locks are its own business. */
export function connectToServer(address: Address): Connection {
  const client = createClient({ url: address.url, ...defined({ authToken: address.authToken || undefined }) });
  return { client, reopen: () => Promise.resolve(client.reconnect()), committing: (_, work) => work() };
}

/** Each try may wait for the whole busy timeout, and the event loop with it. */
const BUSY_RETRIES = 1;

/** Runs one commit; when another program held the lock, on a new connection once more. */
export async function retryBusy<T>(connection: Connection, commit: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await commit();
    } catch (error) {
      if (!isBusy(error)) throw error;
      await connection.reopen();
      if (attempt === BUSY_RETRIES) throw error;
    }
  }
}
