import type { CoverageReport } from "../tests/coverage-report.ts";
import { readCoverage } from "../tests/read-coverage.ts";
import { readJunit } from "../tests/read-junit.ts";
import type { TestReport } from "../tests/test-results.ts";
import type { ChildFile } from "./protocol.ts";

/** What a report in JUnit's XML says; null where it is none. */
export function readJunitFile({ text }: ChildFile): TestReport | null {
  return readJunit(text) ?? null;
}

/** What a coverage report says of the files that are asked for; null where it is none. */
export function readCoverageFile({ text, coverage }: ChildFile): CoverageReport | null {
  if (coverage === undefined) return null;
  return readCoverage(coverage.format, text, { root: coverage.root, only: new Set(coverage.paths) }) ?? null;
}
