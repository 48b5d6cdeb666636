import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { TestReport } from "../analysis/tests/test-results.ts";
import type { SandboxResult } from "../workspace/sandbox/sandbox.ts";
import { cleanText } from "./data/clean-text.ts";
import { cutLine, cutLines } from "./data/cut.ts";
import { fenceData } from "./data/fence-data.ts";
import { shownPath, showOutput } from "./data/show-text.ts";
import { requirePath, withTemporaryFile } from "./edit/change-files.ts";
import { describeEnd, type RunDependencies, runProgramInClone } from "./run/clone-program.ts";
import { holdToExit } from "./run/hold-to-exit.ts";
import { invokeTests } from "./run/test-invocation.ts";
import { outputOf, readTestReport, withoutReport } from "./run/test-report.ts";
import { detectTestRunner, isTestFile, MANIFESTS, type RunnerCommand, type TestRunner } from "./run/test-runner.ts";
import { given, type Tool, ToolFailure, type ToolResult } from "./tool.ts";

const TIMEOUT_MS = 300_000;
const MOST_FILES = 200;
const REPORT_CHARACTERS = 16_000;
const LINES_PER_FAILURE = 25;

/** Nothing is measured, and one test may take what all of them may. */
const PLAIN = {
  testSeconds: TIMEOUT_MS / 1_000,
  coverage: undefined,
  plugins: new Set<string>(),
  packages: new Set<string>(),
};

const Input = z.object({
  files: z.array(z.string().min(1)).max(MOST_FILES).default([]).describe("Test files to run"),
  affected_by: z
    .array(z.string().min(1))
    .max(MOST_FILES)
    .default([])
    .describe("Source files: the tests that import them, directly or not, are run"),
  name: z.string().max(300).optional().describe("Only tests whose name contains this"),
  with_file: z
    .object({ path: z.string().min(1), content: z.string().max(200_000) })
    .optional()
    .describe(
      "A test file that exists for this run only, to show that something fails: its path (new, beside the other tests) and whole text",
    ),
});
type Input = z.infer<typeof Input>;

export interface RunTestsDependencies extends RunDependencies {
  /** The test files that import one of these, directly or not. */
  readonly affectedTests?: (paths: readonly string[], signal: AbortSignal) => Promise<readonly string[]>;
}

export function runTests(dependencies: RunTestsDependencies): Tool<Input> {
  return {
    name: "run_tests",
    description:
      "Runs tests of the repository in a sandbox without network and gives how many passed and failed, with the messages of those that failed. The runner (vitest, jest, mocha, ava, tap, node:test or pytest) is found from the manifest. Name test files, or the source files whose tests are meant, or neither for all tests. To show that a fault is real, give a small test in with_file: it is removed after the run.",
    inputSchema: Input,
    readOnly: false,
    timeoutMs: TIMEOUT_MS + 60_000,
    mayRunMs: () => TIMEOUT_MS,
    run: async (input, context) => {
      const { paths } = given(await dependencies.clone.files.list(context.signal));
      const command = await findRunner(dependencies, paths, context.signal);
      const { runner } = command;
      const extra =
        input.with_file === undefined ? undefined : { ...input.with_file, path: requirePath(input.with_file.path) };
      const files = await chooseFiles(dependencies, input, runner, paths, context.signal);
      const chosen = extra === undefined ? files : [...(files ?? []), extra.path];
      if (chosen?.length === 0)
        return { text: "No test imports these files: nothing was run.", metrics: { passed: 0, failed: 0 } };
      const wish = { ...PLAIN, files: chosen, name: input.name, mark: randomBytes(12).toString("hex") };
      const { program, args, folder = "", env = {}, withLoader = false, results } = invokeTests(command, wish);
      const call = { program, args, folder, env, withLoader, timeoutMs: TIMEOUT_MS };
      const run = () => runProgramInClone(dependencies, call, context);
      const result = extra === undefined ? await run() : await withTemporaryFile(dependencies.clone.files, extra, run);
      const report = await readTestReport({ runner, results, signal: context.signal }, outputOf(result));
      return describe(
        dependencies,
        { runner, result: withoutReport(result, results), report },
        input.affected_by.length > 0 ? chosen : undefined,
      );
    },
  };
}

async function findRunner(
  { clone }: RunTestsDependencies,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<RunnerCommand> {
  const texts = await clone.files.readMany(
    MANIFESTS.filter((path) => paths.includes(path)),
    signal,
  );
  const command = detectTestRunner({ paths, textOf: (path) => texts.get(path)?.toString("utf8") });
  if (command !== undefined) return command;
  throw new ToolFailure(
    "no_runner",
    "No test runner was recognised (vitest, jest, mocha, ava, tap, node:test, pytest): use run_command if the repository has another one.",
  );
}

/** Undefined means all tests. */
async function chooseFiles(
  { affectedTests }: RunTestsDependencies,
  input: Input,
  runner: TestRunner,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const known = new Set(paths);
  // A new file that is also named is run once, like any other.
  const fresh = input.with_file && requirePath(input.with_file.path);
  const wanted = input.files.map(requirePath).filter((path) => path !== fresh);
  const named = [...wanted, ...input.affected_by.map(requirePath)];
  const unknown = named.filter((path) => !known.has(path));
  if (unknown.length > 0)
    throw new ToolFailure("not_found", `There is no file ${JSON.stringify(unknown[0])}: look for it with glob.`);
  const files = named.slice(0, wanted.length);
  const sources = named.slice(wanted.length);
  if (sources.length === 0) return files.length === 0 && input.with_file === undefined ? undefined : files;
  if (affectedTests === undefined)
    throw new ToolFailure("unavailable", "Which tests are affected cannot be told here: name test files.");
  const affected = (await affectedTests(sources, signal)).filter((path) => isTestFile(path, runner));
  return [...new Set([...files, ...affected])].slice(0, MOST_FILES);
}

interface Done {
  readonly runner: TestRunner;
  readonly result: SandboxResult;
  readonly report: TestReport | undefined;
}

/** @param affected the files that were found to be affected; undefined where the caller named them */
async function describe(
  { redact }: RunTestsDependencies,
  { runner, result, report: said }: Done,
  affected: readonly string[] | undefined,
): Promise<ToolResult> {
  const end = describeEnd(result, TIMEOUT_MS);
  const report = said && holdToExit(said, result);
  if (report === undefined) {
    const missing = result.code === 127 ? " The runner is not installed in this clone." : "";
    return {
      text: `${runner} gave no result. ${end}${missing}\n${await showOutput(result, redact)}`,
      metrics: { failed: 0, passed: 0 },
    };
  }
  const { passed, failed, skipped } = report;
  const head = `${runner}: ${passed} passed, ${failed} failed, ${skipped} skipped. ${end}`;
  const failures = report.failures.length === 0 ? undefined : await showFailures(report, redact);
  return {
    text: [head, affected && whichRan(affected), failures].filter((part) => part !== undefined).join("\n"),
    metrics: { passed, failed, skipped },
  };
}

/** Files that are named; the rest is counted. */
const MOST_NAMED = 10;

function whichRan(files: readonly string[]): string {
  const rest = files.length - MOST_NAMED;
  return `Ran ${files.slice(0, MOST_NAMED).map(shownPath).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
}

async function showFailures({ failures }: TestReport, redact: RunTestsDependencies["redact"]): Promise<string> {
  const rows = failures.flatMap(({ name, file, message }) => {
    const said = message.split("\n");
    const more = said.length - LINES_PER_FAILURE;
    const cut = more > 0 ? [`  [cut here: ${more} more lines; run this test alone with run_command to see them]`] : [];
    return [`FAILED ${file ?? "?"} > ${name}`, ...said.slice(0, LINES_PER_FAILURE).map((line) => `  ${line}`), ...cut];
  });
  const { lines } = await cleanText(rows.join("\n"), { redact, prose: false });
  const shown = cutLines(
    lines.map((line) => cutLine(line)),
    REPORT_CHARACTERS,
  );
  const cut = shown.left === 0 ? "" : `\nCut here: ${shown.left} more lines. Run fewer files, or give a name.`;
  return `${fenceData("failed tests", shown.lines.join("\n"))}${cut}`;
}
