import { posix } from "node:path";
import type { CoverageFormat } from "../../analysis/tests/coverage-report.ts";
import { TYPESCRIPT_LOADER } from "../../workspace/typescript-loader.ts";
import { refusedFile, type TestCommand } from "./test-command.ts";
import type { ScriptCommand } from "./test-runner.ts";

export interface InvocationOptions {
  /** Undefined: all tests. */
  readonly files: readonly string[] | undefined;
  /** Only tests whose name contains this, where the runner can be told. */
  readonly name?: string | undefined;
  /** Of one test, where the runner can be told: whole seconds. */
  readonly testSeconds: number;
  /** A name at the root that does not exist, for the coverage report; undefined where none is wanted. */
  readonly coverage: string | undefined;
  /** What is importable beside the runner: `pytest_cov`, `pytest_timeout`. */
  readonly plugins: ReadonlySet<string>;
  /** Packages that the manifest names. */
  readonly packages: ReadonlySet<string>;
  /** Nothing that a test prints by chance: what the runner wrote follows it in the output. */
  readonly mark: string;
}

/**
 * How the result is told: printed; in a file that is printed behind a line with a mark; by programs of which each one's output ends with such
 * a line; or in JUnit's XML in files with this path, as `find` matches it.
 */
export type ResultPlace =
  | "printed"
  | { readonly behind: string }
  | { readonly each: string }
  | { readonly junit: string };

export interface TestInvocation {
  readonly program: string;
  readonly args: readonly string[];
  /** Where it is started, from the root. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly withLoader?: boolean;
  readonly results: ResultPlace;
  readonly coverage?: { readonly format: CoverageFormat; readonly path: string };
}

/** The command line for these tests. A path that looks like an option is made one that does not. */
export function invokeTests(command: TestCommand, options: InvocationOptions): TestInvocation {
  const files = options.files?.map((file) => (file.startsWith("-") ? `./${file}` : file));
  switch (command.runner) {
    case "vitest":
    case "jest":
    case "mocha":
    case "ava":
    case "tap":
    case "node:test":
      return invokeScript(command, options);
    case "pytest":
      return invokePytest(files ?? [], options);
    case "unittest":
      return printed("python3", files ? ["-m", "unittest", "-v", ...files] : ["-m", "unittest", "discover", "-v"]);
    case "go": {
      const folders = options.files && [...new Set(options.files.map((file) => `./${posix.dirname(file)}`))];
      return printed("go", ["test", "-json", `-timeout=${options.testSeconds}s`, ...(folders ?? ["./..."])]);
    }
    case "cargo":
      return printed("cargo", ["test", "--offline", "--no-fail-fast", "--workspace"]);
    case "maven":
      return {
        program: "mvn",
        args: [
          "-B",
          "-o",
          "-fae",
          // Or the modules that need one with a failed test would be left out. The reports name what failed.
          "-Dmaven.test.failure.ignore=true",
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

/** A runner of JavaScript, with what the project's own script gives it. */
function invokeScript(command: ScriptCommand, options: InvocationOptions): TestInvocation {
  const { runner, folder = "", nodeOptions = [], needsLoader = false } = command;
  const within = options.files?.map((file) => {
    const path = folder === "" ? file : posix.relative(folder, file);
    return path.startsWith("-") ? `./${path}` : path;
  });
  const files = within ?? (runner === "vitest" || runner === "jest" ? [] : [...(command.patterns ?? [])]);
  const loader = needsLoader && TYPESCRIPT_LOADER ? ["--import", TYPESCRIPT_LOADER.file] : [];
  const ofNode = [...nodeOptions, ...loader];
  // A runner starts further processes: what Node is told reaches them by its variable alone.
  const told = [command.env?.NODE_OPTIONS ?? "", ...ofNode.filter((each) => each !== "--expose-gc").map(quoted)];
  const all = told.filter((each) => each !== "").join(" ");
  const env = { ...command.env, ...(all === "" ? {} : { NODE_OPTIONS: all }) };
  const shown = loader.length === 0 ? {} : { withLoader: true };
  const place = { ...(folder === "" ? {} : { folder }), ...shown, results: "printed" } as const;
  const local = folder === "" ? `node_modules/.bin/${runner}` : runner;
  const given = withoutBail(command.options ?? []);
  switch (runner) {
    case "vitest": {
      const { asked, coverage } = vitestCoverage(options);
      const named = options.name === undefined ? [] : [`--testNamePattern=${literal(options.name)}`];
      const args = [
        "run",
        "--reporter=json",
        `--outputFile=${REPORT}`,
        "--bail=0",
        ...given,
        ...named,
        ...asked,
        ...files,
      ];
      return { ...place, ...withEnv(env), ...reported(options, local, args), ...coverage };
    }
    case "mocha": {
      const named = options.name === undefined ? [] : ["--fgrep", options.name];
      const how = ["--no-bail", "--reporter", "json", "--reporter-option", `output=${REPORT}`];
      return { ...place, ...withEnv(env), ...reported(options, local, [...given, ...how, ...named, ...files]) };
    }
    case "jest": {
      const asked = options.coverage === undefined ? [] : jestCoverage(options.coverage);
      const named = options.name === undefined ? [] : [`--testNamePattern=${literal(options.name)}`];
      const chosen = within === undefined || within.length === 0 ? [] : ["--runTestsByPath", ...files];
      const args = ["--json", `--outputFile=${REPORT}`, "--ci", "--bail=0", ...given, ...named, ...asked, ...chosen];
      const coverage = { format: "lcov", path: posix.join(folder, `${options.coverage}/lcov.info`) } as const;
      return {
        ...place,
        ...withEnv(env),
        ...reported(options, local, args),
        ...(asked.length === 0 ? {} : { coverage }),
      };
    }
    case "ava": {
      const named = options.name === undefined ? [] : [`--match=*${options.name}*`];
      return { ...place, ...withEnv(env), program: local, args: ["--tap", ...given, ...named, ...files] };
    }
    case "tap":
      // Such a file is a program that prints its report.
      return {
        ...place,
        ...withEnv(env),
        ...{ program: "sh", args: ["-c", EACH, "tap", options.mark, ...files] },
        results: { each: options.mark },
      };
    case "node:test": {
      const named = within === undefined ? files : files.map(asPattern);
      return { ...place, ...withEnv(command.env ?? {}), ...invokeNode(ofNode, named, folder, options) };
    }
    default:
      return runner satisfies never;
  }
}

function withEnv(env: Readonly<Record<string, string>>) {
  return Object.keys(env).length === 0 ? {} : { env };
}

function quoted(option: string): string {
  return /[\s"\\]/.test(option) ? JSON.stringify(option) : option;
}

/** In the sandbox's own temporary folder, which goes with the run. */
const REPORT = "/tmp/forge-tests.report";

/**
 * Runners write their report to a file, so that nothing that a test prints gets into it. What they print to is nothing that they can open as
 * one. The text of the script is always this; file names and patterns are arguments that no shell reads.
 */
const SCRIPT = `mark=$1; shift; "$0" "$@"; code=$?; printf '\\n%s\\n' "$mark"; cat ${REPORT} 2>/dev/null; exit $code`;
const EACH = `mark=$1; shift; code=0; for file in "$@"; do node --test-reporter=tap "$file"; end=$?; [ $end = 0 ] || code=1; printf '\\n%s %s %s\\n' "$mark" $end "$file"; printf '\\n%s\\n' "$mark" >&2; done; exit $code`;

function reported({ mark }: InvocationOptions, program: string, args: readonly string[]) {
  return { program: "sh", args: ["-c", SCRIPT, program, mark, ...args], results: { behind: mark } };
}

function vitestCoverage({ coverage, packages }: InvocationOptions) {
  const measured =
    coverage !== undefined && (packages.has("@vitest/coverage-v8") || packages.has("@vitest/coverage-istanbul"));
  if (!measured) return { asked: [], coverage: {} };
  const asked = [
    "--coverage.enabled",
    "--coverage.reportOnFailure",
    "--coverage.reporter=lcovonly",
    `--coverage.reportsDirectory=${coverage}`,
  ];
  return { asked, coverage: { coverage: { format: "lcov", path: `${coverage}/lcov.info` } as const } };
}

function jestCoverage(folder: string): string[] {
  return ["--coverage", "--coverageReporters=lcovonly", `--coverageDirectory=${folder}`];
}

function invokeNode(
  nodeOptions: readonly string[],
  files: readonly string[],
  folder: string,
  { coverage, testSeconds, name }: InvocationOptions,
): Pick<TestInvocation, "program" | "args" | "coverage"> {
  const asked =
    coverage === undefined
      ? []
      : ["--experimental-test-coverage", "--test-reporter=lcov", `--test-reporter-destination=${coverage}`];
  const how = ["--test", `--test-timeout=${testSeconds * 1_000}`, "--test-force-exit"];
  const named = name === undefined ? [] : [`--test-name-pattern=${literal(name)}`];
  const report = ["--test-reporter=tap", "--test-reporter-destination=stdout", ...asked];
  return {
    program: "node",
    args: [...nodeOptions, ...how, ...named, ...report, ...files],
    ...(coverage === undefined ? {} : { coverage: { format: "lcov", path: posix.join(folder, coverage) } as const }),
  };
}

/** Node takes a path for a pattern: of `[id].test.js` it would run nothing and pass. What stands for any character fits the file. */
function asPattern(path: string): string {
  return path.replace(/[*?[{(]/g, "?");
}

/** A run that ends at its first failure would hide the others behind one that the change did not cause. */
function withoutBail(options: readonly string[]): string[] {
  const isBail = (option: string | undefined) => option === "--bail" || option === "-b";
  return options.filter(
    (option, at) =>
      !isBail(option) && !option.startsWith("--bail=") && !(isBail(options[at - 1]) && /^\d+$/.test(option)),
  );
}

/** Runners take a regular expression; people and models give a name. */
function literal(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function invokePytest(files: readonly string[], options: InvocationOptions): TestInvocation {
  const { coverage, plugins, testSeconds, name } = options;
  const measured = coverage !== undefined && plugins.has("pytest_cov");
  const how = ["-m", "pytest", "-q", "-rfE", "--tb=short", "--color=no", "-p", "no:cacheprovider"];
  const more = [
    "--continue-on-collection-errors",
    // Stands behind the project's own options, of which the last one counts.
    "--maxfail=0",
    // The first form alone names the files.
    ...["-o", "junit_family=xunit1", `--junitxml=${REPORT}`],
    ...(plugins.has("pytest_timeout") ? [`--timeout=${testSeconds}`] : []),
    ...(name === undefined ? [] : ["-k", name]),
    ...(measured ? ["--cov", `--cov-report=xml:${coverage}`] : []),
  ];
  // Without files it runs all.
  const named = refusedFile({ runner: "pytest" }, files) === undefined ? files : [];
  return {
    ...reported(options, "python3", [...how, ...more, ...named]),
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
