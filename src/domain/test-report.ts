import { z } from "zod";

const count = z.number().int().nonnegative();

/** One test that failed, looked at (TEST-1). Texts are the repository's or a model's: data. */
export const TestFailure = z.object({
  name: z.string(),
  file: z.string().optional(),
  /** What the runner said, cut and without secrets. */
  message: z.string(),
  /** `existing`: it failed before the change as well and is not blamed on it. `bug`: the change broke it, or the new test finds a fault. */
  class: z.enum(["bug", "flaky", "environment", "existing"]),
  cause: z.string().optional(),
  /** What would mend it, in words for the implementer. */
  fix: z.string().optional(),
  /** That `fix` mends it; 0 to 1. */
  confidence: z.number().min(0).max(1).optional(),
});
export type TestFailure = z.infer<typeof TestFailure>;

/** Of the lines that the change added or rewrote and that can be executed at all. */
export const DiffCoverage = z.object({
  covered: count,
  executable: count,
  /** Further changed lines of code, in files of which the runner measures nothing. */
  unmeasured: count.optional(),
  /** Lines that no test reached, by file; ranges, both ends included. */
  missed: z.array(z.object({ path: z.string(), ranges: z.array(z.tuple([count, count])) })),
});
export type DiffCoverage = z.infer<typeof DiffCoverage>;

const Share = z.object({ covered: count, all: count });

/** What the tests that were run reached of all files in the coverage report; zeros where the tool does not count a kind. */
export const ReachedCode = z.object({ lines: Share, branches: Share, functions: Share });
export type ReachedCode = z.infer<typeof ReachedCode>;

/** Something done to tests that lets a change pass which would not: found by comparing the tests before and after. */
export const WeakenedTest = z.object({
  path: z.string(),
  line: count.optional(),
  kind: z.enum(["deleted_file", "deleted_test", "skipped_test", "weakened_assertion"]),
  /** One sentence. */
  what: z.string(),
});
export type WeakenedTest = z.infer<typeof WeakenedTest>;

/** What a testing phase came to (TEST-1). */
export const TestOutcome = z.object({
  headSha: z.string(),
  /** `not_run`: nothing was executed, and `reason` says why: no sandbox, no tests, no runner, packages missing, time. */
  outcome: z.enum(["passed", "failed", "not_run"]),
  reason: z.string().optional(),
  /** Nothing was run because there is nothing to run: no tests at all, or none that the change could break. A person need not be asked. */
  nothingToRun: z.boolean().optional(),
  runner: z.string().optional(),
  /** Why these tests: `affected` by the change, with integration tests, or all. */
  selection: z.enum(["affected", "integration", "full"]).optional(),
  /** Test files that were run. */
  files: count,
  passed: count,
  failed: count,
  skipped: count,
  failures: z.array(TestFailure).max(50),
  /** All that failed lacks something where the tests run, or was stopped at a limit: nothing of it is the change's fault. */
  blameless: z.boolean().optional(),
  /** Names of tests that failed once and passed when repeated. */
  flaky: z.array(z.string()).max(50),
  weakened: z.array(WeakenedTest).max(50),
  coverage: DiffCoverage.optional(),
  reached: ReachedCode.optional(),
  /** Why there is no coverage, where there is none. */
  coverageMissing: z.string().optional(),
  durationMs: count,
});
export type TestOutcome = z.infer<typeof TestOutcome>;
