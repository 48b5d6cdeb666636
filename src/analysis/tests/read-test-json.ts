import { z } from "zod";
import {
  FILE_ITSELF,
  failedTest,
  pathInBox,
  ReportBuilder,
  RUN_ITSELF,
  type TestReport,
  unknownOutcome,
} from "./test-results.ts";

const JsonReport = z.object({
  numTotalTests: z.number(),
  numFailedTests: z.number(),
  /** Of Jest: the run was stopped before its end. */
  wasInterrupted: z.boolean().optional(),
  testResults: z.array(
    z.object({
      name: z.string().optional(),
      message: z.string().nullish(),
      status: z.string().optional(),
      assertionResults: z
        .array(
          z.object({
            fullName: z.string(),
            status: z.string().nullish(),
            failureMessages: z.array(z.string()).nullish(),
          }),
        )
        .default([]),
    }),
  ),
});

/** States of a test that was left out, by the runner or by its author. */
const SKIPPED = new Set(["pending", "skipped", "todo", "disabled"]);

/**
 * Reads the JSON of Vitest and Jest, which is one line among whatever the tests printed themselves, or, of older runners, the last object
 * over several lines. Undefined where there is none.
 */
export function readTestJson(text: string): TestReport | undefined {
  const lines = text.split("\n");
  const line = lines.findLast((each) => each.includes('"numTotalTests"') && each.includes("{"));
  const [first, last] = [lines.lastIndexOf("{"), lines.lastIndexOf("}")];
  const object = first === -1 ? undefined : lines.slice(first, last + 1).join("\n");
  // A test that ends its output without a line break stands before the report on its line.
  const candidates = [line, line?.slice(line.search(/\{"num(?:Failed|Total)/)), object];
  const parsed = candidates.map((each) => JsonReport.safeParse(parseJson(each))).find(({ success }) => success);
  return parsed?.data && reportOf(parsed.data);
}

function reportOf({ testResults, numFailedTests, wasInterrupted }: z.infer<typeof JsonReport>): TestReport {
  const built = new ReportBuilder();
  for (const { name, message, status, assertionResults } of testResults) {
    const file = name === undefined ? undefined : pathInBox(name);
    const before = built.failed;
    // The sums at the head are not used: Vitest 1 counts a test that was skipped as passed.
    for (const each of assertionResults) {
      const outcome = each.status ?? "none";
      if (outcome === "passed") built.count("passed");
      else if (SKIPPED.has(outcome)) built.count("skipped");
      else if (outcome === "failed")
        built.fail(failedTest(each.fullName.trim(), file, withoutFrames((each.failureMessages ?? []).join("\n"))));
      else built.fail(unknownOutcome(each.fullName.trim(), file, outcome));
    }
    // Vitest gives no message for a hook that failed.
    if (status === "failed" && (built.failed === before || isOfFile(message ?? "")))
      built.fail(
        failedTest(
          FILE_ITSELF,
          file,
          message || "It failed as a whole: it could not be loaded, or a hook of it failed.",
        ),
      );
    else if (status !== "passed" && status !== "failed" && status !== undefined && !SKIPPED.has(status))
      built.fail(unknownOutcome(FILE_ITSELF, file, status));
  }
  if (wasInterrupted === true) built.fail(failedTest(RUN_ITSELF, undefined, "The run was interrupted before its end."));
  const unnamed = Math.max(0, numFailedTests - built.failed);
  if (unnamed > 0)
    built.fail(
      failedTest(RUN_ITSELF, undefined, `The runner counts ${unnamed} more failed tests, and names none of them.`),
    );
  return built.report();
}

/** Vitest gives a message for a whole file only; that of Jest also repeats the failures of its tests. */
function isOfFile(message: string): boolean {
  return message !== "" && (!/^\s{0,8}●/.test(message) || message.includes("● Test suite failed to run"));
}

const Test = z.object({
  fullTitle: z.string(),
  file: z.string().nullish(),
  err: z.object({ message: z.unknown(), stack: z.unknown() }).partial().default({}),
});
const MochaReport = z.object({ passes: z.array(Test), failures: z.array(Test), pending: z.array(Test) });

/**
 * Reads the JSON of Mocha, which is the last object that starts at the end of a line: tests print what they like before it. Undefined where
 * there is none.
 * @param files only what stands in these counts, where they are given
 */
export function readMocha(text: string, files?: readonly string[]): TestReport | undefined {
  const lines = text.trimEnd().split("\n");
  const start = lines.findLastIndex((line, at) => line.endsWith("{") && lines[at + 1] === '  "stats": {');
  const json = start === -1 ? text : ["{", ...lines.slice(start + 1)].join("\n");
  const parsed = MochaReport.safeParse(parseJson(json));
  if (!parsed.success) return undefined;
  const asked = files && new Set(files);
  const isAsked = ({ file }: z.infer<typeof Test>) => asked === undefined || !file || asked.has(pathInBox(file));
  const { passes, failures, pending } = parsed.data;
  const built = new ReportBuilder();
  for (const test of failures.filter(isAsked)) {
    const { fullTitle, file, err } = test;
    const message = String(err.stack ?? err.message ?? "");
    built.fail(failedTest(fullTitle, file ? pathInBox(file) : undefined, withoutFrames(message)));
  }
  for (const _ of passes.filter(isAsked)) built.count("passed");
  for (const _ of pending.filter(isAsked)) built.count("skipped");
  return built.report();
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
