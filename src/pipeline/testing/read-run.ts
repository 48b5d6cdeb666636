import type { AnalyserContext } from "../../analysis/analyser.ts";
import { readCargoTests } from "../../analysis/tests/read-cargo-tests.ts";
import { readGoTests } from "../../analysis/tests/read-go-tests.ts";
import { readJunitInChild } from "../../analysis/tests/read-in-child.ts";
import { readPytest, readUnittest } from "../../analysis/tests/read-python-tests.ts";
import { readSummary } from "../../analysis/tests/read-summary.ts";
import { readTap } from "../../analysis/tests/read-tap.ts";
import { readTestJson } from "../../analysis/tests/read-test-json.ts";
import type { TestReport } from "../../analysis/tests/test-results.ts";
import type { TestCommand } from "../../tools/run/test-command.ts";

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  /** What stood in files of JUnit's XML, one after the other. */
  readonly junit: string | undefined;
}

/** What a run said about its tests, in the form of its runner; undefined where it did not get so far. */
export async function readRun(
  command: TestCommand,
  { stdout, stderr, junit }: Printed,
  context: AnalyserContext,
): Promise<TestReport | undefined> {
  switch (command.runner) {
    case "vitest":
    case "jest":
      return readTestJson(stdout);
    case "node:test":
      return readTap(stdout);
    case "pytest":
      return readPytest(stdout);
    case "unittest":
      return readUnittest(stderr);
    case "go":
      return readGoTests(stdout, command.module);
    case "cargo":
      return readCargoTests(stdout);
    case "maven":
    case "gradle":
      return junit === undefined ? undefined : readJunitInChild(splitDocuments(junit), context);
    case "configured":
      return readAny(stdout, stderr, context);
    default:
      return command satisfies never;
  }
}

/** A command of people's own prints what it likes: a report of one of the known forms, or what its runner says to people. */
async function readAny(stdout: string, stderr: string, context: AnalyserContext): Promise<TestReport | undefined> {
  if (/^\s*(?:<\?xml[^>]{0,200}\?>\s*)?<testsuites?[\s>]/.test(stdout.slice(0, 1_000)))
    return readJunitInChild([stdout], context);
  if (stdout.includes('"numTotalTests"')) return readTestJson(stdout);
  if (/^TAP version 1[34]$/m.test(stdout)) return readTap(stdout);
  if (/^\{.{0,300}"Action":"/m.test(stdout)) return readGoTests(stdout, "");
  if (/^test result: /m.test(stdout)) return readCargoTests(stdout);
  if (/^Ran \d+ tests? in /m.test(stderr)) return readUnittest(stderr);
  const summary = readSummary(stdout) ?? readSummary(stderr);
  return summary ?? readPytest(stdout);
}

function splitDocuments(text: string): string[] {
  return text.split(/(?=<\?xml )/).filter((each) => each.trim() !== "");
}
