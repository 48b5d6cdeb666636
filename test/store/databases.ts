import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { closeStore, type OpenOptions, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { describeOnServer } from "../needs/programs.ts";
import { libsqlServer, startLibsqlServer } from "./libsql-server.ts";

export type Open = (options?: Partial<OpenOptions>) => Promise<Store>;

/** A new folder that is removed after the tests of the file. */
export function temporaryFolder(): () => string {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), "forge-store-"));
    folders.push(folder);
    return folder;
  };
}

/** The tests of a promise that must hold on a file and on a server alike. Every test gets an empty database. */
export function onEveryDatabase(tests: (open: Open) => void): void {
  describe("on a file", () => {
    const folder = temporaryFolder();
    const stores: Store[] = [];
    afterEach(async () => {
      for (const store of stores.splice(0)) await closeStore(store);
    });
    tests(async (options) => {
      const store = await openStore({ url: `file:${join(folder(), "forge.db")}`, ...options });
      stores.push(store);
      return store;
    });
  });
  onServer(tests);
}

function onServer(tests: (open: Open) => void): void {
  const binary = libsqlServer;
  if (!binary) {
    describeOnServer("on a libSQL server", () => tests(() => Promise.reject(new Error("no server"))));
    return;
  }
  for (const scheme of ["http", "ws"]) {
    describe(`on a libSQL server over ${scheme}`, () => {
      const folder = temporaryFolder();
      const stores: Store[] = [];
      let server: { port: number; process: ChildProcess };
      beforeAll(async () => {
        server = await startLibsqlServer(binary, folder());
      });
      afterEach(async () => {
        for (const store of stores.splice(0)) await closeStore(store);
      });
      afterAll(() => {
        server.process.kill("SIGKILL");
      });
      tests(async (options) => {
        const url = `${scheme}://127.0.0.1:${server.port}`;
        const store = await openStore({ url, ...options });
        if (stores.length === 0) await empty(url);
        stores.push(store);
        return store;
      });
    });
  }
}

/** The server keeps one database for all tests of a file. */
async function empty(url: string): Promise<void> {
  const client = createClient({ url });
  const tables = await client.execute(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_\\_%' escape '\\' and name not like 'libsql_%' and name not like 'memory\\_words%' escape '\\'",
  );
  await client.batch(
    tables.rows.map(({ name }) => `delete from "${name}"`),
    "write",
  );
  client.close();
}
