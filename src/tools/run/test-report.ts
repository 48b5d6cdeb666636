import { z } from "zod";
import type { TestRunner } from "./test-runner.ts";

export interface FailedTest {
  readonly name: string;
  readonly file: string | undefined;
  readonly message: string;
}

export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly FailedTest[];
}

/** What a runner said about its tests; undefined when its output is no report: it did not get so far. */
export function readTestReport(runner: TestRunner, stdout: string): TestReport | undefined {
  switch (runner) {
    case "vitest":
    case "jest":
      return readJson(stdout);
    case "node:test":
      return readTap(stdout);
    case "pytest":
      return readPytest(stdout);
    default:
      return runner satisfies never;
  }
}

const JsonReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number().default(0),
  testResults: z.array(
    z.object({
      name: z.string().optional(),
      message: z.string().nullish(),
      status: z.string().optional(),
      assertionResults: z
        .array(
          z.object({
            fullName: z.string(),
            status: z.string(),
            failureMessages: z.array(z.string()).nullish(),
          }),
        )
        .default([]),
    }),
  ),
});

/** The report is one line among whatever the tests printed themselves, or, of older runners, the last object over several lines. */
function readJson(stdout: string): TestReport | undefined {
  const lines = stdout.split("\n");
  const line = lines.findLast((each) => each.startsWith("{") && each.includes('"numTotalTests"'));
  const [first, last] = [lines.lastIndexOf("{"), lines.lastIndexOf("}")];
  const object = line ?? (first === -1 ? undefined : lines.slice(first, last + 1).join("\n"));
  const parsed = JsonReport.safeParse(parseJson(object));
  if (!parsed.success) return undefined;
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = parsed.data;
  const failures = testResults.flatMap(({ name, message, status, assertionResults }) => {
    const file = name?.replace(/^\/box\//, "");
    const failed = assertionResults.filter((each) => each.status === "failed");
    if (failed.length === 0 && status === "failed") {
      return [{ name: "the file itself", file, message: message ?? "it could not be run" }];
    }
    return failed.map((each) => ({ name: each.fullName, file, message: (each.failureMessages ?? []).join("\n") }));
  });
  return {
    passed: numPassedTests,
    failed: Math.max(numFailedTests, failures.length),
    skipped: numPendingTests,
    failures,
  };
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

function readTap(stdout: string): TestReport | undefined {
  const count = (name: string) => {
    // The last one is the runner's: tests may print what they like before it.
    const found = [...stdout.matchAll(new RegExp(`^# ${name} (\\d+)$`, "gm"))].at(-1)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const passed = count("pass");
  if (passed === undefined) return undefined;
  const failures: FailedTest[] = [];
  const lines = stdout.split("\n");
  for (const [at, line] of lines.entries()) {
    const name = /^ *not ok \d+ - (.*)$/.exec(line)?.[1];
    if (name === undefined) continue;
    const end = lines.findIndex((each, index) => index > at && /^ *\.\.\.$/.test(each));
    const details = lines.slice(at + 1, end === -1 ? at + 30 : end).join("\n");
    // A suite fails because a test in it did, and a file because a suite did: only the tests say something.
    if (/failureType: '(?:subtestsFailed)'/.test(details)) continue;
    const file = /location: '(.*?):\d+:\d+'/.exec(details)?.[1]?.replace(/^\/box\//, "");
    failures.push({ name, file, message: withoutNoise(details) });
  }
  const skipped = (count("skipped") ?? 0) + (count("todo") ?? 0);
  return { passed, failed: (count("fail") ?? 0) + (count("cancelled") ?? 0), skipped, failures };
}

/** The report's own bookkeeping, and the runner's frames on the stack. */
function withoutNoise(details: string): string {
  const noise =
    /^\s*(?:---|duration_ms:.*|type:.*|location:.*|failureType:.*|stack: .*)$|\(node:internal\/|^\s*async .*node:internal\//;
  return details
    .split("\n")
    .filter((line) => !noise.test(line))
    .map((line) => line.trim())
    .join("\n");
}

function readPytest(stdout: string): TestReport | undefined {
  const summary = stdout
    .split("\n")
    .findLast((line) => /\d+ (?:passed|failed|error|skipped|deselected)|no tests ran/.test(line));
  if (summary === undefined) return undefined;
  const count = (pattern: RegExp) => Number(pattern.exec(summary)?.[1] ?? 0);
  const failures = [...stdout.matchAll(/^(?:FAILED|ERROR) ([^\s:]+)(?:::(\S+))?(?: - (.*))?$/gm)].map(
    ([, file, name, message]) => ({
      name: name ?? "the file itself",
      file,
      message: message ?? "",
    }),
  );
  return {
    passed: count(/(\d+) passed/),
    failed: count(/(\d+) failed/) + count(/(\d+) errors?/),
    skipped: count(/(\d+) skipped/),
    failures,
  };
}
