import type { RunAgent } from "../../agents/reviewer/ports.ts";
import { testerAgent } from "../../agents/tester/tester-agent.ts";
import { testerTask } from "../../agents/tester/tester-task.ts";
import type { PresentedFile } from "../../analysis/present-change.ts";
import { defined } from "../../domain/defined.ts";
import type { TestFailure } from "../../domain/test-report.ts";
import type { Redact } from "../../safety/redact.ts";
import type { Tool } from "../../tools/tool.ts";

export interface AnalysisDependencies {
  readonly runAgent: RunAgent;
  /** What the tester may call: tools that read, and `run_tests`. */
  readonly tools: readonly Tool[];
  readonly redact: Redact;
}

/** Nobody reads the analysis of more, and most of them have one cause. */
const MOST_ANALYSED = 10;

/**
 * Lets a model look for the causes of real failures (TEST-1). Where it does not get to its end, or leaves one out, that failure stays as
 * it was. A model's word changes what a failure is called, never whether it is one.
 * @throws whatever `runAgent` throws when the run has to wait for a person or a provider
 */
export async function analyseFailures(
  failures: readonly TestFailure[],
  change: readonly PresentedFile[],
  runner: string,
  { runAgent, tools, redact }: AnalysisDependencies,
): Promise<TestFailure[]> {
  const real = failures.filter((failure) => failure.class === "bug").slice(0, MOST_ANALYSED);
  if (real.length === 0) return [...failures];
  const agent = testerAgent(tools);
  const task = testerTask({ failures: real, change, runner, steps: agent.iterationLimit, redact });
  const outcome = await runAgent(agent, { key: "tester/1", task });
  if (!outcome.ok) return [...failures];
  return failures.map((failure) => {
    const number = real.indexOf(failure) + 1;
    const said = number === 0 ? undefined : outcome.output.failures.find((each) => each.failure === number);
    if (said === undefined) return failure;
    const { fix, confidence } = said;
    return {
      ...failure,
      class: said.class,
      cause: redact(said.cause),
      // Confidence is that of the fix: without one there is nothing to be sure of.
      ...(fix === undefined ? {} : { fix: redact(fix), ...defined({ confidence }) }),
    };
  });
}
