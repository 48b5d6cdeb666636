import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import type { NewEvent } from "../../src/domain/events.ts";
import type { Actor } from "../../src/domain/subjects.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { lastPlace, readChangesAfter } from "../../src/store/events/tail.ts";
import { listParked } from "../../src/store/runs/overview.ts";
import { type RunSearch, searchRuns } from "../../src/store/runs/search-runs.ts";
import type { RunProjection } from "../../src/store/runs/upsert-runs.ts";
import type { Store } from "../../src/store/store.ts";
import { onEveryDatabase } from "./databases.ts";
import { at, decision, finding, HEAD, pullRequest, run } from "./fixtures.ts";

const ID = (last: string) => `01M8EY87PTRPYJBC2X3YBFN4R${last}`;

interface Told extends Partial<RunProjection> {
  readonly number: number;
  readonly repository?: number;
  readonly title?: string;
  readonly by?: string;
  readonly findings?: readonly string[];
}

async function tell(store: Store, traceId: string, { number, repository, title, by, findings, ...rest }: Told) {
  const subject = pullRequest(number, 7, repository ?? 100);
  const ends = { headSha: HEAD, baseSha: "b".repeat(40), baseRef: "main", headRef: "topic", headRepositoryId: 100 };
  const actor: Actor = { login: by ?? "ana", id: 1, kind: "user" };
  const request = { id: "d-1", reason: "opened", automatic: true } as const;
  const task = `review pull request #${number}: ${title ?? "Change"}`;
  const payload = { kind: "review", subject, ends, request, task, estimatedCostUsd: 0, debounceMs: 0 } as const;
  const events: NewEvent[] = [{ type: "run.started", payload, actor }];
  await commitDecision(
    store,
    decision({
      appends: [{ traceId, expectedVersion: 0, events }],
      run: [run(traceId, "completed", { subject, ...rest })],
      ledger: (findings ?? []).map((id) => ({
        ...{ subject, headSha: HEAD, finding: finding(id), state: "open" as const },
      })),
    }),
  );
}

onEveryDatabase((open) => {
  it("OPS-2: runs are found by number, title, author, repository, finding and the beginning of their id", async () => {
    const store = await open();
    await tell(store, ID("A"), { number: 1, title: "Add vouchers: 50% off", startedAt: at(1), findings: ["F-7K2Q"] });
    await tell(store, ID("B"), { number: 2, title: "Übung: ŻÓŁĆ", by: "Ben", startedAt: at(2), pullNumber: 31 });
    await tell(store, ID("C"), { number: 1, repository: 200, title: "Add more", startedAt: at(3), status: "failed" });
    const found = async (search: RunSearch, repositoryIds?: readonly number[]) =>
      (await searchRuns(store, { ...search, limit: 10, ...(repositoryIds ? { repositoryIds } : {}) })).map(
        ({ runId }) => runId.at(-1),
      );
    expect(await found({})).toEqual(["C", "B", "A"]);
    expect(await found({ text: "#1" })).toEqual(["C", "A"]);
    expect(await found({ text: "31" })).toEqual(["B"]);
    expect(await found({ text: "f-7k2q" })).toEqual(["A"]);
    expect(await found({ text: "f-7k2q" }, [100])).toEqual(["A"]);
    expect(await found({ text: "f-7k2q" }, [200])).toEqual([]);
    expect(await found({ text: "ADD" })).toEqual(["C", "A"]);
    expect(await found({ text: "50% o" })).toEqual(["A"]);
    expect(await found({ text: "ŻÓŁĆ" })).toEqual(["B"]);
    expect(await found({ text: "ben" })).toEqual(["B"]);
    expect(await found({ text: "acme/sh" })).toEqual(["C", "B", "A"]);
    expect(await found({ text: ID("B").toLowerCase() })).toEqual(["B"]);
    expect(await found({ text: "01M8EY87" })).toEqual(["C", "B", "A"]);
    expect(await found({ text: "' or 1=1 --" })).toEqual([]);
    expect(await found({ status: "failed" })).toEqual(["C"]);
    expect(await found({ kind: "implement" })).toEqual([]);
    expect(await found({ after: { startedAt: at(2), runId: ID("B") } })).toEqual(["A"]);
    // Nobody finds what they may not see.
    expect(await found({ text: "add" }, [100])).toEqual(["A"]);
    expect(await found({}, [])).toEqual([]);
    const [first] = await searchRuns(store, { text: "vouchers", limit: 1 });
    expect(first).toMatchObject({ title: "Add vouchers: 50% off", author: "ana", kind: "review" });
  });

  it("OPS-2: a title as long as a book is read cut", async () => {
    const store = await open();
    await tell(store, ID("A"), { number: 1, title: "x".repeat(1_000_000) });
    const [first] = await searchRuns(store, { limit: 1 });
    expect(first?.title).toHaveLength(200);
  });

  it("OPS-2: a parked run is one that waits at no gate", async () => {
    const store = await open();
    await tell(store, ID("A"), { number: 1, status: "waiting" });
    await tell(store, ID("B"), { number: 2, status: "running" });
    expect((await listParked(store, { limit: 10 })).map(({ runId }) => runId)).toEqual([ID("A")]);
  });

  it("OPS-2: the log tells what came after a place, in the order in which it was stored, with whose it is", async () => {
    const store = await open();
    const before = await lastPlace(store);
    await tell(store, ID("A"), { number: 1 });
    await tell(store, ID("B"), { number: 1, repository: 200 });
    const { changes, place, more } = await readChangesAfter(store, before, 10);
    expect(changes.map(({ traceId, repositoryId }) => [traceId, repositoryId])).toEqual([
      [ID("A"), 100],
      [ID("B"), 200],
    ]);
    expect([place, more]).toEqual([await lastPlace(store), false]);
    const first = await readChangesAfter(store, before, 1);
    expect(first).toMatchObject({ more: true, place: changes[0]?.place });
    expect((await readChangesAfter(store, place, 10)).changes).toEqual([]);
  });

  it("OPS-2: lists of pages begin with an index", async () => {
    const store = await open();
    const plan = async (query: ReturnType<typeof sql>) =>
      (await store.read.all<{ detail: string }>(sql`explain query plan ${query}`))
        .map(({ detail }) => detail)
        .join("\n");
    const failed = sql`select * from runs where status = 'failed' and started_at >= ${at(0)} order by started_at desc limit 20`;
    expect(await plan(failed)).toContain("runs_by_status");
    const atWork = sql`select * from runs where status in ('pending', 'running') order by started_at desc limit 20`;
    expect(await plan(atWork)).toMatch(/USING INDEX (runs_by_status|one_active_run)/);
    expect(await plan(sql`select * from events where rowid > 7 order by rowid limit 5`)).toContain(
      "INTEGER PRIMARY KEY",
    );
    const all = sql`select * from runs where repository_id in (select value from json_each('[1]')) order by started_at desc limit 20`;
    expect(await plan(all)).toMatch(/^SEARCH runs USING INDEX/);
  });
});
