import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Connection, connectToFile } from "../../src/store/connection.ts";
import { createWriteQueue } from "../../src/store/write-queue.ts";
import { temporaryFolder } from "./databases.ts";

const turns = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe("the write queue", () => {
  const folder = temporaryFolder();
  const connections: Connection[] = [];
  afterEach(() => {
    for (const { client } of connections.splice(0)) client.close();
  });
  const open = async () => {
    const connection = await connectToFile(`file:${join(folder(), "forge.db")}`, "writer");
    connections.push(connection);
    return createWriteQueue(connection);
  };
  const nothing = { sql: "select 1", args: [] };

  describe("a step", () => {
    const synchronous = async (connection: Connection) => {
      const { rows } = await connection.client.execute("PRAGMA synchronous");
      return Number(rows[0]?.[0]);
    };

    it("is not waited for on the disk, and what is written otherwise still is", async () => {
      const connection = await connectToFile(`file:${join(folder(), "forge.db")}`, "writer");
      connections.push(connection);
      const queue = createWriteQueue(connection);
      const setting = { sql: "select * from pragma_synchronous", args: [] };
      const during = async (given: typeof queue.step) => Number((await given([setting]))[0]?.rows[0]?.[0]);
      expect(await during(queue.step)).toBe(1);
      expect(await during(queue.step)).toBe(1);
      expect(await during(queue.alone)).toBe(2);
      await expect(queue.step([{ sql: "insert into nowhere values (1)", args: [] }])).rejects.toThrow();
      expect(await during(queue.together)).toBe(2);
      expect(await during(queue.step)).toBe(1);
      await connection.reopen();
      expect(await synchronous(connection)).toBe(2);
      expect(await during(queue.step)).toBe(1);
    });

    it("that is refused fails alone, also where several share a commit", async () => {
      const queue = await open();
      await queue.alone([{ sql: "create table steps (n integer primary key)", args: [] }]);
      const step = (n: number) => queue.step([{ sql: "insert into steps values (?)", args: [n] }]);
      const answers = await Promise.allSettled([step(1), step(2), step(1), step(3)]);
      expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
      const [rows] = await queue.alone([{ sql: "select count(*) from steps", args: [] }]);
      expect(Number(rows?.rows[0]?.[0])).toBe(3);
    });
  });

  it("lets commits of another connection overlap each other, and no batch come between or beside them", async () => {
    const queue = await open();
    const log: string[] = [];
    const ends: (() => void)[] = [];
    const elsewhere = (name: string) =>
      queue.elsewhere(() => {
        log.push(`${name} begins`);
        return new Promise<string>((resolve) =>
          ends.push(() => {
            log.push(`${name} ends`);
            resolve(name);
          }),
        );
      });
    const batch = (name: string) => queue.alone([nothing]).then(() => log.push(name));
    const all = [elsewhere("a"), elsewhere("b"), batch("batch"), elsewhere("c")];
    await turns();
    expect(log).toEqual(["a begins", "b begins"]);
    ends[0]?.();
    await turns();
    expect(log).toEqual(["a begins", "b begins", "a ends"]);
    ends[1]?.();
    await turns();
    expect(log.slice(3)).toEqual(["b ends", "batch", "c begins"]);
    ends[2]?.();
    expect((await Promise.all(all)).slice(0, 2)).toEqual(["a", "b"]);
  });

  it("goes on after a commit elsewhere failed, and tells its caller", async () => {
    const queue = await open();
    const failing = queue.elsewhere(() => Promise.reject(new Error("no space")));
    const batch = queue.alone([nothing]);
    await expect(failing).rejects.toThrow("no space");
    expect(await batch).toHaveLength(1);
  });

  it("OPS-3: closes when everything is written, elsewhere too, and takes nothing more", async () => {
    const queue = await open();
    let end = () => {};
    const elsewhere = queue.elsewhere(() => new Promise<void>((resolve) => (end = resolve)));
    let closed = false;
    const closing = queue.close().then(() => {
      closed = true;
    });
    await turns();
    expect(closed).toBe(false);
    end();
    await Promise.all([elsewhere, closing]);
    await expect(queue.alone([nothing])).rejects.toMatchObject({ code: "store_closed" });
    await expect(queue.elsewhere(() => Promise.resolve())).rejects.toMatchObject({ code: "store_closed" });
  });
});
