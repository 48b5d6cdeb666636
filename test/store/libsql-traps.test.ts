import { join } from "node:path";
import { type Client, createClient, type ResultSet } from "@libsql/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { connectToFile } from "../../src/store/connection.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { readDelivery } from "../../src/store/inbox/read-delivery.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import { createWriteQueue } from "../../src/store/write-queue.ts";
import { temporaryFolder } from "./databases.ts";
import { at, decision, happened } from "./fixtures.ts";

/** What @libsql/client 0.18 does to those who rely on it (DESIGN section 4, "Store"), and that Forge does not. */
describe("on a file of @libsql/client", () => {
  const folder = temporaryFolder();
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const other = (url: string): Client => {
    const client = createClient({ url, timeout: 0 });
    closing.push(() => client.close());
    return client;
  };
  const open = async () => {
    const url = `file:${join(folder(), "forge.db")}`;
    const store = await openStore({ url });
    closing.push(() => closeStore(store));
    return { url, store };
  };
  const setting = async (client: Client, pragma: string) => (await client.execute(`PRAGMA ${pragma}`)).rows[0]?.[0];

  it("synchronous=FULL and WAL are in force on the connection that writes, also after it was opened anew", async () => {
    const connection = await connectToFile(`file:${join(folder(), "forge.db")}`, "writer");
    closing.push(() => connection.client.close());
    const settings = () =>
      Promise.all(["journal_mode", "synchronous", "busy_timeout"].map((name) => setting(connection.client, name)));
    expect(await settings()).toEqual(["wal", 2, 5000]);
    // Statements at the same time would spread over a pool, of which a PRAGMA reached one connection.
    await connection.client.execute("PRAGMA synchronous = OFF");
    const pool = await Promise.all(Array.from({ length: 5 }, () => setting(connection.client, "synchronous")));
    expect(pool).toEqual([0, 0, 0, 0, 0]);
    await connection.reopen();
    expect(await settings()).toEqual(["wal", 2, 5000]);
  });

  it("sets a connection that was opened anew, whatever its build would have by default", async () => {
    const connection = await connectToFile(`file:${join(folder(), "forge.db")}`, "reader");
    closing.push(() => connection.client.close());
    await connection.reopen();
    // The default of query_only is off: seeing it on shows that the settings were made again.
    expect(await setting(connection.client, "query_only")).toBe(1);
  });

  it("after SQLITE_BUSY the next write commits", async () => {
    const { url, store } = await open();
    const blocker = await other(url).transaction("write");
    // Too long a wait for a test: the same store with a connection that does not wait.
    const client = other(url);
    const reopened: number[] = [];
    const queue = createWriteQueue({
      client,
      reopen: async () => {
        reopened.push(1);
        await client.reconnect();
        if (reopened.length === 3) await blocker.rollback();
      },
      committing: (_, work) => work(),
    });
    const insert = {
      sql: "insert into deliveries (guid, event, received_at, state, body) values ('g', 'push', '', 'received', x'3b')",
      args: [],
    };
    await expect(queue.alone([insert])).rejects.toMatchObject({ code: "database_busy", recoverability: "auto" });
    expect(reopened).toHaveLength(2);
    await queue.alone([insert]);
    expect(reopened).toHaveLength(3);
    expect(await readDelivery(store, "g")).toBeDefined();
    await queue.close();
  });

  it("writes that come while others wait are not held up by each other: 300 mixed ones at once all succeed", async () => {
    const { url, store } = await open();
    // An interactive transaction that another write meets stands still for the whole busy timeout of five seconds, and all of Forge with it.
    const begun = vi.spyOn(Object.getPrototypeOf(other(url)) as Client, "transaction");
    await Promise.all(
      Array.from({ length: 150 }, (_, index) => [
        acceptDelivery(store, { guid: `d-${index}`, event: "push", receivedAt: at(0), body: Buffer.from("{}") }),
        commitDecision(
          store,
          decision({ appends: [{ traceId: `run-${index}`, expectedVersion: 0, events: [happened()] }] }),
        ),
      ]).flat(),
    );
    expect(begun).not.toHaveBeenCalled();
    begun.mockRestore();
    expect(await readEvents(store, "run-149")).toHaveLength(1);
  });

  it("a decision that fails does not fail those that wait with it", async () => {
    const { store } = await open();
    await commitDecision(store, decision());
    const doomed = decision({ appends: [{ traceId: "run-1", expectedVersion: 1, events: [happened()] }] });
    const answers = await Promise.allSettled([
      commitDecision(store, doomed),
      commitDecision(store, doomed),
      commitDecision(store, decision({ appends: [{ traceId: "run-2", expectedVersion: 0, events: [happened()] }] })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("small writes that wait together share one commit, and a bug in one of them is its own", async () => {
    const { store } = await open();
    const connection = await connectToFile(store.url, "writer");
    closing.push(() => connection.client.close());
    const commits: number[] = [];
    const batch = connection.client.batch.bind(connection.client);
    connection.client.batch = ((statements: [], mode: "write"): Promise<ResultSet[]> => {
      commits.push(statements.length);
      return batch(statements, mode);
    }) as Client["batch"];
    const queue = createWriteQueue(connection);
    const insert = (id: number) => ({
      sql: "insert into writes (installation_id, at, count) values (?, '', 1)",
      args: [id],
    });
    await Promise.all([1, 2, 3].map((id) => queue.together([insert(id), insert(id)])));
    expect(commits).toEqual([6]);
    const bug = { sql: "insert into nowhere values (1)", args: [] };
    const answers = await Promise.allSettled([
      queue.together([insert(4)]),
      queue.together([bug]),
      queue.together([insert(5)]),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const rows = await connection.client.execute("select count(*) from writes where installation_id > 3");
    expect(rows.rows[0]?.[0]).toBe(2);
    await queue.close();
  });

  it("refuses a database in memory, which behaves differently and forgets", async () => {
    await expect(openStore({ url: ":memory:" })).rejects.toMatchObject({ code: "database_url_unsupported" });
    await expect(openStore({ url: "file::memory:" })).rejects.toMatchObject({ code: "database_url_unsupported" });
  });
});
