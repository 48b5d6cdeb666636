import { readPytest } from "../../analysis/tests/read-python-tests.ts";
import { readTap } from "../../analysis/tests/read-tap.ts";
import { readTestJson } from "../../analysis/tests/read-test-json.ts";
import type { TestReport } from "../../analysis/tests/test-results.ts";
import type { TestRunner } from "./test-runner.ts";

/** What a runner said about its tests; undefined when its output is no report: it did not get so far. */
export function readTestReport(runner: TestRunner, stdout: string): TestReport | undefined {
  switch (runner) {
    case "vitest":
    case "jest":
      return readTestJson(stdout);
    case "node:test":
      return readTap(stdout);
    case "pytest":
      return readPytest(stdout);
    default:
      return runner satisfies never;
  }
}
