import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCargoTests } from "../../../src/analysis/tests/read-cargo-tests.ts";
import { readGoTests } from "../../../src/analysis/tests/read-go-tests.ts";
import { readJunit } from "../../../src/analysis/tests/read-junit.ts";
import { readPytest } from "../../../src/analysis/tests/read-pytest.ts";
import { readSummary } from "../../../src/analysis/tests/read-summary.ts";
import { readTap } from "../../../src/analysis/tests/read-tap.ts";
import { readMocha, readTestJson } from "../../../src/analysis/tests/read-test-json.ts";
import { readUnittest } from "../../../src/analysis/tests/read-unittest.ts";
import type { TestReport } from "../../../src/analysis/tests/test-results.ts";
import { readTestReport } from "../../../src/tools/run/test-report.ts";
import {
  AVA,
  CARGO,
  type Expected,
  GO,
  GO_AMID,
  GTEST,
  JEST,
  MOCHA,
  NODE,
  PHPUNIT,
  PLAYWRIGHT,
  PYTEST,
  PYTEST_PRINTED,
  RSPEC,
  SUREFIRE,
  TAP,
  TAPE,
  UNITTEST,
  VITEST,
} from "./recorded-outcomes.ts";

const recorded = (name: string) => readFileSync(new URL(`recorded/${name}.txt`, import.meta.url), "utf8");

/** Counts, and the failures by name, each with its file and a part of its message. */
function outlined(report: TestReport | undefined): Expected | undefined {
  if (report === undefined) return undefined;
  const { passed, failed, skipped, failures } = report;
  return { passed, failed, skipped, failures: failures.map(({ file, name }) => `${file ?? "?"} | ${name}`).sort() };
}

const { signal } = new AbortController();
const each = (output: string) =>
  readTestReport({ runner: "tap", results: { each: "@mark" }, signal }, { stdout: output, stderr: "" });

type Reader = (output: string) => TestReport | undefined | Promise<TestReport | undefined>;

describe("TEST-2a: what real runners wrote is read whole, in each version (see recorded/README.md)", () => {
  it.each<[string, Reader, Expected]>([
    ["jest-27", readTestJson, JEST[27]],
    ["jest-30", readTestJson, JEST[30]],
    ["vitest-1", readTestJson, VITEST],
    ["vitest-4", readTestJson, VITEST],
    ["vitest-5", readTestJson, VITEST],
    ["mocha-8", readMocha, MOCHA],
    ["mocha-9", readMocha, MOCHA],
    ["mocha-11", readMocha, MOCHA],
    ["mocha-12", readMocha, MOCHA],
    ["node-20", readTap, NODE[20]],
    ["node-22", readTap, NODE[20]],
    ["node-24", readTap, NODE[24]],
    ["node-26", readTap, NODE[24]],
    ["ava-4", readTap, AVA],
    ["ava-6", readTap, AVA],
    ["ava-7", readTap, AVA],
    ["tape-4", each, TAPE],
    ["tape-5", each, TAPE],
    ["tap-16", each, TAP],
    ["tap-21", each, TAP],
    ["pytest-7", readJunit, PYTEST],
    ["pytest-9", readJunit, PYTEST],
    ["pytest-7-printed", readPytest, PYTEST_PRINTED[7]],
    ["pytest-9-printed", readPytest, PYTEST_PRINTED[9]],
    ["unittest-3.8", readUnittest, UNITTEST[8]],
    ["unittest-3.13", readUnittest, UNITTEST[13]],
    ["go-1.19-amid", (output) => readGoTests(output, "shop"), GO_AMID],
    ["go-1.19", (output) => readGoTests(output, "shop", recorded("go-1.19-errors")), GO],
    ["cargo-1.65", readCargoTests, CARGO],
    ["cargo-1.95", readCargoTests, CARGO],
    ["cargo-nightly", readCargoTests, CARGO],
    ["surefire-3.2.5-CalcTest", readJunit, SUREFIRE.calc],
    ["surefire-3.5.5-CalcTest", readJunit, SUREFIRE.calc],
    ["surefire-3.2.5-BrokenTest", readJunit, SUREFIRE.broken],
    ["surefire-3.5.5-BrokenTest", readJunit, SUREFIRE.broken],
    ["phpunit-9", readJunit, PHPUNIT],
    ["rspec-3.12", readJunit, RSPEC],
    ["gtest-1.12", readJunit, GTEST],
    ["playwright-1.40", readJunit, PLAYWRIGHT],
    ["playwright-1.65", readJunit, PLAYWRIGHT],
    ["jasmine-3", readSummary, { passed: 1, failed: 2, skipped: 2, failures: [] }],
    ["jasmine-5", readSummary, { passed: 0, failed: 3, skipped: 2, failures: [] }],
    ["jasmine-7", readSummary, { passed: 0, failed: 3, skipped: 2, failures: [] }],
    ["uvu-0.4", readSummary, { passed: 1, failed: 1, skipped: 1, failures: [] }],
    ["uvu-0.5", readSummary, { passed: 1, failed: 1, skipped: 1, failures: [] }],
  ])("%s", async (name, read, expected) => {
    expect(outlined(await read(recorded(name)))).toEqual(expected);
  });

  it("tells the cause of each failure, in the words of the runner", () => {
    const message = (report: TestReport | undefined, name: string) =>
      report?.failures.find((failure) => failure.name === name)?.message;
    expect(message(readJunit(recorded("pytest-9")), "test_eval[4 - 1]")).toContain("assert 3 == 4");
    expect(message(readTap(recorded("node-24")), "calc [a - b] > times out")).toContain("timed out after 50ms");
    expect(message(readGoTests(recorded("go-1.19"), "shop", recorded("go-1.19-errors")), "the file itself")).toContain(
      "undefined: sender",
    );
    expect(message(readCargoTests(recorded("cargo-1.95")), "the file itself")).toContain("ended before its result");
    expect(message(readTestJson(recorded("jest-30")), "the file itself")).toContain("cannot clean up");
  });
});
