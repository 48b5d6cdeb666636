import { failedTest } from "../../analysis/tests/test-results.ts";
import { describeEnd, runProgramInClone } from "../../tools/run/clone-program.ts";
import type { Clone } from "../../workspace/clone.ts";
import type { TestContext } from "./execute-tests.ts";
import type { SeenFailure } from "./run-files.ts";

/** A copy of the repository, built; undefined where there is none, or where it cannot be built. */
export async function openBuilt(
  open: () => Promise<Clone | undefined>,
  testContext: Omit<TestContext, "clone">,
  build: readonly string[] | undefined,
  timeoutMs: number,
): Promise<Clone | undefined> {
  const clone = await open();
  return clone && (await buildProject({ ...testContext, clone }, build, timeoutMs)) === undefined ? clone : undefined;
}

const OUTPUT_CHARACTERS = 6_000;

/**
 * Runs the configured command that the tests need first.
 * @returns what failed; undefined where it went well or there is none
 * @throws {ToolFailure} `sandbox_failed`
 */
export async function buildProject(
  testContext: TestContext,
  command: readonly string[] | undefined,
  timeoutMs: number,
): Promise<SeenFailure | undefined> {
  const [program, ...args] = command ?? [];
  if (program === undefined) return undefined;
  const end = await runProgramInClone(
    testContext,
    { program, args, folder: "", timeoutMs },
    { signal: testContext.signal },
  );
  testContext.signal.throwIfAborted();
  if (end.code === 0 && end.limitHit === undefined) return undefined;
  // The end of what it printed names the fault, the beginning only says what it set out to do.
  const printed = `${end.stdout.toString("utf8")}\n${end.stderr.toString("utf8")}`.trim().slice(-OUTPUT_CHARACTERS);
  const failure = failedTest("the build", undefined, `${describeEnd(end, timeoutMs)}\n${printed}`);
  return end.limitHit === undefined ? failure : { ...failure, limit: end.limitHit };
}
