import { languageOfCode } from "../test-names.ts";
import { isDocumentation, isFixture } from "./file-kinds.ts";
import type { FileMentions } from "./file-mentions.ts";
import { loadedByText } from "./manifests.ts";
import type { Repository } from "./packed-repository.ts";

/** Settings of runners, as far as they can say that examples are run. */
const SETTINGS =
  /(?:^|\/)(?:pyproject\.toml|pytest\.ini|tox\.ini|setup\.cfg|conftest\.py|package\.json|noxfile\.py|\.mocharc\.\w{1,5})$/;
const VITEST =
  /(?:^|\/)(?:(?:vite|vitest)(?:[.-][\w-]{1,80})?\.(?:config|workspace|projects)\.[cm]?[jt]s|package\.json)$/;
const RUNS_EXAMPLES = /\bdoctest|\bsybil\b|codeblocks|markdown-(?:docs|doctest)|\bevalmd\b/;

/**
 * Whether a file holds tests that a runner knows by its settings alone, so that Forge cannot tell it to run them by themselves: patterns of
 * names, tests in the files that they are for, and documents and docstrings whose examples are run.
 * @param tests what is called as tests of the runner are
 */
export function unnamedTests(
  { graph, texts }: Repository,
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
  return (path) => {
    if (named.has(path) || isFixture(path)) return false;
    // Documents are not looked into.
    if (isDocumentation(path)) return examplesAreRun();
    const facts = mentions.get(path);
    if (facts === undefined) return false;
    if ((facts.inSource && sourcesAreRun()) || (facts.examples && examplesAreRun())) return true;
    // What others import is a part of their tests.
    return facts.suite && languageOfCode(path) !== undefined && (graph.importers.get(path)?.size ?? 0) === 0;
  };
}
