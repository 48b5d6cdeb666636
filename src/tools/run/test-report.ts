import { readPytest } from "../../analysis/tests/read-python-tests.ts";
import { readTap, readTaps } from "../../analysis/tests/read-tap.ts";
import { readMocha, readTestJson } from "../../analysis/tests/read-test-json.ts";
import type { TestReport } from "../../analysis/tests/test-results.ts";
import type { TestRunner } from "./test-runner.ts";

/**
 * What a runner said about its tests; undefined when its output is no report: it did not get so far.
 * @param files those that were asked for: settings of Mocha's make it run others too
 */
export function readTestReport(runner: TestRunner, stdout: string, files?: readonly string[]): TestReport | undefined {
  switch (runner) {
    case "vitest":
    case "jest":
      return readTestJson(stdout);
    case "node:test":
    case "ava":
      return readTap(stdout);
    case "tap":
      return readTaps(stdout);
    case "mocha":
      return readMocha(stdout, files);
    case "pytest":
      return readPytest(stdout);
    default:
      return runner satisfies never;
  }
}
