import { describe, expect, it } from "vitest";
import { readTestReport } from "../../src/tools/run/test-report.ts";
import type { TestRunner } from "../../src/tools/run/test-runner.ts";

const REPORT = {
  numTotalTests: 2,
  numPassedTests: 1,
  numFailedTests: 1,
  testResults: [
    {
      name: "/box/test/a.test.ts",
      status: "failed",
      assertionResults: [
        { fullName: "adds", status: "passed" },
        {
          fullName: "counts",
          status: "failed",
          failureMessages: ["expected 3 to be 6\n    at file:///opt/node_modules/vitest/run.js:3:1"],
        },
      ],
    },
  ],
};

const MARK = "5ca1ab1e";
const { signal } = new AbortController();

/** What is read of the runner's file, behind the mark that its tests do not know. */
const read = (runner: TestRunner, report: string, printed = "") =>
  readTestReport(
    { runner, results: { behind: MARK }, signal },
    { stdout: `${printed}\n${MARK}\n${report}`, stderr: "" },
  );

describe("what a test runner said (TEST-2)", () => {
  const expected = {
    passed: 1,
    failed: 1,
    skipped: 0,
    failures: [{ name: "counts", file: "test/a.test.ts", message: "expected 3 to be 6" }],
  };

  it("is read from one line, and from an object over several lines as older runners print it, amid other output", async () => {
    for (const indent of [undefined, 2]) {
      const stdout = `a test says {\n  hello\n}\n${JSON.stringify(REPORT, null, indent)}\nbye\n`;
      expect(await read("vitest", stdout)).toEqual(expected);
      expect(await read("jest", stdout)).toEqual(expected);
    }
  });

  it("counts a file that could not be loaded as failed", async () => {
    const broken = { ...REPORT, numPassedTests: 0, numFailedTests: 0 };
    const testResults = [{ name: "/box/test/b.test.ts", status: "failed", message: "Cannot find module" }];
    expect(await read("jest", JSON.stringify({ ...broken, testResults }))).toMatchObject({
      failed: 1,
      failures: [{ name: "the file itself", message: "Cannot find module" }],
    });
  });

  it("is nothing where the runner did not get so far, whatever its tests print", async () => {
    for (const stdout of ["", "sh: vitest: not found\n", "{\n", '{ "numTotalTests": 1', '{"numTotalTests":"many"}']) {
      expect(await read("vitest", stdout, JSON.stringify(REPORT))).toBeUndefined();
    }
  });
});
