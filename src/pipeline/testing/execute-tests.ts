import { randomBytes } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { AnalyserContext } from "../../analysis/analyser.ts";
import type { CoverageReport } from "../../analysis/tests/coverage-report.ts";
import { readCargoTests } from "../../analysis/tests/read-cargo-tests.ts";
import { readGoTests } from "../../analysis/tests/read-go-tests.ts";
import { type JunitFile, readCoverageInChild, readJunitInChild } from "../../analysis/tests/read-in-child.ts";
import { readPytest } from "../../analysis/tests/read-pytest.ts";
import { readSummary } from "../../analysis/tests/read-summary.ts";
import { readTap } from "../../analysis/tests/read-tap.ts";
import { readTestJson } from "../../analysis/tests/read-test-json.ts";
import { readUnittest } from "../../analysis/tests/read-unittest.ts";
import type { TestReport } from "../../analysis/tests/test-results.ts";
import { ForgeError } from "../../domain/errors.ts";
import { type RunDependencies, runProgramInClone } from "../../tools/run/clone-program.ts";
import type { TestCommand } from "../../tools/run/test-command.ts";
import {
  type InvocationOptions,
  invokeTests,
  type ResultPlace,
  type TestInvocation,
} from "../../tools/run/test-invocation.ts";
import { readTestReport, withoutReport } from "../../tools/run/test-report.ts";
import { needsNames } from "../../tools/run/test-runner.ts";
import { ToolFailure } from "../../tools/tool.ts";
import { removeFolder } from "../../workspace/remove-folder.ts";
import { BOX_FOLDER, type SandboxResult } from "../../workspace/sandbox/sandbox.ts";

export interface TestContext extends RunDependencies {
  /** A folder of ours for what is being read; nothing in it outlives a call. */
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
  /** Told how many test files are about to be run; nobody waits for it. */
  readonly running?: ((files: number) => void) | undefined;
}

export interface TestCall extends Pick<InvocationOptions, "files" | "packages" | "plugins"> {
  readonly command: TestCommand;
  /** All that there are, for runners that have to be told. */
  readonly tests?: readonly string[];
  readonly timeoutMs: number;
  /** Paths whose coverage is wanted; none: it is not measured. */
  readonly cover: readonly string[];
}

export interface Execution {
  /** Undefined where the runner did not get to its end. */
  readonly report: TestReport | undefined;
  readonly end: SandboxResult;
  readonly coverage: CoverageReport | undefined;
}

const MEBI = 1024 * 1024;

const READ_LIMITS = {
  timeoutMs: 30_000,
  cpuSeconds: 30,
  memoryBytes: 256 * MEBI,
  maxProcesses: 32,
  /** Coverage of a large repository, or the reports of some hundred suites. */
  maxOutputBytes: 48 * MEBI,
  maxFileBytes: MEBI,
};

/** Of a test that hangs by itself: long for a test, short against the whole. Seconds. */
const TEST_SECONDS = { least: 5, most: 120 };

/**
 * Runs tests in the sandbox and reads what came of it. What the run leaves behind in the clone stays there, but for its report.
 * @throws {ToolFailure} `sandbox_failed`
 */
export async function executeTests(testContext: TestContext, call: TestCall): Promise<Execution> {
  const { command, packages, plugins, timeoutMs, cover } = call;
  const files = call.files ?? (needsNames(command) ? call.tests : undefined);
  const coverage = cover.length === 0 ? undefined : `.forge-coverage-${randomBytes(6).toString("hex")}`;
  const testSeconds = Math.min(TEST_SECONDS.most, Math.max(TEST_SECONDS.least, Math.floor(timeoutMs / 4_000)));
  const mark = randomBytes(12).toString("hex");
  const invocation = invokeTests(command, { files, packages, plugins, coverage, testSeconds, mark });
  const { results } = invocation;
  const found = results !== "printed" && "junit" in results ? ["-type", "f", "-path", results.junit] : undefined;
  // What an earlier run left would be taken for what this one says.
  if (found) await look(testContext, "find", [".", ...found, "-delete"]);
  const { program, args, folder = "", env = {}, withLoader = false } = invocation;
  const end = await runProgramInClone(
    testContext,
    { program, args, folder, env, withLoader, timeoutMs },
    { signal: testContext.signal },
  );
  const junit = found && (await look(testContext, "find", [".", ...found, "-exec", "sh", "-c", SHOW, mark, "{}", "+"]));
  const printed = {
    stdout: end.stdout.toString("utf8"),
    stderr: end.stderr.toString("utf8"),
    junit: junit === undefined ? undefined : partedFiles(junit, mark),
  };
  const scratch = await mkdtemp(join(testContext.scratchRoot, "tests-"));
  try {
    const context = { signal: testContext.signal, scratch };
    // Half a run is none: what it printed so far may be the better half.
    const report = end.limitHit === undefined ? await readRun(call, results, printed, context) : undefined;
    return {
      report,
      end: withoutReport(end, results),
      coverage: await coverageOf(testContext, invocation, cover, context),
    };
  } finally {
    await removeFolder(scratch);
    if (coverage !== undefined) await look(testContext, "rm", ["-rf", "--", coverage]);
  }
}

/**
 * A sentence on why nothing could be run, where the sandbox is the reason.
 * @throws the signal's reason when it is aborted, and whatever else was thrown
 */
export function whySandboxFailed(thrown: unknown, signal: AbortSignal): string {
  signal.throwIfAborted();
  if ((thrown instanceof ToolFailure || thrown instanceof ForgeError) && thrown.code === "sandbox_failed")
    return `The sandbox failed: ${thrown.message}`;
  throw thrown;
}

async function coverageOf(
  testContext: TestContext,
  { coverage }: TestInvocation,
  paths: readonly string[],
  context: AnalyserContext,
): Promise<CoverageReport | undefined> {
  if (coverage === undefined) return undefined;
  // Read inside: what stands there is the repository's, and may be a link to anywhere.
  const text = await look(testContext, "cat", ["--", coverage.path]);
  if (text === undefined || text === "") return undefined;
  return readCoverageInChild(text, { format: coverage.format, root: BOX_FOLDER, paths }, context);
}

/** The output of a small program of the system; undefined where it fails. */
async function look(
  { clone, signal }: TestContext,
  command: string,
  args: readonly string[],
): Promise<string | undefined> {
  const { code, stdout, truncated } = await clone.run({ ...READ_LIMITS, command, args, signal });
  return code === 0 && !truncated ? stdout.toString("utf8") : undefined;
}

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly junit: readonly JunitFile[] | undefined;
}

/** Shows each file behind a line with a mark that nothing in it can know, and of one that is too large the name alone. */
const SHOW =
  'for file; do printf "\\n%s %s\\n" "$0" "$file"; if [ "$(stat -c %s -- "$file")" -lt 8388608 ]; then cat -- "$file"; fi; done';

function partedFiles(shown: string, mark: string): JunitFile[] {
  return shown
    .split(`\n${mark} `)
    .slice(1)
    .map((each) => {
      const end = each.indexOf("\n");
      return { name: each.slice(0, end).replace(/^\.\//, ""), text: each.slice(end + 1) };
    });
}

/** The report of a run, in the form of its runner; undefined where it did not get so far. */
async function readRun(
  { command, files }: Pick<TestCall, "command" | "files">,
  results: ResultPlace,
  { stdout, stderr, junit }: Printed,
  context: AnalyserContext,
): Promise<TestReport | undefined> {
  switch (command.runner) {
    case "vitest":
    case "jest":
    case "mocha":
    case "ava":
    case "tap":
    case "node:test":
    case "pytest":
      return readTestReport({ runner: command.runner, results, files, signal: context.signal }, { stdout, stderr });
    case "unittest":
      return readUnittest(stderr);
    case "go":
      return readGoTests(stdout, command.module, stderr);
    case "cargo":
      return readCargoTests(stdout);
    case "maven":
    case "gradle":
      return junit === undefined ? undefined : readJunitInChild(junit, context);
    case "configured":
      return readAny(stdout, stderr, context);
    default:
      return command satisfies never;
  }
}

/** A command of people's own prints what it likes: a report of one of the known forms, or what its runner says to people. */
async function readAny(stdout: string, stderr: string, context: AnalyserContext): Promise<TestReport | undefined> {
  if (/^\s*(?:<\?xml[^>]{0,200}\?>\s*)?<testsuites?[\s>]/.test(stdout.slice(0, 1_000)))
    return readJunitInChild([{ name: "the printed report", text: stdout }], context);
  if (stdout.includes('"numTotalTests"')) return readTestJson(stdout);
  if (/^TAP version 1[34]$/m.test(stdout)) return readTap(stdout);
  if (/^\{.{0,300}"Action":"/m.test(stdout)) return readGoTests(stdout, "", stderr);
  if (/^test result: /m.test(stdout)) return readCargoTests(stdout);
  if (/^Ran \d+ tests? in /m.test(stderr)) return readUnittest(stderr);
  const summary = readSummary(stdout) ?? readSummary(stderr);
  return summary ?? readPytest(stdout);
}
