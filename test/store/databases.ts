import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeStore, type OpenOptions, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";

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

const binary = process.env.FORGE_TEST_SQLD ?? onPath("sqld");

function onServer(tests: (open: Open) => void): void {
  if (!binary) {
    if (process.env.CI) {
      it("finds a libSQL server in CI", () => expect.fail("FORGE_TEST_SQLD names no sqld"));
    } else {
      console.warn("SKIPPED: no libSQL server. Name one in FORGE_TEST_SQLD to run these tests on it too.");
      describe.skip("on a libSQL server", () => tests(() => Promise.reject(new Error("no server"))));
    }
    return;
  }
  for (const scheme of ["http", "ws"]) {
    describe(`on a libSQL server over ${scheme}`, () => {
      const folder = temporaryFolder();
      const stores: Store[] = [];
      let server: { port: number; process: ChildProcess };
      beforeAll(async () => {
        server = await startServer(folder());
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

async function startServer(folder: string): Promise<{ port: number; process: ChildProcess }> {
  const port = await freePort();
  const args = ["--db-path", join(folder, "server"), "--http-listen-addr", `127.0.0.1:${port}`, "--no-welcome"];
  const child = spawn(binary!, args, { stdio: "ignore" });
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return { port, process: child };
    if (child.exitCode !== null) throw new Error(`sqld ended with ${child.exitCode}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function onPath(program: string): string | undefined {
  const found = spawnSync("which", [program], { encoding: "utf8" }).stdout?.trim();
  return found && existsSync(found) ? found : undefined;
}
