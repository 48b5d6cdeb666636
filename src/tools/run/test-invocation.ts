import { posix } from "node:path";
import type { CoverageFormat } from "../../analysis/tests/coverage-report.ts";
import type { TestCommand } from "./test-command.ts";
import { vitestCall } from "./test-runner.ts";

export interface InvocationOptions {
  /** Undefined: all tests. */
  readonly files: readonly string[] | undefined;
  /** Of one test, where the runner can be told: whole seconds. */
  readonly testSeconds: number;
  /** A name at the root that does not exist, for the coverage report; undefined where none is wanted. */
  readonly coverage: string | undefined;
  /** What is importable beside the runner: `pytest_cov`, `pytest_timeout`. */
  readonly plugins: ReadonlySet<string>;
  /** Packages that the manifest names. */
  readonly packages: ReadonlySet<string>;
}

/** How the result is told: printed, or written in JUnit's XML to files with this path, as `find` matches it. */
export type ResultPlace = "printed" | { readonly junit: string };

export interface TestInvocation {
  readonly program: string;
  readonly args: readonly string[];
  readonly results: ResultPlace;
  readonly coverage?: { readonly format: CoverageFormat; readonly path: string };
}

/** The command line for these tests. A path that looks like an option is made one that does not. */
export function invokeTests(command: TestCommand, options: InvocationOptions): TestInvocation {
  const files = options.files?.map((file) => (file.startsWith("-") ? `./${file}` : file));
  switch (command.runner) {
    case "vitest":
      return invokeVitest(files ?? [], options);
    case "jest":
      return invokeJest(files, options);
    case "node:test":
      return invokeNode(command, files, options);
    case "pytest":
      return invokePytest(files ?? [], options);
    case "unittest":
      return printed("python3", files ? ["-m", "unittest", "-v", ...files] : ["-m", "unittest", "discover", "-v"]);
    case "go": {
      const folders = options.files && [...new Set(options.files.map((file) => `./${posix.dirname(file)}`))];
      return printed("go", ["test", "-json", `-timeout=${options.testSeconds}s`, ...(folders ?? ["./..."])]);
    }
    case "cargo":
      return printed("cargo", ["test", "--offline", "--no-fail-fast"]);
    case "maven":
      return {
        program: "mvn",
        args: [
          "-B",
          "-o",
          "-fae",
          "test",
          ...(files ? [`-Dtest=${classNames(files).join(",")}`, ...NONE_IS_FINE] : []),
        ],
        results: { junit: "*/target/surefire-reports/TEST-*.xml" },
      };
    case "gradle": {
      const args = ["--offline", "--console=plain", "--continue", "test"];
      const chosen = files ? classNames(files).flatMap((name) => ["--tests", `*${name}`]) : [];
      return {
        program: command.wrapper ? "sh" : "gradle",
        args: [...(command.wrapper ? ["./gradlew"] : []), ...args, ...chosen],
        results: { junit: "*/build/test-results/*/TEST-*.xml" },
      };
    }
    case "configured": {
      const [program = "", ...args] = command.command;
      return printed(program, args);
    }
    default:
      return command satisfies never;
  }
}

/** Other modules of the build have no test of that name. */
const NONE_IS_FINE = ["-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false"];

function invokeVitest(files: readonly string[], { coverage, packages }: InvocationOptions): TestInvocation {
  const measured =
    coverage !== undefined && (packages.has("@vitest/coverage-v8") || packages.has("@vitest/coverage-istanbul"));
  const asked = measured
    ? [
        "--coverage.enabled",
        "--coverage.reportOnFailure",
        "--coverage.reporter=lcovonly",
        `--coverage.reportsDirectory=${coverage}`,
      ]
    : [];
  return {
    ...vitestCall([...asked, ...files]),
    results: "printed",
    ...(measured ? { coverage: { format: "lcov", path: `${coverage}/lcov.info` } } : {}),
  };
}

function invokeJest(files: readonly string[] | undefined, { coverage }: InvocationOptions): TestInvocation {
  const asked =
    coverage === undefined ? [] : ["--coverage", "--coverageReporters=lcovonly", `--coverageDirectory=${coverage}`];
  const chosen = files ? ["--runTestsByPath", ...files] : [];
  return {
    ...printed("node_modules/.bin/jest", ["--json", "--ci", ...asked, ...chosen]),
    ...(coverage === undefined ? {} : { coverage: { format: "lcov", path: `${coverage}/lcov.info` } }),
  };
}

function invokeNode(
  { options, patterns }: Extract<TestCommand, { runner: "node:test" }>,
  files: readonly string[] | undefined,
  { coverage, testSeconds }: InvocationOptions,
): TestInvocation {
  const asked =
    coverage === undefined
      ? []
      : ["--experimental-test-coverage", "--test-reporter=lcov", `--test-reporter-destination=${coverage}`];
  const how = ["--test", `--test-timeout=${testSeconds * 1_000}`, "--test-force-exit"];
  const report = ["--test-reporter=tap", "--test-reporter-destination=stdout", ...asked];
  return {
    ...printed("node", [...options, ...how, ...report, ...(files ?? patterns)]),
    ...(coverage === undefined ? {} : { coverage: { format: "lcov", path: coverage } }),
  };
}

function invokePytest(files: readonly string[], { coverage, plugins, testSeconds }: InvocationOptions): TestInvocation {
  const measured = coverage !== undefined && plugins.has("pytest_cov");
  const how = ["-m", "pytest", "-q", "-rfE", "--tb=short", "--color=no", "-p", "no:cacheprovider"];
  const more = [
    "--continue-on-collection-errors",
    ...(plugins.has("pytest_timeout") ? [`--timeout=${testSeconds}`] : []),
    ...(measured ? ["--cov", `--cov-report=xml:${coverage}`] : []),
  ];
  return {
    ...printed("python3", [...how, ...more, ...files]),
    ...(measured ? { coverage: { format: "cobertura", path: coverage } } : {}),
  };
}

function printed(program: string, args: readonly string[]): TestInvocation {
  return { program, args, results: "printed" };
}

/** Classes of Java and Kotlin, by the names of their files. */
function classNames(files: readonly string[]): string[] {
  return files.map((file) => posix.basename(file).replace(/\.[^.]+$/, "")).filter((name) => /^\w+$/.test(name));
}
