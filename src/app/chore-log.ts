import { classifyFailure, GitHubCallFailed } from "../github/classify-failure.ts";

type Write = (facts: object, message: string) => void;

/** What chores report to the log. */
export interface ChoreLog {
  /** @param report undefined when there was nothing to do */
  done(chore: string, report: object | undefined): void;
  failed(chore: string, error: unknown): void;
}

/**
 * Logs the results of chores. While GitHub is out of reach, every chore that asks it fails for the same reason: the first failure is one
 * line without a stack, the others are for `debug`.
 */
export function createChoreLog(log: { readonly [level in "debug" | "info" | "warn"]: Write }): ChoreLog {
  const waiting = new Set<string>();
  return {
    done: (chore, report) => {
      if (waiting.has(chore)) {
        waiting.clear();
        log.info({}, "GitHub can be reached again");
      }
      if (report) log.info({ chore, ...report }, "chore done");
    },
    failed: (chore, error) => {
      const failure = error instanceof GitHubCallFailed ? error.failure : classifyFailure(error);
      if (failure?.cause !== "unavailable") {
        log.warn({ chore, err: error }, "chore failed, will be tried again");
        return;
      }
      const level = waiting.size === 0 ? "warn" : "debug";
      waiting.add(chore);
      log[level]({ chore, why: failure.message }, "GitHub cannot be reached, Forge will try again");
    },
  };
}
