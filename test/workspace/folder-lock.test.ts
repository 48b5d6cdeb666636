import { describe, expect, it } from "vitest";
import { createFolderLock } from "../../src/workspace/folder-lock.ts";

function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { until: () => promise, release: resolve };
}

describe("the lock of a folder", () => {
  it("lets readers in together and a program alone", async () => {
    const lock = createFolderLock();
    const log: string[] = [];
    const first = held();
    const second = held();
    const readers = [first, second].map((each, at) =>
      lock.shared(undefined, async () => {
        log.push(`reader ${at}`);
        await each.until();
      }),
    );
    const program = lock.exclusive(undefined, async () => log.push("program"));
    const late = lock.shared(undefined, async () => log.push("late reader"));
    await Promise.resolve();
    first.release();
    await readers[0];
    expect(log).toEqual(["reader 0", "reader 1"]);
    second.release();
    await Promise.all([program, late]);
    expect(log).toEqual(["reader 0", "reader 1", "program", "late reader"]);
  });

  it("tells whether anybody has had the folder to change it, and is never sure again after one that failed", async () => {
    const lock = createFolderLock();
    const seen: number[] = [];
    await lock.shared(undefined, async () => seen.push(lock.version));
    await lock.alone(undefined, async () => seen.push(lock.version));
    await lock.exclusive(undefined, async () => "done");
    seen.push(lock.version, lock.version);
    await lock.exclusive(undefined, async () => Promise.reject(new Error("broke"))).catch(() => undefined);
    seen.push(lock.version, lock.version);
    expect(seen[1]).toBe(seen[0]);
    expect(seen[3]).toBe(seen[2]);
    expect(new Set(seen).size).toBe(4);
  });

  it("is free again after a failure", async () => {
    const lock = createFolderLock();
    await expect(lock.exclusive(undefined, () => Promise.reject(new Error("broke")))).rejects.toThrow("broke");
    expect(await lock.shared(undefined, async () => "in")).toBe("in");
  });

  it("lets somebody leave the queue, and the ones behind pass", async () => {
    const lock = createFolderLock();
    const reading = held();
    const reader = lock.shared(undefined, reading.until);
    const stop = new AbortController();
    const impatient = lock.exclusive(stop.signal, async () => "never");
    const behind = lock.shared(undefined, async () => "passed");
    stop.abort(new Error("enough"));
    await expect(impatient).rejects.toThrow("enough");
    expect(await behind).toBe("passed");
    reading.release();
    await reader;
    await expect(lock.shared(AbortSignal.abort(new Error("late")), async () => "never")).rejects.toThrow("late");
  });
});
