import type { Feedback } from "../../domain/implementation.ts";
import type { TestOutcome } from "../../domain/test-report.ts";
import { bounceFor } from "../runs/definition.ts";
import type { Looked } from "./implementation.ts";
import type { Asking } from "./view.ts";

/** A change of which tests reach less than this share has gaps (TEST-1). */
const ENOUGH = 0.8;

/**
 * Lines of the change that no test reaches and for which tests are to be written, by file (TEST-1): where the repository wants that, and only
 * once in a run, as some lines no test can reach.
 */
export function missingTests({ pipeline }: Asking, run: Looked, { coverage }: TestOutcome): Feedback[] {
  if (run.configuration.tools.missing_tests !== "write" || coverage === undefined) return [];
  const { covered, executable, missed } = coverage;
  const isEnough = executable === 0 || covered / executable >= ENOUGH;
  if (isEnough || (run.bounces.coverage ?? 0) >= bounceFor(pipeline, "coverage").most) return [];
  return missed
    .filter(({ ranges }) => ranges.length > 0)
    .map(({ path, ranges }, index): Feedback => {
      const lines = ranges.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(", ");
      const message = `No test reaches the lines ${lines}. Write tests for what they do; change the code only where a test shows that it is wrong.`;
      return { from: "coverage", id: `U${index + 1}`, file: path, ranges, message };
    });
}
