import { join } from "node:path";
import { expect, it } from "vitest";
import { environmentSubject } from "../../../src/domain/deployments.ts";
import { createIdMaker } from "../../../src/domain/ids.ts";
import type { ProductionFeedback } from "../../../src/domain/production-feedback.ts";
import { subjectKey } from "../../../src/domain/subjects.ts";
import { receiveFeedback } from "../../../src/pipeline/deploy/feedback/receive-feedback.ts";
import { verifyRun } from "../../../src/store/events/read-events.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { scratchFolder } from "../../analysis/change-of.ts";

const repository = { id: 7, owner: "ana", name: "shop", installationId: 1 };
const environment = environmentSubject(repository, "production");

function told(index: number): ProductionFeedback {
  const feedback = { is: "error", id: `m${index}`, fingerprint: `f${index}`, type: "Error", message: "no" } as const;
  return { ...feedback, frames: [], resolved: false };
}

/** A store that counts what it is asked: reads, the rows that they bring, transactions and their statements. */
function counting(store: Store) {
  const cost = { reads: 0, rows: 0, transactions: 0, statements: 0 };
  const client = (store.read as unknown as { session: { client: Client } }).session.client;
  const execute = client.execute.bind(client);
  client.execute = async (asked) => {
    const answer = await execute(asked);
    cost.reads += 1;
    cost.rows += answer.rows.length;
    return answer;
  };
  const write: Store["queue"]["alone"] = (statements) => {
    cost.transactions += 1;
    cost.statements += statements.length;
    return store.queue.alone(statements);
  };
  return { store: { ...store, queue: { ...store.queue, alone: write, together: write } } as Store, cost };
}

interface Client {
  execute(asked: unknown): Promise<{ readonly rows: readonly unknown[] }>;
}

it("PROD-3: a message costs the same after 300 others as after ten, and a batch is one transaction", async () => {
  const { store, cost } = counting(await openStore({ url: `file:${join(await scratchFolder(), "forge.db")}` }));
  const at = "2026-11-23T10:00:00.000Z";
  const makeId = createIdMaker();
  const dependencies = { store, makeId, now: () => at, suspect: async () => undefined };
  const costOf = async (from: number, many = 1) => {
    Object.assign(cost, { reads: 0, rows: 0, transactions: 0, statements: 0 });
    const messages = Array.from({ length: many }, (_, index) => told(from + index));
    await receiveFeedback(dependencies, repository, "production", messages);
    return { ...cost };
  };
  await costOf(0, 25);
  await costOf(30);
  const early = await costOf(31);
  expect(await costOf(40, 260)).toMatchObject({ transactions: 1 });
  await costOf(2_999);
  expect(await costOf(3_000)).toEqual(early);
  expect(early).toMatchObject({ transactions: 1 });
  expect(await verifyRun(store, subjectKey(environment))).toEqual({});
});
