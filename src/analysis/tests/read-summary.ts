import type { TestReport } from "./test-results.ts";

/** How runners sum up for people, each with how it counts: node:test, Mocha, Jest and Vitest, RSpec, Jasmine, uvu, Playwright. */
const SUMMARIES: readonly { readonly line: RegExp; readonly read: (text: string) => Omit<TestReport, "failures"> }[] = [
  {
    line: /^[ℹ#] tests \d+$/m,
    read: (text) => ({
      passed: last(text, /^[ℹ#] pass (\d{1,9})$/gm),
      failed: last(text, /^[ℹ#] fail (\d{1,9})$/gm) + last(text, /^[ℹ#] cancelled (\d{1,9})$/gm),
      skipped: last(text, /^[ℹ#] skipped (\d{1,9})$/gm) + last(text, /^[ℹ#] todo (\d{1,9})$/gm),
    }),
  },
  {
    line: /^ {2}\d{1,9} passing \(/m,
    read: (text) => ({
      passed: last(text, /^ {2}(\d{1,9}) passing \(/gm),
      failed: last(text, /^ {2}(\d{1,9}) failing$/gm),
      skipped: last(text, /^ {2}(\d{1,9}) pending$/gm),
    }),
  },
  {
    line: /^\s{0,8}Tests:?\s{1,8}.{0,80}\d (?:passed|failed|total)/m,
    read: (text) => {
      // The last one is the runner's: tests print what they like before it.
      const line = text.split("\n").findLast((each) => /^\s{0,8}Tests:?\s/.test(each)) ?? "";
      const of = (word: string) => Number(new RegExp(`(\\d{1,9}) ${word}`).exec(line)?.[1] ?? 0);
      return { passed: of("passed"), failed: of("failed"), skipped: of("skipped") + of("todo") };
    },
  },
  {
    line: /^\d{1,9} examples?, \d{1,9} failures?/m,
    read: (text) => {
      const all = last(text, /^(\d{1,9}) examples?, /gm);
      const failed = last(text, /^\d{1,9} examples?, (\d{1,9}) failures?/gm);
      const skipped = last(text, /^\d{1,9} examples?, \d{1,9} failures?, (\d{1,9}) pending/gm);
      return { passed: Math.max(0, all - failed - skipped), failed, skipped };
    },
  },
  {
    line: /^\d{1,9} specs?, \d{1,9} failures?/m,
    read: (text) => {
      const all = last(text, /^(\d{1,9}) specs?, /gm);
      const failed = last(text, /^\d{1,9} specs?, (\d{1,9}) failures?/gm);
      const skipped = last(text, /^\d{1,9} specs?, \d{1,9} failures?, (\d{1,9}) pending/gm);
      return { passed: Math.max(0, all - failed - skipped), failed, skipped };
    },
  },
  {
    line: /^ {2}Total: {1,8}\d{1,9}\n {2}Passed: /m,
    read: (text) => {
      const passed = last(text, /^ {2}Passed: {1,8}(\d{1,9})$/gm);
      const failed = Math.max(0, last(text, /^ {2}Total: {1,8}(\d{1,9})$/gm) - passed);
      return { passed, failed, skipped: last(text, /^ {2}Skipped: {1,8}(\d{1,9})$/gm) };
    },
  },
  {
    line: /^ {2}\d{1,9} (?:passed|failed|flaky|skipped|interrupted|did not run)(?: \(|$)/m,
    read: (text) => ({
      passed: last(text, /^ {2}(\d{1,9}) passed(?: \(|$)/gm) + last(text, /^ {2}(\d{1,9}) flaky$/gm),
      failed: last(text, /^ {2}(\d{1,9}) failed$/gm) + last(text, /^ {2}(\d{1,9}) interrupted$/gm),
      skipped: last(text, /^ {2}(\d{1,9}) skipped$/gm) + last(text, /^ {2}(\d{1,9}) did not run$/gm),
    }),
  },
];

/** The counts that a runner prints for people, where there is no report for programs; undefined where there are none. */
export function readSummary(text: string): TestReport | undefined {
  const summary = SUMMARIES.find(({ line }) => line.test(text));
  return summary && { ...summary.read(text), failures: [] };
}

function last(text: string, pattern: RegExp): number {
  return Number([...text.matchAll(pattern)].at(-1)?.[1] ?? 0);
}
