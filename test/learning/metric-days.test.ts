import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import type { PlacedEvent } from "../../src/domain/events.ts";
import { startMetricDays } from "../../src/learning/metric-days.ts";
import { merged } from "./history.ts";

it("MET-1: lets others have their turn while the days of many repositories are added up", async () => {
  const days = startMetricDays();
  const repositories = Array.from({ length: 1_000 }, (_, index) => index + 1);
  const dates = Array.from({ length: 15 }, (_, index) => `2026-11-${index + 10}`);
  for (const date of dates)
    for (const repositoryId of repositories) {
      const at = `${date}T12:00:00.000Z`;
      const of = { traceId: `run-${repositoryId}`, version: 1, at } as const;
      days.add({ repositoryId, event: { ...of, ...merged(true) } as PlacedEvent });
    }
  const done: string[] = [];
  const other = setImmediate().then(() => done.push("another's turn"));
  const all = await days.sum("2026-11-10", "2026-11-24");
  done.push("the sum");
  await other;
  expect(done).toEqual(["another's turn", "the sum"]);
  expect(all.of("metric", "first_pass")).toEqual({ sum: 15_000, of: 15_000, other: 0 });
  expect((await days.sum("2026-11-10", "2026-11-10", [1, 2])).of("metric", "first_pass").of).toBe(2);
});
