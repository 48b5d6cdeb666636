import { hostname } from "node:os";
import { createClient } from "@libsql/client";
import { desc, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { ForgeError } from "../domain/errors.ts";
import { connectToFile } from "./connection.ts";
import { owners } from "./schema.ts";
import { statement } from "./statement.ts";
import { isBusy } from "./storage-error.ts";

/**
 * Makes this process the owner of a database file until `release`: a write lock on the empty file `<database>-owner` beside it. The lock is
 * the kernel's, so that it ends with the process however it dies, and a pid that was given to another program cannot be mistaken for ours.
 * @throws ForgeError `database_in_use` naming the process that has it.
 */
export async function ownFile(url: string): Promise<{ release: () => void }> {
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
export function ownerStatement(processName: string, since: string) {
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
