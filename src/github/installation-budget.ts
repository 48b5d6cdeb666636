import type { Effect } from "../domain/effects.ts";
import type { Store } from "../store/store.ts";
import { pauseWrites, takeWrite } from "../store/take-write.ts";
import type { AppClient } from "./app-client.ts";
import { type WriteBudget, WriteBudgetSpent } from "./effects/effect-ports.ts";
import { InstallationPaused } from "./installation-pauses.ts";

/** Whether it only says that Forge is there and how far it is. Where the budget is short, what people wait for goes first. */
export function isCourtesy(effect: Effect): boolean {
  switch (effect.kind) {
    case "comment.react":
    case "check.start":
    case "pull.describe":
      return true;
    case "issue.status": {
      const { ending, gates, step } = effect.payload.status;
      return ending === undefined && gates.length === 0 && step.is !== "ready";
    }
    default:
      return false;
  }
}

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
