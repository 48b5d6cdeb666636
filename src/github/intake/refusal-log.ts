import type { FeedbackRefusal, RefusalReason } from "./answers.ts";

const INTERVAL_MS = 60_000;

/** What intake needs of a logger; pino's fits. */
export interface IntakeLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface RefusalLog {
  /** `fields`: facts about ourselves, never anything that the sender wrote. */
  note(reason: RefusalReason | FeedbackRefusal, fields?: Readonly<Record<string, unknown>>): void;
  /** Logs what was counted but not said yet. */
  flush(): void;
}

/**
 * Says why deliveries are refused, at most once a minute for each reason: a flood of forgeries must not be able to
 * fill the disk with log lines, and every line carries how many refusals it stands for.
 */
export function createRefusalLog(log: IntakeLog, now: () => number): RefusalLog {
  const counted = new Map<RefusalReason | FeedbackRefusal, { lastMs: number; count: number }>();

  function say(
    reason: RefusalReason | FeedbackRefusal,
    count: number,
    fields: Readonly<Record<string, unknown>> = {},
  ): void {
    const level = reason === "storage_failed" || reason === "feedback_not_stored" ? "error" : "warn";
    log[level]({ reason, count, ...fields }, "webhook deliveries refused");
  }

  return {
    note: (reason, fields) => {
      const entry = counted.get(reason) ?? { lastMs: Number.NEGATIVE_INFINITY, count: 0 };
      counted.set(reason, entry);
      entry.count += 1;
      const at = now();
      if (at - entry.lastMs < INTERVAL_MS) return;
      say(reason, entry.count, fields);
      entry.lastMs = at;
      entry.count = 0;
    },
    flush: () => {
      for (const [reason, entry] of counted) {
        if (entry.count > 0) say(reason, entry.count);
        entry.count = 0;
      }
    },
  };
}
