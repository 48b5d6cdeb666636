import type { CheckReport } from "../../../domain/effects.ts";
import type { CheckName } from "../../../domain/phases.ts";
import type { CheckButton } from "../../github-repository.ts";

const REVIEW_NOW = { label: "Review now", identifier: "review", description: "Although it was left out" };
const REVIEW_AGAIN = { label: "Review again", identifier: "review", description: "From the beginning" };
const TEST_AGAIN = { label: "Test again", identifier: "test", description: "Run the tests of this head again" };
const RESUME = { label: "Resume", identifier: "resume", description: "Go on where it was stopped" };
const REVIEW_PAUSED = { label: "Review now", identifier: "review-full", description: "This once, although paused" };
const REVIEW_FULL = { label: "Full review", identifier: "review-full", description: "The whole change, with comments" };
const UNPAUSE = { label: "Unpause", identifier: "unpause", description: "Go on, and review this head" };

/** What a completed check offers to press (GH-5); `commandOfButton` says which command each identifier stands for; a clean one offers nothing. */
export function checkButtons(report: CheckReport, check: CheckName = "forge/review"): CheckButton[] {
  if (check === "forge/tests") return report.kind === "cancelled" || hasPassed(report) ? [] : [TEST_AGAIN];
  switch (report.kind) {
    case "skipped":
      if (report.paused === undefined) return [REVIEW_NOW];
      return report.paused === "subject" ? [UNPAUSE, REVIEW_PAUSED] : [REVIEW_PAUSED];
    case "failed":
      return [REVIEW_AGAIN];
    case "stopped":
      return [RESUME, REVIEW_AGAIN];
    case "reviewed":
      return report.findings.length > 0 || report.coverage.uncovered.some(({ gap }) => gap) ? [REVIEW_FULL] : [];
    case "cancelled":
    case "tested":
      return [];
  }
}

function hasPassed(report: CheckReport): boolean {
  return report.kind === "tested" && report.outcome.outcome === "passed" && report.outcome.weakened.length === 0;
}

/** The answers to a gate, on the check that waits for one. */
export function gateButtons(gate: string): CheckButton[] {
  return [
    { label: `Approve ${gate}`, identifier: `approve-${gate}`, description: "Go on with what is asked for" },
    { label: `Reject ${gate}`, identifier: `reject-${gate}`, description: "Go on without it" },
  ];
}
