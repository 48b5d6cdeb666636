import type { Effect } from "../domain/effects.ts";
import type { Store } from "../store/store.ts";
import { pauseWrites, takeWrite } from "../store/take-write.ts";
import { type WriteBudget, WriteBudgetSpent } from "./effects/effect-ports.ts";

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

/** The installation's budget of writes, kept in the database because all workers share it. */
export function createWriteBudget(
  store: Store,
  installationId: number,
  { courtesy, now }: { readonly courtesy: boolean; readonly now: () => string },
): WriteBudget {
  return {
    take: async ({ content }) => {
      const goOn = await takeWrite(store, { installationId, at: now(), content, courtesy });
      if (goOn !== undefined) throw new WriteBudgetSpent(goOn);
    },
    pause: (milliseconds) =>
      pauseWrites(store, installationId, new Date(Date.parse(now()) + milliseconds).toISOString()),
  };
}
