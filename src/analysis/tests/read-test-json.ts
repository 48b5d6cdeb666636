import { z } from "zod";
import { FILE_ITSELF, failedTest, MOST_FAILURES, pathInBox, type TestReport } from "./test-results.ts";

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

/**
 * Reads the JSON of Vitest and Jest, which is one line among whatever the tests printed themselves, or, of older runners, the last object
 * over several lines. Undefined where there is none.
 */
export function readTestJson(stdout: string): TestReport | undefined {
  const lines = stdout.split("\n");
  const line = lines.findLast((each) => each.startsWith("{") && each.includes('"numTotalTests"'));
  const [first, last] = [lines.lastIndexOf("{"), lines.lastIndexOf("}")];
  const object = line ?? (first === -1 ? undefined : lines.slice(first, last + 1).join("\n"));
  const parsed = JsonReport.safeParse(parseJson(object));
  if (!parsed.success) return undefined;
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = parsed.data;
  const failures = testResults.flatMap(({ name, message, status, assertionResults }) => {
    const file = name === undefined ? undefined : pathInBox(name);
    const failed = assertionResults.filter((each) => each.status === "failed");
    if (failed.length === 0 && status === "failed")
      return [failedTest(FILE_ITSELF, file, message ?? "it could not be run")];
    return failed.map((each) =>
      failedTest(each.fullName, file, withoutFrames((each.failureMessages ?? []).join("\n"))),
    );
  });
  return {
    passed: numPassedTests,
    failed: Math.max(numFailedTests, failures.length),
    skipped: numPendingTests,
    failures: failures.slice(0, MOST_FAILURES),
  };
}

const Test = z.object({
  fullTitle: z.string(),
  file: z.string().nullish(),
  err: z.object({ message: z.unknown(), stack: z.unknown() }).partial().default({}),
});
const MochaReport = z.object({ passes: z.array(Test), failures: z.array(Test), pending: z.array(Test) });

/**
 * Reads the JSON of Mocha, which is the last object that stands on lines of its own: tests print what they like before it. Undefined where
 * there is none.
 * @param files only what stands in these counts, where they are given
 */
export function readMocha(stdout: string, files?: readonly string[]): TestReport | undefined {
  const lines = stdout.trimEnd().split("\n");
  const parsed = MochaReport.safeParse(parseJson(lines.slice(Math.max(0, lines.lastIndexOf("{"))).join("\n")));
  if (!parsed.success) return undefined;
  const asked = files && new Set(files);
  const isAsked = ({ file }: z.infer<typeof Test>) => asked === undefined || !file || asked.has(pathInBox(file));
  const { passes, failures, pending } = parsed.data;
  const failed = failures.filter(isAsked);
  return {
    passed: passes.filter(isAsked).length,
    failed: failed.length,
    skipped: pending.filter(isAsked).length,
    failures: failed.slice(0, MOST_FAILURES).map(({ fullTitle, file, err }) => {
      const message = String(err.stack ?? err.message ?? "");
      return failedTest(fullTitle, file ? pathInBox(file) : undefined, withoutFrames(message));
    }),
  };
}

/** Frames of the runner and of packages say where they are installed, and nothing of the failure. */
function withoutFrames(message: string): string {
  return message
    .split("\n")
    .filter((line) => !/^\s+at .*(?:\/node_modules\/|node:internal|processTicksAndRejections|<anonymous>\))/.test(line))
    .join("\n");
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
