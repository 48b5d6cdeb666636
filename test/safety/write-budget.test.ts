import { describe, expect, it } from "vitest";
import { nextWriteAt, WRITES_PER_HOUR, WRITES_PER_MINUTE } from "../../src/safety/write-budget.ts";

const now = 10_000_000;

describe("the write budget of an installation", () => {
  it("lets a write go at once below both limits", () => {
    expect(nextWriteAt({ countLastMinute: 0, countLastHour: 0, now })).toBe(now);
    expect(nextWriteAt({ countLastMinute: 59, oldestInMinute: now - 50_000, countLastHour: 449, now })).toBe(now);
  });

  it("waits until the oldest write of the minute is a minute old", () => {
    const recent = { countLastMinute: WRITES_PER_MINUTE, oldestInMinute: now - 50_000, countLastHour: 60, now };
    expect(nextWriteAt(recent)).toBe(now + 10_000);
  });

  it("waits for the hour when that is longer", () => {
    const hour = { countLastHour: WRITES_PER_HOUR, oldestInHour: now - 3_000_000 };
    expect(nextWriteAt({ countLastMinute: 60, oldestInMinute: now - 50_000, ...hour, now })).toBe(now + 600_000);
  });

  it("never names a moment that has passed", () => {
    expect(nextWriteAt({ countLastMinute: 70, oldestInMinute: now - 90_000, countLastHour: 70, now })).toBe(now);
  });

  it("stays under GitHub's 80 a minute and 500 an hour", () => {
    expect(WRITES_PER_MINUTE).toBeLessThan(80);
    expect(WRITES_PER_HOUR).toBeLessThan(500);
  });
});
