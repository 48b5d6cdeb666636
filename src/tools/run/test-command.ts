import { isTestName } from "../../analysis/tests/test-names.ts";
import { detectTestRunner, isTestFile, MANIFESTS, type ProjectFacts, type TestRunner } from "./test-runner.ts";

/**
 * How a project runs its tests, as a plain value: found from its manifests, or written down by people (`tools.test` of the
 * configuration), which stands above all that is found.
 */
export type TestCommand =
  | { readonly runner: Exclude<TestRunner, "node:test"> | "unittest" | "cargo" | "maven" }
  | { readonly runner: "node:test"; readonly options: readonly string[]; readonly patterns: readonly string[] }
  | { readonly runner: "go"; readonly module: string }
  | { readonly runner: "gradle"; readonly wrapper: boolean }
  | { readonly runner: "configured"; readonly command: readonly string[] };

/** Files at the root that a way to run tests is found by. */
export const TEST_MANIFESTS = [
  ...MANIFESTS,
  "go.mod",
  "Cargo.toml",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
] as const;

/** @param configured program and arguments of the configuration */
export function findTestCommand(facts: ProjectFacts, configured?: readonly string[]): TestCommand | undefined {
  if (configured !== undefined && configured.length > 0) return { runner: "configured", command: configured };
  const found = detectTestRunner(facts);
  if (found === "node:test") return { runner: found, ...nodeTestArguments(facts.textOf("package.json")) };
  // Whatever of Python lies in the repository of a compiled language is a script, unless it says more.
  const sure = found !== undefined && (found !== "pytest" || facts.textOf("pyproject.toml") !== undefined);
  if (found !== undefined && sure) return { runner: found };
  const module = /^module\s+"?([^\s"]{1,500})/m.exec(facts.textOf("go.mod") ?? "")?.[1];
  if (module !== undefined) return { runner: "go", module };
  if (facts.textOf("Cargo.toml") !== undefined) return { runner: "cargo" };
  if (facts.textOf("pom.xml") !== undefined) return { runner: "maven" };
  if (facts.textOf("build.gradle") !== undefined || facts.textOf("build.gradle.kts") !== undefined)
    return { runner: "gradle", wrapper: facts.paths.includes("gradlew") };
  return found === undefined ? undefined : { runner: found };
}

/** Whether the command takes this file for one with tests. */
export function isTestOf({ runner }: TestCommand, path: string): boolean {
  switch (runner) {
    case "vitest":
    case "jest":
    case "node:test":
    case "pytest":
      return isTestFile(path, runner) && (runner !== "node:test" || !isFixture(path));
    case "unittest":
      return isTestFile(path, "pytest");
    case "go":
      return path.endsWith("_test.go");
    case "cargo":
      return path.endsWith(".rs") && isTestName(path);
    case "maven":
    case "gradle":
      return /\.(?:java|kt)$/.test(path) && isTestName(path);
    case "configured":
      return isTestName(path);
    default:
      return runner satisfies never;
  }
}

/** `node --test` takes every script below `test` for a test; what is named a fixture is none that anybody means. */
function isFixture(path: string): boolean {
  return /(?:^|\/)(?:__fixtures__|fixtures?|testdata|helpers?)\//.test(path);
}

/** Whether the command can be given files: others run everything. */
export function takesFiles({ runner }: TestCommand): boolean {
  return runner !== "configured" && runner !== "cargo";
}

/** As people read it. */
export function nameOfCommand(command: TestCommand): string {
  return command.runner === "configured" ? command.command.join(" ") : command.runner;
}

interface NodeTestArguments {
  /** Options of Node that the project's tests need, such as a loader. */
  readonly options: readonly string[];
  /** Which files it takes for tests, where it says so. */
  readonly patterns: readonly string[];
}

const NONE: NodeTestArguments = { options: [], patterns: [] };

/** Options with which code is loaded; the others say how tests are reported, which is ours to choose. */
const LOADING =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C|--env-file(?:-if-exists)?|--experimental-(?!test-coverage)[\w-]+|--no-experimental-[\w-]+|--no-warnings|--disable-warning|--enable-source-maps|--expose-gc|--test-isolation|--test-global-setup|--test-setup)(?:=|$)/;
const WITH_VALUE =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C|--disable-warning|--test-global-setup|--test-setup|--test-reporter|--test-reporter-destination|--test-concurrency|--test-timeout|--test-name-pattern|--test-isolation)$/;

/**
 * What the project's own `node --test` script says beside that, read and never run: `npm test` would need npm, and would report as it
 * likes. A script that is more than one command says nothing.
 * @param manifest text of package.json
 */
export function nodeTestArguments(manifest: string | undefined): NodeTestArguments {
  const script = testScript(manifest);
  if (!/^node\s/.test(script) || /[&|;<>`$\n]/.test(script)) return NONE;
  const [, ...words] = [...script.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
  const options: string[] = [];
  const patterns: string[] = [];
  const rest = words.values();
  for (const word of rest) {
    if (!word.startsWith("-")) {
      patterns.push(word);
      continue;
    }
    const value = WITH_VALUE.test(word) ? [rest.next().value ?? ""] : [];
    if (LOADING.test(word)) options.push(word, ...value);
  }
  return { options, patterns };
}

function testScript(manifest: string | undefined): string {
  try {
    const parsed = JSON.parse(manifest ?? "{}") as { scripts?: Record<string, unknown> } | null;
    return typeof parsed?.scripts?.test === "string" ? parsed.scripts.test.trim() : "";
  } catch {
    return "";
  }
}
