import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
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

/** One merged pull request on a day of November. */
const on = (day: number, repositoryId: number, first = true) => {
  const at = `2026-11-${String(day).padStart(2, "0")}T12:00:00.000Z`;
  return { repositoryId, event: { ...{ traceId: "run", version: 1, at }, ...merged(first) } as PlacedEvent };
};

it("MET-1: days that are added to again and again in any order come to the same sums", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 3 }), fc.boolean()), {
        maxLength: 60,
      }),
      async (happened) => {
        const days = startMetricDays();
        for (const [day, repositoryId, first] of happened) days.add(on(day, repositoryId, first));
        for (const [from, to, ids] of [
          [1, 6, undefined],
          [2, 4, undefined],
          [1, 6, [2]],
          [3, 3, [1, 3]],
        ] as const) {
          const counted = happened.filter(
            ([day, id]) => day >= from && day <= to && (ids === undefined || ids.some((one) => one === id)),
          );
          const sum = await days.sum(`2026-11-0${from}`, `2026-11-0${to}`, ids);
          const firstPass = sum.of("metric", "first_pass");
          expect(firstPass).toMatchObject({ of: counted.length, sum: counted.filter(([, , first]) => first).length });
        }
      },
    ),
  );
});

it("MET-1: beyond a number of cells the oldest days are forgotten, and it is known since when it counts", async () => {
  const days = startMetricDays(100);
  for (let day = 1; day <= 20; day += 1) for (let id = 1; id <= 10; id += 1) days.add(on(day, id));
  const since = days.since()!;
  expect(since > "2026-11-02" && since < "2026-11-20").toBe(true);
  days.add(on(1, 1));
  expect((await days.sum("2026-11-01", since)).of("metric", "first_pass")).toMatchObject({ of: 10 });
  const left = 21 - Number(since.slice(-2));
  expect((await days.sum("2026-11-01", "2026-11-30")).of("metric", "first_pass")).toMatchObject({ of: 10 * left });
  expect(startMetricDays().since()).toBeUndefined();
});
