import { posix } from "node:path";
import type { ChangedFile } from "../../domain/hunks.ts";
import type { RiskLevel } from "../../domain/risk.ts";
import { lockFileOf } from "../dependencies/lock-files.ts";
import { dependents, type ImportGraph } from "../map/import-graph.ts";
import { isIntegrationTest, isTestName, languageOfCode, subjectOf } from "./test-names.ts";
import { describeUnresolved, testsBehindUnresolved } from "./unresolved-imports.ts";

export interface SelectionFacts {
  readonly graph: ImportGraph;
  readonly changed: readonly Pick<ChangedFile, "path" | "oldPath" | "status">[];
  readonly risk: RiskLevel;
  /** Whether the runner takes this file for a test. */
  readonly isTest: (path: string) => boolean;
}

export interface TestSelection {
  readonly kind: "affected" | "integration" | "full";
  /** Paths of test files, sorted; all of them where the selection is full. Empty: nothing has to be run. */
  readonly files: readonly string[];
  /** Why all tests, in words that follow "all tests: ". */
  readonly because?: string;
  /** Why more tests than those that are known to reach the change, where that is so: in words that follow "because". */
  readonly widened?: string;
}

/** Manifests, settings of compilers and runners, and what every test loads: no import says whom their change affects. */
const CONFIGURATION =
  /(?:^|\/)(?:package\.json|(?:ts|js)config[^/]{0,200}\.json|pnpm-workspace\.yaml|\.npmrc|\.nvmrc|\.node-version|\.swcrc|\.babelrc(?:\.[a-z]{1,20})?|\.mocharc\.[a-z]{1,20}|(?:vite|vitest|jest|babel|rollup|webpack|playwright|cypress)(?:[.-][\w-]{1,200})?\.(?:config|setup|workspace)\.[cm]?[jt]s(?:on)?|(?:vitest|jest|test)[.-]?setup\.[cm]?[jt]s|setup-?tests?\.[cm]?[jt]s|pyproject\.toml|setup\.(?:cfg|py)|tox\.ini|pytest\.ini|conftest\.py|Pipfile|requirements[^/]{0,200}\.txt|\.python-version|go\.(?:mod|work)|Cargo\.toml|build\.rs|rust-toolchain(?:\.toml)?|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|gradle\.properties|libs\.versions\.toml)$/i;

/** What lies there is the material of some tests, and not the settings of all. */
const FIXTURE = /(?:^|\/)(?:__fixtures__|fixtures?|testdata)\//;

/** Nothing imports these. */
const DOCUMENT = /\.(?:md|markdown|rst)$/i;

/** Folders that nearly every project has: to share one says nothing. */
const COMMON = new Set(
  "src lib app apps packages test tests spec integration e2e unit main java kotlin python internal pkg cmd index".split(
    " ",
  ),
);

/**
 * Which tests a change asks for (TEST-1): those that reach a changed file by their imports or are named after it, at medium risk with
 * the integration tests that have to do with it, at high risk all. Changed tests are always among them.
 */
export function selectTests({ graph, changed, risk, isTest }: SelectionFacts): TestSelection {
  const tests = graph.paths.filter(isTest);
  const all = (because: string): TestSelection => ({ kind: "full", files: tests, because });
  if (risk === "high" || risk === "critical") return all(`the risk is ${risk}`);
  const settings = changed.find(
    ({ path }) => !FIXTURE.test(path) && (CONFIGURATION.test(path) || lockFileOf(path) !== undefined),
  );
  if (settings !== undefined) return all(`${settings.path} changed`);
  const code = changed.filter(({ path }) => languageOfCode(path) !== undefined);
  // Who imported what is gone stands nowhere: the imports of the head lead to nothing there.
  const gone = code.find(({ path, oldPath, status }) => status === "deleted" || (oldPath ?? path) !== path);
  if (gone !== undefined && !isTestName(gone.oldPath ?? gone.path)) return all(`${gone.oldPath ?? gone.path} is gone`);
  // Unit tests of Rust stand in the code, and Cargo takes names of tests, not files.
  const rust = code.find(({ path }) => languageOfCode(path) === "rust");
  if (rust !== undefined) return all("Cargo runs no single files");

  const covering = new Set(coveringTests(graph, changed, tests));
  const changedCode = changed.filter(
    ({ path, status }) =>
      status !== "deleted" && !isTest(path) && (languageOfCode(path) !== undefined || FIXTURE.test(path)),
  );
  // A graph that does not understand an alias, or a language that has none here: too much is better than nothing.
  if (covering.size === 0 && changedCode.length > 0 && tests.length > 0)
    return all("no test was found that imports the changed files");
  const unsure = changed.every(({ path }) => DOCUMENT.test(path))
    ? []
    : testsBehindUnresolved(graph, tests).filter((path) => !covering.has(path));
  for (const path of unsure) covering.add(path);
  const widened = unsure.length === 0 ? {} : { widened: describeUnresolved(graph) };
  if (risk === "low") return { kind: "affected", files: [...covering].sort(), ...widened };
  const related = tests.filter((path) => !covering.has(path) && isIntegrationTest(path) && relates(path, changedCode));
  return {
    kind: related.length > 0 ? "integration" : "affected",
    files: [...covering, ...related].sort(),
    ...widened,
  };
}

/** The tests that reach a changed file or are named after one, whatever the risk. */
export function coveringTests(
  graph: ImportGraph,
  changed: SelectionFacts["changed"],
  tests: readonly string[],
): readonly string[] {
  const changedPaths = changed.map(({ path }) => path);
  const reached = dependents(graph, changedPaths);
  const subjects = new Set(changedPaths.flatMap(subjectKeys));
  return tests.filter((path) => reached.has(path) || subjectKeys(path).some((key) => subjects.has(key)));
}

/** Files of one language about the same thing; of Go those of one folder, which is a package with its tests. */
function subjectKeys(path: string): string[] {
  const language = languageOfCode(path);
  if (language === undefined) return [];
  if (language === "go") return [`go ${posix.dirname(path)}`];
  const subject = subjectOf(path);
  return subject === "" || COMMON.has(subject) ? [] : [`${language} ${subject}`];
}

/** Whether an integration test shares a word with a changed file: a folder, or a part of its name. */
function relates(test: string, changed: SelectionFacts["changed"]): boolean {
  const words = wordsOf(test);
  return changed.some(({ path }) => [...wordsOf(path)].some((word) => words.has(word)));
}

function wordsOf(path: string): Set<string> {
  const end = path.indexOf(".", path.lastIndexOf("/") + 1);
  const words = (end === -1 ? path : path.slice(0, end))
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/s$/, ""));
  return new Set(words.filter((word) => word.length > 2 && !COMMON.has(word)));
}
