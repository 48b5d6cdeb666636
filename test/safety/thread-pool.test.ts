import { describe, expect, it } from "vitest";
import { openThreadPool } from "../../src/safety/thread-pool.ts";
import type { Asked } from "./pooled-thread.ts";

const CODE = new URL("./pooled-thread", import.meta.url);
const LIMITS = { most: 2, timeMs: 60_000, memoryMib: 64 };

describe("threads that answer questions", () => {
  it("OPS-8: a question that takes long holds up no other, and its thread goes on once it is answered", async () => {
    const ask = openThreadPool<Asked, number>(CODE, LIMITS);
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const slow = ask({ is: "wait", flag });
    const others = await Promise.all([1, 2, 3, 4].map(() => ask({ is: "name" })));
    expect(new Set(others).size).toBe(1);
    flag[0] = 1;
    Atomics.notify(flag, 0);
    expect(others).not.toContain(await slow);
  });

  it("OPS-8: a thread that fails ends alone, and what waits goes to a new one", async () => {
    const ask = openThreadPool<Asked, number>(CODE, { ...LIMITS, most: 1 });
    const first = await ask({ is: "name" });
    const [failed, ...after] = await Promise.all([ask({ is: "fail" }), ask({ is: "name" }), ask({ is: "name" })]);
    expect(failed).toBeUndefined();
    expect(after).not.toContain(first);
    expect(new Set(after).size).toBe(1);
  });

  it("OPS-8: a question whose time is over has no answer, and its thread ends", async () => {
    const ask = openThreadPool<Asked, number>(CODE, { ...LIMITS, most: 1, timeMs: 1 });
    const flag = new Int32Array(new SharedArrayBuffer(4));
    expect(await Promise.all([ask({ is: "wait", flag }), ask({ is: "wait", flag })])).toEqual([undefined, undefined]);
  });
});
