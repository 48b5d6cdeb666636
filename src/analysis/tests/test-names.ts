import { posix } from "node:path";

/** Languages whose tests are told by their names. */
export type TestLanguage = "script" | "python" | "go" | "rust" | "java";

const LANGUAGES: readonly (readonly [RegExp, TestLanguage])[] = [
  [/\.[cm]?[jt]sx?$/, "script"],
  [/\.pyi?$/, "python"],
  [/\.go$/, "go"],
  [/\.rs$/, "rust"],
  [/\.(?:java|kt)$/, "java"],
];

/** How a test is named after what it tests; the first group is that name. */
const TEST_NAMES: Readonly<Record<TestLanguage, readonly RegExp[]>> = {
  script: [/^(.+?)(?:[._-](?:unit|int|it|integration|e2e|browser))?[._-](?:test|spec)$/],
  python: [/^test_(.+)$/, /^(.+)_test$/],
  go: [/^(.+)_test$/],
  rust: [/^(?:test_)?(.+?)(?:_tests?)?$/],
  java: [/^(.+?)(?:Test|Tests|TestCase|IT|ITCase|Spec)$/, /^Test([A-Z].*)$/],
};

/** Files that stand for their folder: it says what they are about. */
const NAMELESS = new Set(["index", "__init__", "mod", "lib", "main", "test", "tests", "spec"]);

export function languageOfCode(path: string): TestLanguage | undefined {
  return LANGUAGES.find(([ending]) => ending.test(path))?.[1];
}

/** Whether the name of a file says that it holds tests, whichever runner there is. */
export function isTestName(path: string): boolean {
  const language = languageOfCode(path);
  if (language === undefined || /\.d\.[cm]?ts$/.test(path)) return false;
  // Rust keeps unit tests beside the code; what stands in `tests/` is a test program each.
  if (language === "rust") return /(?:^|\/)tests\/[^/]+\.rs$/.test(path);
  if (language === "script" && /(?:^|\/)__tests__\//.test(path)) return true;
  return TEST_NAMES[language].some((pattern) => pattern.test(stemOf(path)));
}

/** What a file is about, by its name: `src/parse-diff.ts` and `test/parse-diff.test.ts` both `parsediff`. */
export function subjectOf(path: string): string {
  const language = languageOfCode(path);
  const stem = stemOf(path);
  const marked = language === undefined || (language === "rust" && !isTestName(path)) ? [] : TEST_NAMES[language];
  const named = marked.map((pattern) => pattern.exec(stem)?.[1]).find((name) => name !== undefined) ?? stem;
  const subject = NAMELESS.has(named.toLowerCase()) ? posix.basename(posix.dirname(path)) : named;
  return subject.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Tests of several parts together, told by a folder or an ending. */
export function isIntegrationTest(path: string): boolean {
  return (
    /(?:^|\/)(?:integration(?:[_-]tests?)?|e2e|end[_-]to[_-]end|functional|acceptance|system[_-]tests?|cypress|playwright)\//i.test(
      path,
    ) ||
    /[._-](?:integration|int|e2e|acceptance)[._-](?:test|spec)\.|(?:IT|ITCase|IntegrationTest)\.(?:java|kt)$/.test(path)
  );
}

function stemOf(path: string): string {
  return posix.basename(path).replace(/\.[^.]+$/, "");
}
