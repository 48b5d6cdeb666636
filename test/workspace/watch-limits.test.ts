import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { SANDBOX_LIMITS } from "../../src/workspace/sandbox/sandbox.ts";
import { watchLimits } from "../../src/workspace/sandbox/watch-limits.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("OPS: a folder that goes away under a run ends neither the watch nor the process", () => {
  vi.useFakeTimers();
  const folder = mkdtempSync(join(tmpdir(), "forge-watched-"));
  const hits: string[] = [];
  const limits = { memoryBytes: 2 ** 40, temporaryBytes: 0, maxProcesses: 100, maxDiskBytes: 2 ** 40 };
  const end = watchLimits({ ...limits, firstPid: () => undefined, group: undefined, folder }, (hit) => hits.push(hit));
  vi.advanceTimersByTime(2 * SANDBOX_LIMITS.watchIntervalMs);
  rmSync(folder, { recursive: true });
  vi.advanceTimersByTime(2 * SANDBOX_LIMITS.watchIntervalMs);
  expect(vi.getTimerCount()).toBe(1);
  end();
  expect({ hits, timers: vi.getTimerCount() }).toEqual({ hits: [], timers: 0 });
});
