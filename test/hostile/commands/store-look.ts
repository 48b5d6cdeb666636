import { sql } from "drizzle-orm";
import type { World } from "../../e2e/world.ts";

export interface SeenEvent {
  readonly type: string;
  /** Of the comment that a command stood in: `issue_comment:17`. */
  readonly source: string | undefined;
  readonly reason: string | undefined;
  readonly has: string | undefined;
}

/** How far the log goes now. */
export async function markLog({ forge }: World): Promise<number> {
  const [row] = await forge!.store.read.all<{ last: number | null }>(sql`select max(rowid) as last from events`);
  return row?.last ?? 0;
}

export async function eventsSince({ forge }: World, mark: number): Promise<SeenEvent[]> {
  const rows = await forge!.store.read.all<{ type: string; payload: string }>(
    // What is learned of earlier runs is written when there is time for it.
    sql`select type, payload from events where rowid > ${mark} and type <> 'run.reflected' order by rowid`,
  );
  return rows.map(({ type, payload }) => {
    const { source, refusal } = JSON.parse(payload);
    return {
      type,
      source: source && `${source.kind}:${source.id}`,
      reason: refusal?.reason,
      has: refusal?.has,
    };
  });
}

/** All that a command could change, on both sides: what is decided, and what people see on GitHub. */
export async function lookOf({ forge, github }: World, numbers: readonly number[]) {
  const { read } = forge!.store;
  const kinds = sql`select kind, count(*) as times from effects where kind not in ('comment.react', 'comment.reply') group by kind`;
  return {
    findings: await read.all(sql`select finding_id, state, dismissal from findings order by finding_id`),
    dismissals: await read.all(sql`select * from dismissals`),
    pauses: await read.all(sql`select * from pauses`),
    runs: await read.all(sql`select trace_id, status from runs order by trace_id`),
    jobs: await read.all(sql`select kind, count(*) as times from jobs group by kind`),
    effects: await read.all(kinds),
    pulls: numbers.map((number) => {
      const { allCheckRuns, headSha, state } = github.pullRequest("acme/shop", number);
      return { checks: allCheckRuns.map(({ conclusion, title }) => [conclusion, title]), headSha, state };
    }),
  };
}
