import { isTestPath } from "../../analysis/classify-file.ts";
import { NO_SOURCE } from "../../analysis/map/import-graph.ts";
import type { EnvironmentFacts } from "../../analysis/tests/environment-fault.ts";
import { isFixture, isSettings } from "../../analysis/tests/selection/file-kinds.ts";
import { namedBySettings, PYTEST_SETTINGS } from "../../analysis/tests/selection/python-files.ts";
import { holdsSuite } from "../../analysis/tests/selection/suites.ts";
import { languageOfCode } from "../../analysis/tests/test-names.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { TestOutcome } from "../../domain/test-report.ts";
import { runProgramInClone } from "../../tools/run/clone-program.ts";
import {
  findTestCommand,
  isTestOf,
  nameOfCommand,
  TEST_MANIFESTS,
  type TestCommand,
} from "../../tools/run/test-command.ts";
import { isPackage, needsNames } from "../../tools/run/test-runner.ts";
import type { Clone } from "../../workspace/clone.ts";
import type { TestContext } from "./execute-tests.ts";

/** How the tests of this head are run, and what is known of them before one is. */
export interface TestPlan {
  readonly command: TestCommand;
  readonly paths: readonly string[];
  /** Files with tests, sorted. */
  readonly tests: readonly string[];
  /** Packages that the manifest names. */
  readonly packages: ReadonlySet<string>;
  /** Of pytest. */
  readonly plugins: ReadonlySet<string>;
}

/** Facts to judge failures by. */
export function factsOf({ packages, paths }: TestPlan): EnvironmentFacts {
  return { packages, paths: new Set(paths) };
}

export interface NotRun {
  /** Why nothing was executed: a sentence. */
  readonly notRun: string;
  /** There is nothing to run, which is no fault of the place. */
  readonly nothingToRun?: boolean;
  /** There are tests, and of these none was selected. */
  readonly selection?: TestOutcome["selection"];
}

const PROBE =
  "import importlib.util as u; print(*[m for m in ('pytest', 'pytest_cov', 'pytest_timeout') if u.find_spec(m)])";
const PROBE_MS = 30_000;
/** Files of code that are looked into for tests where none is called like one. */
const MOST_SEARCHED = 1_000;
/** Files that are looked into for the module that they use. */
const LOOKED_INTO = 50;

/** @throws {ToolFailure} `sandbox_failed` */
export async function prepareTests(
  testContext: TestContext,
  { test }: Pick<RepoConfig["tools"], "test">,
  packagesMissing: string | undefined,
): Promise<TestPlan | NotRun> {
  const { clone, signal } = testContext;
  const listed = await clone.files.list(signal);
  if (!listed.ok) return { notRun: listed.detail };
  const { paths } = listed;
  const texts = await clone.files.readMany(
    TEST_MANIFESTS.filter((path) => paths.includes(path)),
    signal,
  );
  const textOf = (path: string) => texts.get(path)?.toString("utf8");
  const command = findTestCommand({ paths, textOf }, test);
  if (command === undefined)
    return {
      notRun: "No way to run tests was found: name one as `tools.test` in `.github/forge.yml`.",
      nothingToRun: !paths.some(isTestPath),
    };
  const tests = paths.filter((path) => isTestOf(command, path)).sort();
  // Cargo keeps unit tests in the code, and what people configured knows its tests itself.
  if (tests.length === 0 && command.runner !== "cargo" && command.runner !== "configured") {
    const { found, unread } = await findUnnamedTest(clone, command, paths, signal);
    const runner = nameOfCommand(command);
    if (found === undefined && unread === undefined)
      return { notRun: `The repository has no tests for ${runner}.`, nothingToRun: true };
    // Its settings say which files it runs, as long as it is not given any.
    if (!isAskedWithoutNames(command)) {
      const why = found === undefined ? `Forge did not look into ${unread}` : `${found} seems to hold some`;
      return { notRun: `No file is called like a test of ${runner}, and ${why}.` };
    }
  }
  if (packagesMissing !== undefined && isPackage(command.runner))
    return { notRun: `The packages of the repository are missing: ${packagesMissing}` };
  const plan = { paths, tests, packages: namedPackages(textOf("package.json")) };
  if (command.runner !== "pytest") return { ...plan, command, plugins: new Set() };
  const plugins = await probePython(testContext);
  if (plugins.has("pytest")) return { ...plan, command, plugins };
  return (await usesUnittest(clone, tests, signal))
    ? { ...plan, command: { runner: "unittest" }, plugins: new Set() }
    : { notRun: "pytest is not installed where the tests run." };
}

async function probePython(testContext: TestContext): Promise<ReadonlySet<string>> {
  const call = { program: "python3", args: ["-c", PROBE], folder: "", timeoutMs: PROBE_MS };
  const { code, stdout } = await runProgramInClone(testContext, call, { signal: testContext.signal });
  return new Set(code === 0 ? stdout.toString("utf8").trim().split(/\s+/) : []);
}

function isAskedWithoutNames(command: TestCommand): boolean {
  return command.runner === "pytest" || (isPackage(command.runner) && !needsNames(command));
}

/** A file that holds tests and is not called like one. Without any, a file that was not looked into. */
async function findUnnamedTest(
  clone: Clone,
  { runner }: TestCommand,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly found?: string; readonly unread?: string }> {
  const language = runner === "pytest" ? "python" : "script";
  if (language === "script" && !isPackage(runner)) return {};
  const isOfPytest = (path: string) => PYTEST_SETTINGS.includes(path);
  const settings = await clone.files.readMany(paths.filter(isOfPytest), signal);
  const isNamed = namedBySettings([...settings.values()].map((text) => text.toString("utf8")));
  const code = paths.filter(
    (path) => languageOfCode(path) === language && !isFixture(path) && !NO_SOURCE.test(path) && !isSettings(path),
  );
  const named = language === "python" ? code.find(isNamed) : undefined;
  if (named !== undefined) return { found: named };
  const texts = await clone.files.readMany(code.slice(0, MOST_SEARCHED), signal);
  for (const [path, text] of texts)
    if (holdsSuite(text.toString("utf8"), language === "python")) return { found: path };
  const unread = code.find((path) => !texts.has(path));
  return unread === undefined ? {} : { unread };
}

/** Tests in the form that comes with Python need nothing else. */
async function usesUnittest(clone: Clone, tests: readonly string[], signal: AbortSignal): Promise<boolean> {
  const texts = [...(await clone.files.readMany(tests.slice(0, LOOKED_INTO), signal)).values()];
  const using = (module: string) =>
    texts.some((text) => new RegExp(`^(?:import|from) ${module}\\b`, "m").test(text.toString("utf8")));
  return using("unittest") && !using("pytest");
}

function namedPackages(manifest: string | undefined): ReadonlySet<string> {
  try {
    const parsed = JSON.parse(manifest ?? "{}") as Record<string, unknown> | null;
    const lists = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
    return new Set(lists.flatMap((name) => Object.keys((parsed?.[name] as object | undefined) ?? {})));
  } catch {
    return new Set();
  }
}
