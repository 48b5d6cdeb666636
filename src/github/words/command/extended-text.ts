import type { Answer } from "../../../domain/answers.ts";
import type { RunLimit } from "../../../domain/command-arguments.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { count, usd } from "../wording.ts";

type Extended = Extract<Answer, { kind: "extended" }>;

/** What is said to `/forge extend`: the limit as it is now, and what follows. */
export function extendedText({ limit, total, run }: Extended, on: Subject["kind"]): string {
  const isIssue = on === "issue";
  const next =
    isIssue && run === "ended" ? "It did not end at that limit; to have a phase done again: `/forge retry`" : NEXT[run];
  return `The limit of this ${isIssue ? "run" : "review"} is ${limitText(limit, total)} now. ${next}`;
}

/** "$5.00", "15 model calls", "45 minutes". */
export function limitText(limit: RunLimit, amount: number): string {
  return limit === "usd" ? usd(amount) : count(amount, UNITS[limit]);
}

const UNITS = { iterations: "model call", minutes: "minute" } as const;

const NEXT = {
  resumed: "It goes on where it ended.",
  stopped: "It is stopped; to have it go on: `/forge resume`",
  at_work: "To stop at the old limit anyway: `/forge resume`",
  ended: "It did not end at that limit, so nothing is looked at again; for that: `/forge review`",
} as const;
