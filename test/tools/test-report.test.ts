import { describe, expect, it } from "vitest";
import { readTestReport } from "../../src/tools/run/test-report.ts";

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

describe("what a test runner said (TEST-2)", () => {
  const expected = {
    passed: 1,
    failed: 1,
    skipped: 0,
    failures: [{ name: "counts", file: "test/a.test.ts", message: "expected 3 to be 6" }],
  };

  it("is read from one line, and from an object over several lines as older runners print it, amid other output", () => {
    for (const indent of [undefined, 2]) {
      const stdout = `a test says {\n  hello\n}\n${JSON.stringify(REPORT, null, indent)}\nbye\n`;
      expect(readTestReport("vitest", stdout)).toEqual(expected);
      expect(readTestReport("jest", stdout)).toEqual(expected);
    }
  });

  it("counts a file that could not be loaded as failed", () => {
    const broken = { ...REPORT, numPassedTests: 0, numFailedTests: 0 };
    const testResults = [{ name: "/box/test/b.test.ts", status: "failed", message: "Cannot find module" }];
    expect(readTestReport("jest", JSON.stringify({ ...broken, testResults }))).toMatchObject({
      failed: 1,
      failures: [{ name: "the file itself", message: "Cannot find module" }],
    });
  });

  it("is nothing where the runner did not get so far", () => {
    for (const stdout of ["", "sh: vitest: not found\n", "{\n", '{ "numTotalTests": 1', '{"numTotalTests":"many"}']) {
      expect(readTestReport("vitest", stdout)).toBeUndefined();
    }
  });
});
