import { posix } from "node:path";
import type { ChangedFile } from "../../domain/hunks.ts";
import type { RiskLevel } from "../../domain/risk.ts";
import { quoted } from "./compare-tests.ts";
import { describeUnresolved } from "./selection/describe-unresolved.ts";
import { isDocument, isDocumentation, isSettings, isTestMaterial } from "./selection/file-kinds.ts";
import { isFoundByFrameworks } from "./selection/frameworks.ts";
import type { SelectionGraph } from "./selection/packed-repository.ts";
import { COMMON, canBeFound } from "./selection/path-names.ts";
import { createFollower, type FollowFiles, isStandIn, type Reached } from "./selection/reached-files.ts";
import type { ReadTexts } from "./selection/read-texts.ts";
import { isIntegrationTest, isTestName, languageOfCode, subjectOf } from "./test-names.ts";

export type ChangedPath = Pick<ChangedFile, "path" | "oldPath" | "status">;

export interface CoveringFacts {
  readonly graph: SelectionGraph;
  readonly texts: ReadTexts;
  readonly changed: readonly ChangedPath[];
  /** Whether the runner takes this file for a test. */
  readonly isTest: (path: string) => boolean;
}

export interface SelectionFacts extends CoveringFacts {
  readonly risk: RiskLevel;
}

export interface TestSelection {
  readonly kind: "affected" | "integration" | "full";
  /** Paths of test files, sorted; all of them where the selection is full. Empty: it is known that nothing has to be run. */
  readonly files: readonly string[];
  /** Why all tests, in words that follow "all tests: ". */
  readonly because?: string;
  /** Why more tests than those that are known to reach the change, where that is so: in words that follow "because". */
  readonly widened?: string;
}

/** From here on the rest costs little, and a run of everything is what people know. */
const NEARLY_ALL = 0.8;
/** Of fewer tests a share says nothing. */
const FEW = 10;

/**
 * Which tests a change asks for (TEST-1, TEST-3): those that reach a changed file by what they import, read, show or start or are named after
 * it, at medium risk with the integration tests that have to do with it, at high risk all. Changed tests are always among them. Where
 * nothing says which tests a file reaches, all of its package; none only where every changed file is known to reach none.
 * @param known where the tests that the change may reach have been looked for
 */
export function selectTests(facts: SelectionFacts, known?: Covering): TestSelection {
  const { graph, changed, risk, isTest } = facts;
  const tests = graph.paths.filter(isTest);
  const all = (because: string, widened = false): TestSelection => ({
    kind: "full",
    files: tests,
    because,
    ...(widened ? { widened: because } : {}),
  });
  if (risk === "high" || risk === "critical") return all(`the risk is ${risk}`);
  const settings = changed.flatMap(({ path, oldPath = path }) => [path, oldPath]).find(isSettings);
  if (settings !== undefined) return all(`${settings} changed`);
  const code = changed.filter(({ path }) => languageOfCode(path) !== undefined);
  // Who imported what is gone stands nowhere: the imports of the head lead to nothing there.
  const gone = code.find(({ path, oldPath, status }) => status === "deleted" || (oldPath ?? path) !== path);
  if (gone !== undefined && !isTestName(gone.oldPath ?? gone.path)) return all(`${gone.oldPath ?? gone.path} is gone`);
  // Unit tests of Rust stand in the code, and Cargo takes names of tests, not files.
  const rust = code.find(({ path }) => languageOfCode(path) === "rust");
  if (rust !== undefined) return all("Cargo runs no single files");

  const covering = known ?? coveringTests(facts);
  if (covering.everything !== undefined) return all(covering.everything, true);
  const { files, widened } = covering;
  if (files.length === tests.length && tests.length > 0)
    return widened === undefined ? all("all of them have to do with the change") : all(widened, true);
  if (tests.length >= FEW && files.length >= tests.length * NEARLY_ALL)
    return all("nearly all of them have to do with the change");
  const chosen = new Set(files);
  const sources = changed.filter(({ path, status }) => status !== "deleted" && !isTest(path) && !isDocumentation(path));
  const related =
    risk === "low"
      ? []
      : tests.filter((path) => !chosen.has(path) && isIntegrationTest(path) && relates(path, sources));
  return {
    kind: related.length > 0 ? "integration" : "affected",
    files: [...files, ...related].sort(),
    ...(widened === undefined ? {} : { widened }),
  };
}

/** Tests that a change may reach. */
export interface Covering {
  readonly files: readonly string[];
  /** Why all tests count, in words that follow "because". */
  readonly everything?: string;
  /** Why all tests of a package are among them. */
  readonly widened?: string;
}

/** The tests that reach a changed file or are named after one, whatever the risk (TEST-3). */
export function coveringTests({ graph, texts, changed, isTest }: CoveringFacts): Covering {
  const tests = graph.paths.filter(isTest);
  const everything = (why: string): Covering => ({ files: tests, everything: why });
  if (texts.incomplete !== undefined) return everything(texts.incomplete);
  const follow = createFollower({ graph, index: texts.index, isTest });
  const paths = [...new Set(changed.flatMap(({ path, oldPath = path }) => [path, oldPath]))];
  const reached = follow(paths);
  const found = new Set(tests.filter((path) => reached.files.has(path)));
  const subjects = new Set(paths.flatMap(subjectKeys));
  for (const path of tests) if (subjectKeys(path).some((key) => subjects.has(key))) found.add(path);

  const widened: string[] = [];
  const widen = (path: string, why: string) => {
    widened.push(why);
    for (const test of texts.packages.testsFor(texts.packages.packageOf(path))) found.add(test);
  };
  for (const path of reached.implicit) widen(path, `${quoted(path)} may import what was changed where no file says so`);
  for (const path of reached.files) {
    const framework = isTestName(path) ? undefined : texts.findsAlone(path);
    if (framework !== undefined && isFoundByFrameworks(path))
      widen(path, `${framework} finds code by its folder, without an import`);
    if (texts.declaresGlobals(path)) widen(path, `${quoted(path)} makes what was changed a name for all code`);
  }
  for (const path of reached.settings) widen(path, `the tests' own settings, ${path}, load what was changed`);
  for (const path of [...reached.files].filter(isStandIn)) widen(path, `${path} stands in for a module in any of them`);
  for (const path of paths) {
    if (isDocumentation(path) || isTestName(path) || (isTest(path) && texts.holdsTests(path))) continue;
    // No imports of these languages are read: names alone say too little.
    const isKnown = languageOfCode(path) !== "java" && canBeFound(path) && leadsToTest(follow, path, isTest);
    if (!isKnown) widen(path, `nothing says which tests reach ${path}`);
  }
  for (const path of unknownReaders(reached, follow, paths)) widen(path, `nothing says what reads ${path}`);
  if (reached.unresolved.length > 0) widened.push(describeUnresolved(graph, reached.unresolved));
  const unnamed = [...reached.files].find(texts.isUnnamedTest);
  if (unnamed !== undefined) return everything(`${quoted(unnamed)} holds tests that are run with all of them only`);
  if (reached.cut) return everything("there are more mentions of the changed files than are looked through");
  if (tests.length === 0 && paths.some((path) => !isDocumentation(path) && !isTestName(path)))
    return everything("nothing says which tests there are");
  return { files: [...found].sort(), ...(widened[0] === undefined ? {} : { widened: widened[0] }) };
}

/** Data that nothing is known to read. What only names documents, as a table of contents does, is for those that print them. */
function unknownReaders({ unknown }: Reached, follow: FollowFiles, paths: readonly string[]): readonly string[] {
  const found = unknown.filter((path) => !isDocumentation(path));
  const others = paths.filter((path) => !isDocument(path));
  if (found.length === 0 || others.length === paths.length) return found;
  const ofOthers = new Set(others.length === 0 ? [] : follow(others).unknown);
  return found.filter((path) => ofOthers.has(path) || isTestMaterial(path));
}

function leadsToTest(follow: FollowFiles, path: string, isTest: (path: string) => boolean): boolean {
  const isOther = (each: string) => each !== path && isTest(each);
  return [...follow([path], isOther, true).files].some(isOther);
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
