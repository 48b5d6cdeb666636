import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fetchCommits } from "../../src/workspace/fetch-commits.ts";
import { acquireFileLock } from "../../src/workspace/file-lock.ts";
import { pruneMirrors } from "../../src/workspace/prune-mirrors.ts";
import { expectOk, startFixture } from "./fixture.ts";

async function lockPath() {
  const folder = await mkdtemp(join(tmpdir(), "forge-lock-"));
  return { path: join(folder, "lock"), [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

async function endedProcess(): Promise<number> {
  const child = spawn("true");
  await new Promise((resolve) => child.once("exit", resolve));
  return child.pid ?? 0;
}

describe("a lock that processes share", () => {
  it("is held by one at a time and given on when released", async () => {
    await using lock = await lockPath();
    const release = await acquireFileLock(lock.path, { waitMs: 0 });
    expect(await acquireFileLock(lock.path, { waitMs: 0 })).toBeUndefined();
    const next = acquireFileLock(lock.path, { waitMs: 5_000 });
    await release?.();
    await (await next)?.();
    expect(existsSync(lock.path)).toBe(false);
  });

  it("never lets two in, whoever comes when the owner has died", async () => {
    await using lock = await lockPath();
    await writeFile(lock.path, `${hostname()}\n${await endedProcess()}\nx\n`);
    let inside = 0;
    let most = 0;
    const enter = async () => {
      const release = await acquireFileLock(lock.path, { waitMs: 20_000 });
      inside += 1;
      most = Math.max(most, inside);
      await new Promise(setImmediate);
      inside -= 1;
      await release?.();
      return release !== undefined;
    };
    expect(await Promise.all(Array.from({ length: 8 }, enter))).toEqual(Array.from({ length: 8 }, () => true));
    expect(most).toBe(1);
  });

  it("is taken from another machine only after it was left alone for long", async () => {
    await using lock = await lockPath();
    await writeFile(lock.path, "elsewhere.example\n1\nx\n");
    expect(await acquireFileLock(lock.path, { waitMs: 0 })).toBeUndefined();
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(lock.path, longAgo, longAgo);
    const release = await acquireFileLock(lock.path, { waitMs: 0 });
    expect(await readFile(lock.path, "utf8")).toContain(hostname());
    await release?.();
  });

  it("PIPE-7: is taken at once from a dead process that had the same number, as in a container that was restarted", async () => {
    await using lock = await lockPath();
    await writeFile(lock.path, `${hostname()}\n${process.pid}\nx\n`);
    const release = await acquireFileLock(lock.path, { waitMs: 0 });
    expect(release).toBeDefined();
    await release?.();
    expect(existsSync(lock.path)).toBe(false);
  });

  it("PIPE-7: is taken soon when its owner died before it could write its name", async () => {
    await using lock = await lockPath();
    await writeFile(lock.path, "");
    expect(await acquireFileLock(lock.path, { waitMs: 0 })).toBeUndefined();
    const before = new Date(Date.now() - 3_000);
    await utimes(lock.path, before, before);
    await (await acquireFileLock(lock.path, { waitMs: 0 }))?.();
    expect(existsSync(lock.path)).toBe(false);
  });

  it("stops waiting when the signal is aborted", async () => {
    await using lock = await lockPath();
    const release = await acquireFileLock(lock.path, { waitMs: 0 });
    const controller = new AbortController();
    const waiting = acquireFileLock(lock.path, { waitMs: 60_000, signal: controller.signal });
    controller.abort();
    expect(await waiting).toBeUndefined();
    await release?.();
  });
});

describe("the disk quota of mirrors", () => {
  it("DATA-2: removes the least recently used ones, but none that is in use", async () => {
    await using fixture = await startFixture();
    const base = fixture.origin.commit({ branch: "main", files: [{ path: "a", content: "a\n" }] });
    const mirrors = [fixture.mirror(), fixture.mirror(), fixture.mirror()] as const;
    for (const [at, mirror] of mirrors.entries()) {
      expectOk(await fetchCommits(mirror, { shas: [base] }));
      const usedAt = new Date(Date.UTC(2026, 0, 3 - at));
      await utimes(mirror.places.used, usedAt, usedAt);
    }
    const root = join(fixture.folder, "mirrors");
    const all = await pruneMirrors(root, 1_000_000);
    expect(all.removed).toEqual([]);
    const release = await acquireFileLock(mirrors[2].places.lock, { waitMs: 0 });
    const some = await pruneMirrors(root, Math.ceil(all.bytes * 0.7));
    await release?.();
    expect(some.removed).toEqual(["2"]);
    expect(mirrors.map((mirror) => existsSync(mirror.places.directory))).toEqual([true, false, true]);
    expect((await pruneMirrors(root, 0)).removed).toEqual(["3", "1"]);
    expect(await pruneMirrors(join(root, "none"), 0)).toEqual({ removed: [], bytes: 0 });
    expectOk(await fetchCommits(mirrors[0], { shas: [base] }));
  });
});
