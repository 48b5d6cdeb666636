import { sql } from "drizzle-orm";
import { createIdMaker } from "../../src/domain/ids.ts";
import type { NumberedSubject } from "../../src/domain/subjects.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import type { RepositoryChange } from "../../src/store/runs/repository-facts.ts";
import type { Store } from "../../src/store/store.ts";
import { outcomes } from "../safety/level-record.ts";
import type { World } from "./world.ts";

const makeId = createIdMaker();

/** Adds this many outcomes to the record: fixes that people wrote, and that were reviewed, merged and never reverted. */
export async function earnLevel(world: World, count: number): Promise<void> {
  await earnIn(world.forge!.store, count);
}

/** The same in a store; the repository is that of its newest run. */
export async function earnIn(store: Store, count: number): Promise<void> {
  const [row] = await store.read.all<{ subject: string }>(sql`select subject from runs order by rowid desc limit 1`);
  const known: NumberedSubject = JSON.parse(row!.subject);
  const at = "2026-01-01T00:00:00.000Z";
  const repository = outcomes(count, 0).map((outcome, i): RepositoryChange => {
    return { kind: "came_out", subject: { ...known, number: 1_000 + i }, outcome, at };
  });
  await commitDecision(store, { appends: [], repository, at: new Date().toISOString(), makeId, source: "test" });
}
