import { describe, expect, it } from "vitest";
import { limitsOf, type Write } from "../../src/safety/write-budget.ts";
import { pauseWrites, takeWrite } from "../../src/store/effects/take-write.ts";
import type { Store } from "../../src/store/store.ts";
import fc from "../properties.ts";
import { onEveryDatabase } from "./databases.ts";

const BEGIN = Date.parse("2026-11-20T10:00:00.000Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const iso = (moment: number) => new Date(moment).toISOString();
const VERDICT = { content: true, courtesy: false };
const COURTESY = { content: true, courtesy: true };
const CHECK = { content: false, courtesy: false };

/** Many workers ask in the same moment; how many were let, and when the others may ask again. */
async function ask(store: Store, times: number, write: Write, moment: number, installationId = 7) {
  const asked = { ...write, installationId, at: iso(moment) };
  const answers = await Promise.all(Array.from({ length: times }, () => takeWrite(store, asked)));
  const waits = answers.filter((answer) => answer !== undefined).map((answer) => Date.parse(answer) - moment);
  return { taken: answers.length - waits.length, waits: [...new Set(waits)] };
}

describe("writes of an installation, over all workers", () => {
  onEveryDatabase((open) => {
    it("lets workers that ask at the same moment have what is left, and no more", async () => {
      const store = await open();
      await ask(store, 30, VERDICT, BEGIN);
      expect(await ask(store, 90, VERDICT, BEGIN + 20_000)).toEqual({ taken: 50, waits: [40_000] });
      expect(await ask(store, 90, VERDICT, BEGIN + 20_000, 8)).toMatchObject({ taken: 80 });
    });

    it("names the moment at which enough has passed, not just the oldest", async () => {
      const store = await open();
      await ask(store, 40, VERDICT, BEGIN);
      await ask(store, 40, VERDICT, BEGIN + 10_000);
      // Of 60 for courtesies 80 are gone: 21 have to pass, of which 40 do at the first moment.
      expect(await ask(store, 1, COURTESY, BEGIN + 30_000)).toEqual({ taken: 0, waits: [30_000] });
      expect(await ask(store, 30, VERDICT, BEGIN + MINUTE)).toMatchObject({ taken: 30 });
      expect(await ask(store, 1, COURTESY, BEGIN + MINUTE)).toEqual({ taken: 0, waits: [10_000] });
    });

    it("keeps a part for what people wait for", async () => {
      const store = await open();
      expect(await ask(store, 90, COURTESY, BEGIN)).toMatchObject({ taken: 60 });
      expect(await ask(store, 90, VERDICT, BEGIN)).toMatchObject({ taken: 20 });
    });

    it("counts check-runs to the points, not to the content", async () => {
      const store = await open();
      expect(await ask(store, 120, CHECK, BEGIN)).toMatchObject({ taken: 120 });
      expect(await ask(store, 90, VERDICT, BEGIN)).toEqual({ taken: 60, waits: [MINUTE] });
    });

    it("holds content to 500 an hour", async () => {
      const store = await open();
      for (let minute = 0; minute < 6; minute += 1) await ask(store, 80, VERDICT, BEGIN + minute * MINUTE);
      expect(await ask(store, 80, VERDICT, BEGIN + 10 * MINUTE)).toEqual({ taken: 20, waits: [50 * MINUTE] });
      expect(await ask(store, 1, CHECK, BEGIN + 10 * MINUTE)).toMatchObject({ taken: 1 });
      expect(await ask(store, 200, VERDICT, BEGIN + HOUR)).toMatchObject({ taken: 80 });
    });

    it("believes GitHub before its own count, for a longer and for a shorter wait", async () => {
      const store = await open();
      await ask(store, 80, VERDICT, BEGIN);
      await pauseWrites(store, 7, iso(BEGIN + 5_000));
      expect(await ask(store, 1, VERDICT, BEGIN + 4_999)).toMatchObject({ taken: 0 });
      expect(await ask(store, 90, VERDICT, BEGIN + 5_000)).toMatchObject({ taken: 80 });
      await pauseWrites(store, 7, iso(BEGIN + HOUR));
      await pauseWrites(store, 7, iso(BEGIN + 10_000));
      expect(await ask(store, 1, CHECK, BEGIN + 10 * MINUTE)).toEqual({ taken: 0, waits: [50 * MINUTE] });
      expect(await ask(store, 1, CHECK, BEGIN + 10 * MINUTE, 8)).toMatchObject({ taken: 1 });
    });
  });

  describe("whatever is asked", () => {
    onEveryDatabase((open) => {
      it("no window holds more than its limit, and who waits as told is let", async () => {
        const step = fc.record({
          times: fc.integer({ min: 1, max: 70 }),
          write: fc.constantFrom<Write>(VERDICT, VERDICT, COURTESY, CHECK),
          // Crowded, and now and then a quiet while.
          later: fc.oneof(fc.integer({ min: 0, max: 15_000 }), fc.integer({ min: 0, max: 20 * MINUTE })),
        });
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
            const store = await open();
            const sent: (Write & { moment: number })[] = [];
            let moment = BEGIN;
            for (const { times, write, later } of steps) {
              moment += later;
              const { taken, waits } = await ask(store, times, write, moment);
              sent.push(...Array.from({ length: taken }, () => ({ ...write, moment })));
              for (const { of, withinMs, most } of limitsOf(write)) {
                const inWindow = sent.filter((one) => one.moment > moment - withinMs && (of === "any" || one.content));
                if (taken > 0) expect(inWindow.length).toBeLessThanOrEqual(most);
              }
              const [wait] = waits;
              if (wait === undefined) continue;
              expect(await ask(store, 1, write, moment + wait - 1)).toMatchObject({ taken: 0 });
              moment += wait;
              expect(await ask(store, 1, write, moment)).toMatchObject({ taken: 1 });
              sent.push({ ...write, moment });
            }
          }),
          { numRuns: 6 },
        );
      });
    });
  });
});
