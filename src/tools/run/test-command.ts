import { isTestName } from "../../analysis/tests/test-names.ts";
import { detectTestRunner, isTestFile, MANIFESTS, type ProjectFacts, type RunnerCommand } from "./test-runner.ts";

/**
 * How a project runs its tests, as a plain value: found from its manifests, or written down by people (`tools.test` of the
 * configuration), which stands above all that is found.
 */
export type TestCommand =
  | RunnerCommand
  | { readonly runner: "unittest" | "cargo" | "maven" }
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
  // Whatever of Python lies in the repository of a compiled language is a script, unless it says more.
  const sure = found !== undefined && (found.runner !== "pytest" || facts.textOf("pyproject.toml") !== undefined);
  if (found !== undefined && sure) return found;
  const module = /^module\s+"?([^\s"]{1,500})/m.exec(facts.textOf("go.mod") ?? "")?.[1];
  if (module !== undefined) return { runner: "go", module };
  if (facts.textOf("Cargo.toml") !== undefined) return { runner: "cargo" };
  if (facts.textOf("pom.xml") !== undefined) return { runner: "maven" };
  if (facts.textOf("build.gradle") !== undefined || facts.textOf("build.gradle.kts") !== undefined)
    return { runner: "gradle", wrapper: facts.paths.includes("gradlew") };
  return found;
}

/** Whether the command takes this file for one with tests. */
export function isTestOf({ runner }: TestCommand, path: string): boolean {
  switch (runner) {
    case "vitest":
    case "jest":
    case "pytest":
      return isTestFile(path, runner);
    case "node:test":
    case "mocha":
    case "ava":
    case "tap":
      return isTestFile(path, runner) && !isFixture(path);
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

/** These take every script below `test` for a test; what is named a fixture is none that anybody means. */
function isFixture(path: string): boolean {
  return /(?:^|\/)(?:__fixtures__|fixtures?|testdata|helpers?)\//.test(path);
}

/** Whether the command can be given files: others run everything. */
export function takesFiles({ runner }: TestCommand): boolean {
  return runner !== "configured" && runner !== "cargo";
}

/** Of test files the first that the runner cannot be given: pytest takes a bracket for the beginning of a case's name, and refuses it in a path. */
export function refusedFile({ runner }: TestCommand, files: readonly string[]): string | undefined {
  return runner === "pytest" ? files.find((path) => path.includes("[")) : undefined;
}

/** As people read it. */
export function nameOfCommand(command: TestCommand): string {
  return command.runner === "configured" ? command.command.join(" ") : command.runner;
}
