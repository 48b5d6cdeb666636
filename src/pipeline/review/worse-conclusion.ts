import type { Conclusion } from "../../domain/phases.ts";
import type { QueuedPull } from "../../domain/review-report.ts";
import type { Verdict } from "./verdict.ts";

/** Mildest first: what says nothing of the code, what was found, and what is not known. */
const BY_WEIGHT: readonly Conclusion[] = ["cancelled", "skipped", "success", "neutral", "action_required", "failure"];

/** The heavier of two conclusions on the same head: what blocks wins over what is not known, and that over what is good. */
export function isWorse(one: Conclusion, other: Conclusion): boolean {
  return BY_WEIGHT.indexOf(one) > BY_WEIGHT.indexOf(other);
}

const OUTCOMES = {
  failure: "changes_requested",
  action_required: "incomplete",
  neutral: "advisory",
  success: "approved",
} as const;

/** The verdict on a merge group: its own, or that of the worst pull request in it (GH-8d). */
export function withQueued(verdict: Verdict, queued: readonly QueuedPull[]): Verdict {
  const worst = queued.reduce<Conclusion>(
    (so, { conclusion }) => (isWorse(conclusion, so) ? conclusion : so),
    verdict.conclusion,
  );
  if (worst === verdict.conclusion || worst === "skipped" || worst === "cancelled") return verdict;
  const decision = worst === "failure" ? "request_changes" : verdict.decision;
  return { ...verdict, decision, conclusion: worst, outcome: OUTCOMES[worst] };
}
