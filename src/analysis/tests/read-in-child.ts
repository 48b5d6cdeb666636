import type { AnalyserContext } from "../analyser.ts";
import type { ChildFile, CoverageRequest } from "../child/protocol.ts";
import { runInChild } from "../reader/run-in-child.ts";
import type { CoverageReport } from "./coverage-report.ts";
import { MOST_FAILURES, type TestReport } from "./test-results.ts";

/** Reads reports in JUnit's XML, one file for each suite or all in one, in a process of its own; undefined where none can be read. */
export async function readJunitInChild(
  reports: readonly string[],
  context: AnalyserContext,
): Promise<TestReport | undefined> {
  const files = reports.map((text, id): ChildFile => ({ id, text }));
  const { results } = await runInChild<TestReport | null>("junit", files, context);
  const read = [...results.values()].filter((result) => result !== null);
  if (read.length === 0) return undefined;
  const sum = (of: "passed" | "failed" | "skipped") => read.reduce((total, each) => total + each[of], 0);
  return {
    passed: sum("passed"),
    // An unreadable report may hold any failure.
    failed: sum("failed") + (reports.length - read.length),
    skipped: sum("skipped"),
    failures: read.flatMap(({ failures }) => failures).slice(0, MOST_FAILURES),
  };
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
