import { pauseWrites, takeWrite } from "../store/effects/take-write.ts";
import type { Store } from "../store/store.ts";
import { type WriteBudget, WriteBudgetSpent } from "./effects/effect-ports.ts";

/**
 * The installation's budget of writes, kept in the database because all workers share it. `checkPause` throws `InstallationPaused` where
 * this process knows that nothing would be sent.
 */
export function createWriteBudget(
  store: Store,
  installationId: number,
  { courtesy, now, checkPause }: { courtesy: boolean; now: () => string; checkPause: InstallationPauses["check"] },
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

/** GitHub wants no more requests of an installation for a while; none was sent. */
export class InstallationPaused extends Error {
  override readonly name = "InstallationPaused";
  /** Milliseconds until it may go on. */
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super(`GitHub's rate limit for this installation is used up for another ${Math.ceil(retryAfterMs / 1000)} s.`);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Which installations have to wait, by id. Each process learns it by itself, at the cost of one refused request. */
export interface InstallationPauses {
  /** @throws InstallationPaused */
  check(installationId: number): void;
  /** A longer pause that is known already stays. */
  pause(installationId: number, milliseconds: number): void;
}

/** GitHub counts an installation's requests together: when one job of it is told to wait, all of its jobs are, and no others. */
export function createInstallationPauses(now: () => string): InstallationPauses {
  const until = new Map<number, number>();
  return {
    check: (installationId) => {
      const wait = (until.get(installationId) ?? 0) - Date.parse(now());
      if (wait > 0) throw new InstallationPaused(wait);
      until.delete(installationId);
    },
    pause: (installationId, milliseconds) => {
      const end = Date.parse(now()) + milliseconds;
      until.set(installationId, Math.max(end, until.get(installationId) ?? 0));
    },
  };
}
