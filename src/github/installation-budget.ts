import { nextWriteAt } from "../safety/write-budget.ts";
import { countWrites, recordWrites } from "../store/count-writes.ts";
import type { Store } from "../store/store.ts";
import { type WriteBudget, WriteBudgetSpent } from "./effects/effect-ports.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The installation's budget of writes, counted in the database because all workers share it. */
export function createWriteBudget(store: Store, installationId: number, now: () => string): WriteBudget {
  return {
    acquire: async () => {
      const at = Date.parse(now());
      const since = (milliseconds: number) => new Date(at - milliseconds).toISOString();
      const [minute, hour] = await Promise.all([
        countWrites(store, installationId, since(MINUTE_MS)),
        countWrites(store, installationId, since(HOUR_MS)),
      ]);
      const goOn = nextWriteAt({
        countLastMinute: minute.count,
        ...(minute.oldest ? { oldestInMinute: Date.parse(minute.oldest) } : {}),
        countLastHour: hour.count,
        ...(hour.oldest ? { oldestInHour: Date.parse(hour.oldest) } : {}),
        now: at,
      });
      if (goOn > at) throw new WriteBudgetSpent(new Date(goOn).toISOString());
    },
    record: (writes) => recordWrites(store, { installationId, at: now(), count: writes }),
  };
}
