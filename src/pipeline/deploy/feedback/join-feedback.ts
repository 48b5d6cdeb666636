import { defined } from "../../../domain/defined.ts";
import type { FeedbackStanding, ProductionFeedback, Suspicion } from "../../../domain/production-feedback.ts";

type Fault = Extract<ProductionFeedback, { is: "error" }>;

/**
 * What is known of a thing from several messages, oldest first: one has the stack, another the counts, and neither takes from the other what
 * it has (PROD-2). Undefined where there is no message.
 */
export function joinFeedback(
  before: ProductionFeedback | undefined,
  messages: readonly ProductionFeedback[],
): ProductionFeedback | undefined {
  let known = before;
  for (const message of messages) known = known ? joinOne(known, message) : message;
  return known;
}

function joinOne(before: ProductionFeedback, after: ProductionFeedback): ProductionFeedback {
  if (before.is === "alert" && after.is === "alert") return { ...before, ...after };
  if (before.is !== "error" || after.is !== "error") return after;
  return {
    ...{ ...before, ...after },
    message: after.message || before.message,
    frames: after.frames.length > 0 ? after.frames : before.frames,
    ...defined({ firstSeen: earlier(before.firstSeen, after.firstSeen) }),
  };
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Date.parse(one) <= Date.parse(other) ? one : other;
}

const PARTS = ["count", "users", "release", "firstSeen"] as const satisfies readonly (keyof Fault)[];

/** Whether an issue that says the one has to say the other: a part is there that it lacks, or the source counts ten times as many. */
export function hasMore(shown: ProductionFeedback | undefined, now: ProductionFeedback): boolean {
  if (shown?.is !== "error" || now.is !== "error") return false;
  if (shown.frames.length === 0 && now.frames.length > 0) return true;
  if (PARTS.some((part) => shown[part] === undefined && now[part] !== undefined)) return true;
  const { count = 0 } = now;
  return count > 0 && count >= Math.max(1, shown.count ?? 0) * 10;
}

/** What an issue says of its cause: one that was found stands until the thing was over and came back. */
export function joinSuspicion(
  { suspicion: before, resolved }: Pick<FeedbackStanding, "suspicion" | "resolved">,
  found: Suspicion | undefined,
): Suspicion | undefined {
  return before?.is === "caused" && !resolved ? before : (found ?? before);
}
