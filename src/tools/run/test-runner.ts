import { posix } from "node:path";
import { PYTEST_SETTINGS } from "../../analysis/tests/selection/python-files.ts";
import { readTestScript, SCRIPT_RUNNERS, type ScriptedTests, type ScriptRunner } from "./test-script.ts";

export const TEST_RUNNERS = [...SCRIPT_RUNNERS, "pytest"] as const;
export type TestRunner = (typeof TEST_RUNNERS)[number];

export interface ProjectFacts {
  readonly paths: readonly string[];
  /** Text of a file at the root, undefined when there is none. */
  readonly textOf: (path: string) => string | undefined;
}

const MOCHA_SETTINGS = [
  ".mocharc.json",
  ".mocharc.jsonc",
  ".mocharc.yml",
  ".mocharc.yaml",
  ".mocharc.cjs",
  ".mocharc.js",
  ".mocharc.mjs",
];

/** Files at the root that a runner is found by. */
export const MANIFESTS = ["package.json", ...PYTEST_SETTINGS, ...MOCHA_SETTINGS];

/** How a project runs its tests with one of the runners that are known, as a plain value. */
export type RunnerCommand = ScriptCommand | { readonly runner: "pytest" };

/** One of JavaScript. What is not there is empty. */
export interface ScriptCommand extends Partial<Omit<ScriptedTests, "runner">> {
  readonly runner: ScriptRunner;
  /** Where it is run, from the root: the folder of a workspace. */
  readonly folder?: string;
  /** Whether tests in TypeScript need a loader that the project does not bring. */
  readonly needsLoader?: boolean;
}

/** How this project runs its tests, from its manifest and configuration; undefined when none of ours is recognised. */
export function detectTestRunner(facts: ProjectFacts): RunnerCommand | undefined {
  const { paths, textOf } = facts;
  const manifest = parseManifest(textOf("package.json"));
  // What the script says stands above what is merely installed.
  const scripted = readTestScript(manifest.scripts);
  if (scripted !== undefined) return withLoader(withoutBuilt(scripted, paths), facts);
  const atRoot = (pattern: RegExp) => paths.some((path) => !path.includes("/") && pattern.test(path));
  const found = INSTALLED.find(([name, settings]) => manifest.dependencies.has(name) || (settings && atRoot(settings)));
  if (found !== undefined) return withLoader({ runner: found[2] }, facts);
  const pytestSettings = /\[tool\.pytest|\[tool:pytest\]|\[pytest\]|\bpytest\b/;
  if (PYTEST_SETTINGS.some((path) => pytestSettings.test(textOf(path) ?? ""))) return { runner: "pytest" };
  if (textOf("package.json") !== undefined && paths.some((path) => isTestFile(path, "node:test")))
    return withLoader({ runner: "node:test" }, facts);
  if (paths.some((path) => isTestFile(path, "pytest"))) return { runner: "pytest" };
  return undefined;
}

/** Whether all tests have to be named to be run: what the runner looks for by itself is not how they are written here, or it is a program a file. */
export function needsNames(command: { readonly runner: string; readonly needsLoader?: boolean }): boolean {
  return command.runner === "tap" || command.needsLoader === true;
}

/** Whether a runner comes with the packages of the repository. */
export function isPackage(runner: string): boolean {
  return INSTALLED.some(([, , name]) => name === runner);
}

const INSTALLED: readonly (readonly [packageName: string, settings: RegExp | undefined, runner: ScriptRunner])[] = [
  ["vitest", /^vitest\.config\.[cm]?[jt]s$/, "vitest"],
  ["jest", /^jest\.config\.(?:[cm]?[jt]s|json)$/, "jest"],
  ["mocha", /^\.mocharc\.(?:[cm]?js|jsonc?|ya?ml)$/, "mocha"],
  ["ava", /^ava\.config\.[cm]?js$/, "ava"],
  ["tap", undefined, "tap"],
  ["tape", undefined, "tap"],
];

/** Tests that are built first are run as they are written: nothing is built here. */
function withoutBuilt(command: ScriptedTests, paths: readonly string[]): ScriptedTests {
  const folders = new Set(paths.map((path) => path.split("/", 1)[0] ?? ""));
  const isThere = (pattern: string) => {
    const [first = ""] = pattern.replace(/^\.\//, "").split("/", 1);
    return /[*?{[(!]/.test(first) || folders.has(first);
  };
  const patterns = command.patterns.filter(isThere);
  return patterns.length === command.patterns.length ? command : { ...command, patterns };
}

const LOADERS = /\b(?:tsx|ts-node|swc|esbuild|babel|sucrase|oxc|jiti|esbuild-register|tsimp|tsconfig-paths)\b/;

/** Vitest, Jest and AVA have their own ways with TypeScript, and their settings say which. */
function withLoader(command: ScriptCommand, { paths, textOf }: ProjectFacts): ScriptCommand {
  const { runner, options = [], nodeOptions = [], env = {}, patterns = [] } = command;
  if (runner !== "node:test" && runner !== "mocha" && runner !== "tap") return command;
  const said = [...options, ...nodeOptions, ...Object.values(env), ...MOCHA_SETTINGS.map((path) => textOf(path) ?? "")];
  const settings = runner === "mocha" ? JSON.stringify(parseManifest(textOf("package.json")).mocha ?? "") : "";
  if (LOADERS.test([...said, settings].join(" "))) return command;
  // What Node runs by itself as it is written needs nothing.
  const isNative = runner === "node:test" && patterns.some((pattern) => /\.[cm]?ts$/.test(pattern));
  const isTyped = paths.some((path) => /\.[cm]?tsx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path));
  return isTyped && !isNative ? { ...command, needsLoader: true } : command;
}

const TEST_FOLDERS = /(?:^|\/)(?:tests?|specs?|__tests__)\//;
const SCRIPT = /\.[cm]?[jt]sx?$/;

export function isTestFile(path: string, runner: TestRunner): boolean {
  const name = posix.basename(path);
  if (runner === "pytest") return /^test_.*\.py$|_test\.py$/.test(name);
  if (/\.d\.[cm]?ts$/.test(name)) return false;
  if (/[._-](?:test|spec)\.[cm]?[jt]sx?$/.test(name)) return true;
  switch (runner) {
    case "vitest":
      return false;
    case "jest":
      return /(?:^|\/)__tests__\//.test(path) && SCRIPT.test(path);
    case "node:test":
      return /\.[cm]?[jt]s$/.test(path) && /(?:^|\/)test(?:\/|(?:-[^/]*)?\.[cm]?[jt]s$)/.test(path);
    case "ava":
      return (
        /^[^_].*$/.test(name) &&
        ((TEST_FOLDERS.test(path) && SCRIPT.test(path)) || /^test(?:-.*)?\.[cm]?[jt]s$/.test(name))
      );
    case "mocha":
    case "tap":
      return (TEST_FOLDERS.test(path) && SCRIPT.test(path)) || /^tests?\.[cm]?[jt]s$/.test(name);
    default:
      return runner satisfies never;
  }
}

interface Manifest {
  readonly scripts: Readonly<Record<string, unknown>>;
  readonly dependencies: ReadonlySet<string>;
  readonly mocha?: unknown;
}

function parseManifest(text: string | undefined): Manifest {
  try {
    const manifest = JSON.parse(text ?? "{}") as Record<string, Record<string, unknown> | undefined> | null;
    const names = [manifest?.dependencies, manifest?.devDependencies].flatMap((each) => Object.keys(each ?? {}));
    return { scripts: Object(manifest?.scripts), dependencies: new Set(names), mocha: manifest?.mocha };
  } catch {
    return { scripts: {}, dependencies: new Set() };
  }
}
