import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { instance } from "./schema.ts";
import { statement } from "./statement.ts";
import { reading } from "./storage-error.ts";
import type { Store } from "./store.ts";

export interface Instance {
  /** When the database was made, ISO 8601. */
  readonly bornAt: string;
  /** 32 random bytes that sign markers and key fingerprints; they live and die with the database. */
  readonly key: Buffer;
}

/** The identity of this Forge; made at the first call, and the same for all processes on the database. */
export async function readInstance(store: Store, now: string): Promise<Instance> {
  const key = randomBytes(32);
  await store.queue.together([
    statement(sql`insert into instance (id, born_at, key) values (1, ${now}, ${key}) on conflict (id) do nothing`),
  ]);
  const [row] = await reading(store.read.select().from(instance));
  return { bornAt: row!.bornAt, key: Buffer.from(row!.key) };
}
