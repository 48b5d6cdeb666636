import type { CheckReport } from "../../domain/effects.ts";
import type { CheckName, Conclusion } from "../../domain/phases.ts";
import type { Override } from "../../domain/review-report.ts";
import { endingSummary } from "./check-ending.ts";
import { overrideLine } from "./override-line.ts";
import { reviewedSummary } from "./reviewed-summary.ts";
import { testedSummary } from "./tested-summary.ts";
import type { Wording } from "./wording.ts";

/** GitHub's limit is 65,535 characters; counting bytes is safe however it counts. */
export const MAXIMUM_SUMMARY_BYTES = 65_535;

/** What a person reads first (GH-11): what is so, what to do, and what it rests on. Markdown within GitHub's limit. */
export function checkSummary(
  conclusion: Conclusion,
  report: CheckReport,
  runId: string,
  wording: Wording,
  overridden?: Override,
  check: CheckName = "forge/review",
): string {
  if (report.kind === "reviewed") {
    return reviewedSummary(conclusion, report, { runId, wording, overridden, maximumBytes: MAXIMUM_SUMMARY_BYTES });
  }
  if (report.kind === "tested") return testedSummary(conclusion, report, { runId, wording, overridden });
  const ending = endingSummary(report, runId, wording, check);
  return overridden ? `${overrideLine(overridden, wording)}\n\n${ending}` : ending;
}
