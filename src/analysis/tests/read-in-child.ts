import type { AnalyserContext } from "../analyser.ts";
import type { ChildFile, CoverageRequest } from "../child/protocol.ts";
import { runInChild } from "../reader/run-in-child.ts";
import type { CoverageReport } from "./coverage-report.ts";
import { failedTest, joinReports, type TestReport } from "./test-results.ts";

/** A report in JUnit's XML, and the name that people find it by. */
export interface JunitFile {
  readonly name: string;
  readonly text: string;
}

/** Reads reports in JUnit's XML, one file for each suite or all in one, in a process of its own; undefined where none can be read. */
export async function readJunitInChild(
  reports: readonly JunitFile[],
  context: Pick<AnalyserContext, "signal">,
): Promise<TestReport | undefined> {
  const files = reports.map(({ text }, id): ChildFile => ({ id, text }));
  const { results } = await runInChild<TestReport | null>("junit", files, context);
  const read = [...results.values()].filter((result) => result !== null);
  if (read.length === 0) return undefined;
  // An unreadable report may hold any failure.
  const unread = reports.filter((_, id) => !results.get(id));
  const failures = unread.map(({ name }) =>
    failedTest(name, undefined, "Forge cannot read this report of the runner."),
  );
  return joinReports([...read, { passed: 0, failed: unread.length, skipped: 0, failures }]);
}

/** Reads a coverage report in a process of its own; undefined where it is none. */
export async function readCoverageInChild(
  text: string,
  coverage: CoverageRequest,
  context: AnalyserContext,
): Promise<CoverageReport | undefined> {
  const { results } = await runInChild<CoverageReport | null>("coverage", [{ id: 0, text, coverage }], context);
  return results.get(0) ?? undefined;
}
