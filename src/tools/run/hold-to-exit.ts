import { failedTest, RUN_ITSELF, type TestReport } from "../../analysis/tests/test-results.ts";
import type { SandboxResult } from "../../workspace/sandbox/sandbox.ts";

const TAIL_LINES = 60;

/**
 * Adds a failure of the run itself where the program failed and its report names no failure, and where a report counts failures and names
 * none: a run that ended with another code than 0 never passed (TEST-2a).
 * @param name of that failure, and its file
 */
export function holdToExit(
  report: TestReport,
  end: SandboxResult,
  { name = RUN_ITSELF, file }: { readonly name?: string; readonly file?: string } = {},
): TestReport {
  const failed = Math.max(report.failed, report.failures.length);
  const nameless = report.failures.length === 0 && (failed > 0 || end.code !== 0) && !ranNothing(report, end);
  if (!nameless) return { ...report, failed };
  return { ...report, failed: Math.max(1, failed), failures: [failedTest(name, file, tailOf(end))] };
}

/** pytest and unittest end with 5 where they found no test. */
function ranNothing({ passed, skipped }: TestReport, { code }: SandboxResult): boolean {
  return passed + skipped === 0 && code === 5;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: Buffer | string;
  readonly stderr: Buffer | string;
}

/** The last lines of both outputs. */
export function tailOf({ code, stdout, stderr }: Ended): string {
  const lines = [stdout, stderr].flatMap((output) => output.toString().trimEnd().split("\n").slice(-TAIL_LINES));
  const said = lines.join("\n").trim();
  return said === "" ? `It ended with exit code ${code} and printed nothing.` : said;
}
