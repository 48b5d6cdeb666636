import type { Answer } from "../../../domain/answers.ts";
import type { CheckReport } from "../../../domain/effects.ts";
import type { Conclusion } from "../../../domain/phases.ts";
import type { Override } from "../../../domain/review-report.ts";
import type { TestFailure, TestOutcome } from "../../../domain/test-report.ts";
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

/** The result of the tests of a head (TEST-1): the fact, what to do, then each failure with its cause and its fix. */
export function testedSummary(
  conclusion: Conclusion,
  report: Tested,
  {
    runId,
    wording,
    overridden,
  }: { readonly runId: string; readonly wording: Wording; readonly overridden?: Override | undefined },
): string {
  const { outcome, costUsd, work = false } = report;
  const first = overridden ? overrideLine(overridden, wording) : headline(conclusion, outcome, { wording, work });
  const cost = costUsd > 0 ? `${usd(costUsd)} · ` : "";
  return testedFacts(outcome, wording, {
    first,
    last: `${cost}${duration(outcome.durationMs)} · run ${foreignCode(runId, wording)}`,
  });
}

function headline(
  conclusion: Conclusion,
  outcome: TestOutcome,
  { wording, work }: { readonly wording: Wording; readonly work: boolean },
): string {
  const said = outcomeHead(outcome, conclusion, wording);
  // The run of Forge's own work asks for what is to be let pass, by a gate.
  const command = work || conclusion !== "failure" ? undefined : "`/forge override forge/tests <reason>`";
  const pass = command ? `; to let it pass as it is: ${command}` : "";
  if (outcome.weakened.length === 0) return `${said}${pass}`;
  if (conclusion === "failure" && outcome.outcome !== "failed")
    return `${weakenedHead(outcome)}${command ? `, or say why with ${command}` : ""}.`;
  return `${said}${pass}\n\n${weakenedHead(outcome)}, if that was not meant.`;
}

/** To be ended with what else may be done. */
function weakenedHead({ weakened }: TestOutcome): string {
  return `**Tests were weakened: ${count(weakened.length, "place")}.** Put them back as they were`;
}

function outcomeHead(outcome: TestOutcome, conclusion: Conclusion, wording: Wording): string {
  switch (outcome.outcome) {
    case "passed":
      return `**${passedCount(outcome)}.**`;
    case "failed":
      return conclusion === "neutral"
        ? `**${failedCount(outcome)}.** They are not blamed on this change.`
        : `**${failedCount(outcome)}.**${notBlamed(outcome)} Fix and push; to run them again: \`/forge test\``;
    case "not_run": {
      const why = withFullStop(foreignLine(outcome.reason ?? "no reason was given", wording));
      // Where there is nothing to run, trying again changes nothing.
      return `**Not tested**: ${why}${outcome.nothingToRun ? "" : " To try again: `/forge test`"}`;
    }
  }
}

/** Where some failures are the change's fault and others are not. */
function notBlamed({ failures }: TestOutcome): string {
  const of = (kind: TestFailure["class"]) => failures.filter((failure) => failure.class === kind).length;
  const [old, place] = [of("existing"), of("environment")];
  const parts = [
    ...(old > 0 ? [`${old} failed before it`] : []),
    ...(place > 0 ? [`${place} lack${place === 1 ? "s" : ""} something where the tests run`] : []),
  ];
  return parts.length === 0 || old + place === failures.length ? "" : ` Not through this change: ${parts.join(", ")}.`;
}

/** What the tests of a pull request of people came to, in answer to `/forge test`: as in the check, which has the same under its own name. */
export function testedText({ outcome }: Extract<Answer, { kind: "tested" }>, wording: Wording): string {
  const said = outcomeHead(outcome, outcome.blameless ? "neutral" : "failure", wording);
  const first = outcome.weakened.length > 0 ? `${said}\n\n${weakenedHead(outcome)}, if that was not meant.` : said;
  return testedFacts(outcome, wording, { first, last: duration(outcome.durationMs) });
}
