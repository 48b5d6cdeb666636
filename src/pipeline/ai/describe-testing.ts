import { findTestCommand, TEST_MANIFESTS, type TestCommand } from "../../tools/run/test-command.ts";
import { invokeTests } from "../../tools/run/test-invocation.ts";
import {
  detectTestRunner,
  isPackage,
  MANIFESTS,
  type RunnerCommand,
  TEST_RUNNERS,
} from "../../tools/run/test-runner.ts";
import type { RepositoryFiles } from "../../workspace/files/repository-files.ts";
import { openSandbox } from "../../workspace/sandbox/open-sandbox.ts";

/**
 * How a new test file of this repository is executed here, in words for a model that shall write one (REV-4). Undefined where it cannot
 * be: there is no sandbox, or no test runner that is known.
 */
export async function describeTesting(
  files: RepositoryFiles,
  installed: "all" | "none",
  signal: AbortSignal,
): Promise<string | undefined> {
  if ("unavailable" in (await openSandbox())) return undefined;
  const listed = await files.list(signal);
  if (!listed.ok) return undefined;
  const texts = await files.readMany(
    MANIFESTS.filter((path) => listed.paths.includes(path)),
    signal,
  );
  const command = detectTestRunner({ paths: listed.paths, textOf: (path) => texts.get(path)?.toString("utf8") });
  if (command === undefined || (installed === "none" && isPackage(command.runner))) return undefined;
  const shown = shownCommand(command);
  const packages =
    installed === "none"
      ? " Packages of the repository are not installed: import only its own files and what comes with the runtime."
      : "";
  return `\`${shown}\` at the root of the repository, Node ${process.versions.node}, no network; nothing is built before.${packages}`;
}

/** How its report gets out of the sandbox is no concern of who writes a test. */
function shownCommand(command: RunnerCommand): string {
  switch (command.runner) {
    case "vitest":
      return "vitest run <your file>";
    case "node:test":
      return "node --test <your file>";
    case "pytest":
      return "python3 -m pytest <your file>";
    case "tap":
      return "node <your file>";
    case "jest":
    case "mocha":
    case "ava":
      return `${command.runner} <your file>`;
  }
}

/** How tests are executed in the work on an issue, or why they are not: the planner, the implementer and Forge itself go by the same. */
export interface TestingWords {
  /** In words that follow "by". */
  readonly testing?: string;
  /** A sentence. */
  readonly testingMissing?: string;
}

/**
 * @param packagesMissing why the packages of the repository are not installed, in a sentence; undefined where they are, or none are needed
 * @param configured `tools.test` of the configuration
 */
export async function describeTests(
  files: RepositoryFiles,
  {
    packagesMissing,
    configured,
  }: { readonly packagesMissing: string | undefined; readonly configured?: readonly string[] | undefined },
  signal: AbortSignal,
): Promise<TestingWords> {
  const found = await openSandbox();
  if ("unavailable" in found) return { testingMissing: "There is no sandbox on this machine to run them in." };
  const listed = await files.list(signal);
  if (!listed.ok) return { testingMissing: listed.detail };
  const texts = await files.readMany(
    TEST_MANIFESTS.filter((path) => listed.paths.includes(path)),
    signal,
  );
  const command = findTestCommand(
    { paths: listed.paths, textOf: (path) => texts.get(path)?.toString("utf8") },
    configured,
  );
  if (command === undefined) return { testingMissing: "No way to run them was found in the manifests." };
  if (packagesMissing !== undefined && isPackage(command.runner))
    return { testingMissing: `The packages of the repository are missing: ${packagesMissing.replace(/\.$/, "")}.` };
  if (!isRunnerCommand(command)) {
    const { program, args } = invokeTests(command, PLAIN);
    return { testing: `run_command with program ${JSON.stringify(program)} and args ${JSON.stringify(args)}.` };
  }
  const testing = await describeTesting(files, packagesMissing === undefined ? "all" : "none", signal);
  return testing === undefined ? {} : { testing: `run_tests, so: ${testing}` };
}

/** Nothing is measured, and all tests are meant. */
const PLAIN = {
  files: undefined,
  testSeconds: 300,
  coverage: undefined,
  plugins: new Set<string>(),
  packages: new Set<string>(),
  mark: "",
};

function isRunnerCommand(command: TestCommand): command is RunnerCommand {
  return (TEST_RUNNERS as readonly string[]).includes(command.runner);
}
