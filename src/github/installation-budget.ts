import type { Store } from "../store/store.ts";
import { pauseWrites, takeWrite } from "../store/take-write.ts";
import type { AppClient } from "./app-client.ts";
import { type WriteBudget, WriteBudgetSpent } from "./effects/effect-ports.ts";
import { InstallationPaused } from "./installation-pauses.ts";

/**
 * The installation's budget of writes, kept in the database because all workers share it. `checkPause` throws `InstallationPaused` where
 * this process knows that nothing would be sent.
 */
export function createWriteBudget(
  store: Store,
  installationId: number,
  { courtesy, now, checkPause }: { courtesy: boolean; now: () => string; checkPause: AppClient["checkPause"] },
): WriteBudget {
  const after = (milliseconds: number) => new Date(Date.parse(now()) + milliseconds).toISOString();
  return {
    take: async ({ content }) => {
      try {
        checkPause(installationId);
      } catch (error) {
        throw error instanceof InstallationPaused ? new WriteBudgetSpent(after(error.retryAfterMs)) : error;
      }
      const goOn = await takeWrite(store, { installationId, at: now(), content, courtesy });
      if (goOn !== undefined) throw new WriteBudgetSpent(goOn);
    },
    pause: (milliseconds) => pauseWrites(store, installationId, after(milliseconds)),
  };
}
