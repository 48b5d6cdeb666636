import { posix } from "node:path";

export const TEST_RUNNERS = ["vitest", "jest", "node:test", "pytest"] as const;
export type TestRunner = (typeof TEST_RUNNERS)[number];

export interface ProjectFacts {
  readonly paths: readonly string[];
  /** Text of a file at the root, undefined when there is none. */
  readonly textOf: (path: string) => string | undefined;
}

/** Files at the root that a runner is found by. */
export const MANIFESTS = ["package.json", "pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini"] as const;

/** How this project runs its tests, from its manifest and configuration; undefined when none of ours is recognised. */
export function detectTestRunner({ paths, textOf }: ProjectFacts): TestRunner | undefined {
  const manifest = parseManifest(textOf("package.json"));
  const atRoot = (pattern: RegExp) => paths.some((path) => !path.includes("/") && pattern.test(path));
  const script = manifest.testScript;
  // What the script says stands above what is merely installed.
  if (/\bvitest\b/.test(script)) return "vitest";
  if (/\bjest\b/.test(script)) return "jest";
  const node = script.search(/\bnode\b/);
  if (node !== -1 && /\s--test\b/.test(script.slice(node))) return "node:test";
  if (manifest.dependencies.has("vitest") || atRoot(/^vitest\.config\.[cm]?[jt]s$/)) return "vitest";
  if (manifest.dependencies.has("jest") || atRoot(/^jest\.config\.(?:[cm]?[jt]s|json)$/)) return "jest";
  const pytestSettings = /\[tool\.pytest|\[tool:pytest\]|\[pytest\]|\bpytest\b/;
  if (["pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini"].some((path) => pytestSettings.test(textOf(path) ?? "")))
    return "pytest";
  if (textOf("package.json") !== undefined && paths.some((path) => isTestFile(path, "node:test"))) return "node:test";
  if (paths.some((path) => isTestFile(path, "pytest"))) return "pytest";
  return undefined;
}

export function isTestFile(path: string, runner: TestRunner): boolean {
  const name = posix.basename(path);
  if (runner === "pytest") return /^test_.*\.py$|_test\.py$/.test(name);
  if (/[._-](?:test|spec)\.[cm]?[jt]sx?$/.test(name)) return true;
  if (runner === "jest") return /(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?$/.test(path);
  return runner === "node:test" && /(?:^|\/)test\/.*\.[cm]?[jt]s$|(?:^|\/)test(?:-[^/]*)?\.[cm]?[jt]s$/.test(path);
}

export interface TestCall {
  readonly program: string;
  readonly args: readonly string[];
}

/** The command line for these files, all when there are none; a name that looks like an option is made a path. */
export function testCommand(runner: TestRunner, files: readonly string[], name: string | undefined): TestCall {
  const places = files.map((file) => (file.startsWith("-") ? `./${file}` : file));
  switch (runner) {
    case "vitest":
      return vitestCall([...(name === undefined ? [] : [`--testNamePattern=${literal(name)}`]), ...places]);
    case "jest": {
      const chosen = places.length === 0 ? [] : ["--runTestsByPath", ...places];
      return local("jest", [
        "--json",
        "--ci",
        ...(name === undefined ? [] : [`--testNamePattern=${literal(name)}`]),
        ...chosen,
      ]);
    }
    case "node:test":
      return {
        program: "node",
        args: [
          "--test",
          "--test-reporter=tap",
          ...(name === undefined ? [] : [`--test-name-pattern=${literal(name)}`]),
          ...places,
        ],
      };
    case "pytest":
      return {
        program: "python3",
        args: [
          "-m",
          "pytest",
          "-q",
          "-rfE",
          "--tb=short",
          "--color=no",
          "-p",
          "no:cacheprovider",
          ...(name === undefined ? [] : ["-k", name]),
          ...places,
        ],
      };
    default:
      return runner satisfies never;
  }
}

function local(program: string, args: readonly string[]): TestCall {
  return { program: `node_modules/.bin/${program}`, args };
}

/** Runners take a regular expression; the model gives a name. */
function literal(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function parseManifest(text: string | undefined): { testScript: string; dependencies: ReadonlySet<string> } {
  try {
    const manifest = JSON.parse(text ?? "{}") as Record<string, Record<string, unknown> | undefined> | null;
    const names = [manifest?.dependencies, manifest?.devDependencies].flatMap((each) => Object.keys(each ?? {}));
    return { testScript: String(manifest?.scripts?.test ?? ""), dependencies: new Set(names) };
  } catch {
    return { testScript: "", dependencies: new Set() };
  }
}

/** In the sandbox's own temporary folder, which goes with the run. */
const REPORT = "/tmp/forge-vitest.json";

/**
 * Since its fifth version Vitest writes its JSON to a file and no longer prints it, and what it prints to is nothing that it can open as
 * one. The text of the script is always this; file names and patterns are arguments that no shell reads.
 */
const SCRIPT =
  'node_modules/.bin/vitest run --reporter=json --outputFile="$0" "$@"; code=$?; cat "$0" 2>/dev/null; exit $code';

/** The command line for Vitest that prints its report, of whatever version it is. @param args behind `vitest run` */
export function vitestCall(args: readonly string[]): { readonly program: string; readonly args: readonly string[] } {
  return { program: "sh", args: ["-c", SCRIPT, REPORT, ...args] };
}
