import { spread } from "../../map/spread.ts";
import { isTestName, languageOfCode } from "../test-names.ts";
import { isDocumentation, isFixture, isSettings } from "./file-kinds.ts";
import type { FileMentions } from "./file-mentions.ts";
import { loadedByText } from "./manifests.ts";
import type { Repository } from "./packed-repository.ts";
import { nameOf } from "./path-names.ts";
import { namedBySettings, PYTEST_SETTINGS } from "./python-files.ts";

/** Settings of runners, as far as they can say that examples are run. */
const SETTINGS =
  /(?:^|\/)(?:pyproject\.toml|\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|conftest\.py|package\.json|noxfile\.py|\.mocharc\.\w{1,5})$/;
const VITEST =
  /(?:^|\/)(?:(?:vite|vitest)(?:[.-][\w-]{1,80})?\.(?:config|workspace|projects)\.[cm]?[jt]s|package\.json)$/;
const RUNS_EXAMPLES = /\bdoctest|\bsybil\b|codeblocks|markdown-(?:docs|doctest)|\bevalmd\b/;

/**
 * Whether a file holds tests that a runner knows by its settings alone, so that Forge cannot tell it to run them by themselves: patterns of
 * names, tests in the files that they are for, and documents and docstrings whose examples are run.
 * @param tests what is called as tests of the runner are
 */
export function unnamedTests(
  { graph, texts, unread }: Repository,
  mentions: ReadonlyMap<string, FileMentions>,
  tests: readonly string[],
): (path: string) => boolean {
  const named = new Set(tests);
  const isSaid = (where: RegExp, what: RegExp) => {
    let answer: boolean | undefined;
    return () => {
      answer ??= texts().some(([path, text]) => where.test(path) && what.test(loadedByText(path, text)));
      return answer;
    };
  };
  const examplesAreRun = isSaid(SETTINGS, RUNS_EXAMPLES);
  const sourcesAreRun = isSaid(VITEST, /\bincludeSource\b/);
  let covered: ReadonlySet<string> | undefined;
  // What tests import is a part of them. Others that import it may be run by nobody, or hold no tests themselves.
  const isPartOfTests = (path: string) => {
    covered ??= spread(tests, (each) => graph.imports.get(each) ?? []);
    return covered.has(path);
  };
  let pythonFiles: ((path: string) => boolean) | undefined;
  const isSaidByPytest = (path: string) => {
    pythonFiles ??= namedBySettings(
      texts()
        .filter(([each]) => PYTEST_SETTINGS.includes(nameOf(each)))
        .map(([, text]) => text),
    );
    return pythonFiles(path);
  };
  const unknown = new Set(unread);
  // A file without a test of its own may inherit some, or call a function that makes them.
  const mayHoldTests = (path: string, facts: FileMentions | undefined) =>
    facts === undefined
      ? unknown.has(path)
      : facts.suite ||
        isSaidByPytest(path) ||
        [...(graph.imports.get(path) ?? [])].some((each) => !named.has(each) && mentions.get(each)?.suite);
  return (path) => {
    if (named.has(path)) return false;
    // Whether a runner takes suites among samples is a matter of its settings: `node --test` does.
    if (isFixture(path)) return languageOfCode(path) === "script" && (mentions.get(path)?.suite ?? isTestName(path));
    // Documents are not looked into.
    if (isDocumentation(path)) return examplesAreRun();
    const facts = mentions.get(path);
    if ((facts?.inSource && sourcesAreRun()) || (facts?.examples && examplesAreRun())) return true;
    return languageOfCode(path) !== undefined && !isSettings(path) && mayHoldTests(path, facts) && !isPartOfTests(path);
  };
}
