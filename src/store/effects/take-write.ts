import { type SQL, sql } from "drizzle-orm";
import { limitsOf, MINUTE_MS, type Write, type WriteLimit } from "../../safety/write-budget.ts";
import { statement } from "../statement.ts";
import type { Store } from "../store.ts";

/** The longest window of GitHub's limits is an hour. */
const KEPT_MS = 2 * 60 * 60 * 1000;

export interface WriteAsked extends Write {
  readonly installationId: number;
  /** ISO 8601: now. */
  readonly at: string;
}

/**
 * Counts a write that is about to be sent, where the installation's limits and GitHub's own pause leave room for it. Looking and counting
 * are one statement, so that workers that do it at the same time cannot overshoot together.
 * @returns when to ask again (ISO 8601), if it has to wait; then nothing is counted
 */
export async function takeWrite(store: Store, write: WriteAsked): Promise<string | undefined> {
  const { installationId, at, content } = write;
  const pause = sql`(select until from write_pauses where installation_id = ${installationId})`;
  const limits = limitsOf(write).map((limit) => ({ ...limit, oldest: oldestInTheWay(limit, installationId, pause) }));
  const free = limits.map(({ oldest, withinMs }) => sql`coalesce(${oldest}, '') <= ${before(at, withinMs)}`);
  const [taken, standing] = await store.queue.together([
    statement(sql`
      insert into writes (installation_id, at, count, content)
      select ${installationId}, ${at}, 1, ${content ? 1 : 0}
      where coalesce(${pause}, '') <= ${at} and ${sql.join(free, sql` and `)}`),
    statement(sql`select ${sql.join([pause, ...limits.map(({ oldest }) => oldest)], sql`, `)}`),
    statement(sql`delete from writes where installation_id = ${installationId} and at < ${before(at, KEPT_MS)}`),
  ]);
  if (taken!.rowsAffected > 0) return undefined;
  const row = standing!.rows[0]!;
  const ends = limits.map(({ withinMs }, index) => Date.parse(String(row[index + 1])) + withinMs);
  const known = [Date.parse(String(row[0])), ...ends].filter((moment) => !Number.isNaN(moment));
  return new Date(Math.max(...known)).toISOString();
}

/** The write that has to be past the window before another may be sent; what a pause of GitHub's ended is past the minute. */
function oldestInTheWay({ of, withinMs, most }: WriteLimit, installationId: number, pause: SQL): SQL {
  const ofContent = of === "content" ? sql`and content = 1` : sql``;
  const sincePause = withinMs <= MINUTE_MS ? sql`and at >= coalesce(${pause}, '')` : sql``;
  return sql`(
    select at from writes where installation_id = ${installationId} ${ofContent} ${sincePause}
    order by at desc limit 1 offset ${most - 1})`;
}

/** GitHub wants no write of an installation before `until` (ISO 8601), whatever the budget says. A later end that is known stays. */
export async function pauseWrites(store: Store, installationId: number, until: string): Promise<void> {
  await store.queue.together([
    statement(sql`
      insert into write_pauses (installation_id, until) values (${installationId}, ${until})
      on conflict (installation_id) do update set until = max(until, excluded.until)`),
  ]);
}

function before(at: string, milliseconds: number): string {
  return new Date(Date.parse(at) - milliseconds).toISOString();
}
