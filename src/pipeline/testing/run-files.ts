import type { CoverageReport } from "../../analysis/tests/coverage-report.ts";
import {
  type FailedTest,
  FILE_ITSELF,
  failedTest,
  RUN_ITSELF,
  type TestReport,
} from "../../analysis/tests/test-results.ts";
import { defined } from "../../domain/defined.ts";
import { describeEnd } from "../../tools/run/clone-program.ts";
import { holdToExit, tailOf } from "../../tools/run/hold-to-exit.ts";
import { takesFiles } from "../../tools/run/test-command.ts";
import type { LimitHit, SandboxResult } from "../../workspace/sandbox/sandbox.ts";
import { type Execution, executeTests, type TestContext } from "./execute-tests.ts";
import type { TestPlan } from "./prepare-tests.ts";

/** A failure as it was seen, before anybody says what it means. */
export interface SeenFailure extends FailedTest {
  /** The limit at which the run of its file was stopped. */
  readonly limit?: LimitHit;
}

export interface Ran extends Omit<TestReport, "failures"> {
  readonly failures: readonly SeenFailure[];
  readonly coverage: CoverageReport | undefined;
  /** Test files that came to an end or were stopped, where they were run one by one. */
  readonly files: number | undefined;
}

export interface RunWish {
  /** Undefined: all. */
  readonly files: readonly string[] | undefined;
  readonly timeoutMs: number;
  readonly cover: readonly string[];
}

/** So many files are run one by one to find the one that hangs; of one, this long. */
const ONE_BY_ONE = { files: 40, leastMs: 5_000, mostMs: 60_000 } as const;

/**
 * Runs test files together, and where a limit stopped them one by one, so that what hangs, forks or eats memory is known by its file and
 * the others are not lost with it.
 * @throws {ToolFailure} `sandbox_failed`
 */
export async function runFiles(testContext: TestContext, plan: TestPlan, wish: RunWish): Promise<Ran> {
  const execution = await executeTests(testContext, { ...plan, ...wish });
  const { files, timeoutMs } = wish;
  const { limitHit } = execution.end;
  testContext.signal.throwIfAborted();
  if (limitHit === undefined || !takesFiles(plan.command) || !files || files.length > ONE_BY_ONE.files)
    return { ...whole(execution, timeoutMs), coverage: execution.coverage, files: undefined };
  if (files.length === 1) return { ...single(execution, files[0] ?? "", timeoutMs), coverage: undefined, files: 1 };
  return runOneByOne(testContext, plan, files, timeoutMs);
}

/** @param timeoutMs for all of them together */
export async function runOneByOne(
  testContext: TestContext,
  plan: TestPlan,
  files: readonly string[],
  timeoutMs: number,
): Promise<Ran> {
  const deadline = performance.now() + timeoutMs;
  const each = Math.min(ONE_BY_ONE.mostMs, Math.max(ONE_BY_ONE.leastMs, timeoutMs / files.length));
  const reports: Omit<Ran, "coverage" | "files">[] = [];
  for (const file of files) {
    testContext.signal.throwIfAborted();
    if (performance.now() > deadline) break;
    const execution = await executeTests(testContext, { ...plan, files: [file], timeoutMs: each, cover: [] });
    reports.push(single(execution, file, each));
  }
  const sum = (of: "passed" | "failed" | "skipped") => reports.reduce((total, report) => total + report[of], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    failures: reports.flatMap(({ failures }) => failures),
    coverage: undefined,
    files: reports.length,
  };
}

function single({ report, end }: Execution, file: string, timeoutMs: number): Omit<Ran, "coverage" | "files"> {
  if (report !== undefined) return holdToExit(report, end, { name: FILE_ITSELF, file });
  const message = end.limitHit === undefined ? tailOf(end) : describeEnd(end, timeoutMs);
  const failure = { ...failedTest(FILE_ITSELF, file, message), ...limitOf(end) };
  return { passed: 0, failed: 1, skipped: 0, failures: [failure] };
}

function whole({ report, end }: Execution, timeoutMs: number): Omit<Ran, "coverage" | "files"> {
  if (report === undefined) {
    const message = end.limitHit === undefined ? tailOf(end) : describeEnd(end, timeoutMs);
    const failure = { ...failedTest(RUN_ITSELF, undefined, message), ...limitOf(end) };
    return { passed: 0, failed: 1, skipped: 0, failures: [failure] };
  }
  return holdToExit(report, end);
}

function limitOf({ limitHit }: SandboxResult): { readonly limit?: LimitHit } {
  return defined({ limit: limitHit });
}
