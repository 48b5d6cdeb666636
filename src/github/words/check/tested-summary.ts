import type { Answer } from "../../../domain/answers.ts";
import type { CheckReport } from "../../../domain/effects.ts";
import type { Conclusion } from "../../../domain/phases.ts";
import type { Override } from "../../../domain/review-report.ts";
import type { TestOutcome } from "../../../domain/test-report.ts";
import {
  count,
  duration,
  foreignCode,
  foreignLine,
  overrideLine,
  usd,
  type Wording,
  withFullStop,
} from "../wording.ts";
import { failedCount, passedCount, testedFacts } from "./tested-facts.ts";

type Tested = Extract<CheckReport, { kind: "tested" }>;

/** What the tests of a head came to (TEST-1): what is so, what to do, then each failure with its cause and what would mend it. */
export function testedSummary(
  conclusion: Conclusion,
  report: Tested,
  {
    runId,
    wording,
    overridden,
  }: { readonly runId: string; readonly wording: Wording; readonly overridden?: Override | undefined },
): string {
  const { outcome, costUsd } = report;
  const first = overridden ? overrideLine(overridden, wording) : headline(conclusion, outcome, wording);
  const cost = costUsd > 0 ? `${usd(costUsd)} · ` : "";
  return testedFacts(outcome, wording, {
    first,
    last: `${cost}${duration(outcome.durationMs)} · run ${foreignCode(runId, wording)}`,
  });
}

function headline(conclusion: Conclusion, outcome: TestOutcome, wording: Wording): string {
  const { weakened } = outcome;
  if (weakened.length > 0) return `${weakenedHead(outcome)}, or say why with \`/forge override forge/tests <reason>\`.`;
  return outcomeHead(outcome, conclusion, wording);
}

/** To be ended with what else may be done. */
export function weakenedHead({ weakened }: TestOutcome): string {
  return `**Tests were weakened: ${count(weakened.length, "place")}.** Put them back as they were`;
}

export function outcomeHead(outcome: TestOutcome, conclusion: Conclusion, wording: Wording): string {
  switch (outcome.outcome) {
    case "passed":
      return `**${passedCount(outcome)}.**`;
    case "failed":
      return conclusion === "neutral"
        ? `**${failedCount(outcome)}.** They are not blamed on this change.`
        : `**${failedCount(outcome)}.** Fix and push; to run them again: \`/forge test\``;
    case "not_run": {
      const why = withFullStop(foreignLine(outcome.reason ?? "no reason was given", wording));
      // Where there is nothing to run, trying again changes nothing.
      return `**Not tested**: ${why}${outcome.nothingToRun ? "" : " To try again: `/forge test`"}`;
    }
  }
}

/** What the tests of a pull request of people came to, in answer to `/forge test`: as in the check of Forge's own, without one to pass. */
export function testedText({ outcome }: Extract<Answer, { kind: "tested" }>, wording: Wording): string {
  const said = outcomeHead(outcome, "failure", wording);
  const first = outcome.weakened.length > 0 ? `${weakenedHead(outcome)}, or say why.\n\n${said}` : said;
  return testedFacts(outcome, wording, { first, last: duration(outcome.durationMs) });
}
