import { findInsecureCode } from "../../src/analysis/child/find-insecure-code.ts";
import { findSyntaxFault } from "../../src/analysis/child/find-syntax-fault.ts";
import { cleanManifest } from "../../src/analysis/child/imports/clean-manifest.ts";
import { cleanTsconfig } from "../../src/analysis/child/imports/clean-tsconfig.ts";
import { KnownFiles } from "../../src/analysis/child/imports/known-files.ts";
import { readAliases } from "../../src/analysis/child/imports/read-aliases.ts";
import { outlineFile } from "../../src/analysis/child/outline-file.ts";
import { outlinePythonTests } from "../../src/analysis/child/outline-python-tests.ts";
import { diffTexts } from "../../src/analysis/diff-texts.ts";
import { findDisguises } from "../../src/analysis/disguises/find-disguises.ts";
import { findLookAlikeHost } from "../../src/analysis/disguises/look-alikes.ts";
import { parseDiff } from "../../src/analysis/parse-diff.ts";
import { compilerCommand } from "../../src/analysis/project-types.ts";
import { readReport } from "../../src/analysis/reports/read-report.ts";
import { createLineOrigins, parsePatch } from "../../src/analysis/risk/line-origins.ts";
import { readSettings } from "../../src/analysis/settings/read-settings.ts";
import { findEnvironmentFault } from "../../src/analysis/tests/environment-fault.ts";
import { readCargoTests } from "../../src/analysis/tests/read-cargo-tests.ts";
import { readGoTests } from "../../src/analysis/tests/read-go-tests.ts";
import { readPytest } from "../../src/analysis/tests/read-pytest.ts";
import { readSummary } from "../../src/analysis/tests/read-summary.ts";
import { readTap } from "../../src/analysis/tests/read-tap.ts";
import { readTestJson } from "../../src/analysis/tests/read-test-json.ts";
import { readUnittest } from "../../src/analysis/tests/read-unittest.ts";
import { readMentions } from "../../src/analysis/tests/selection/file-mentions.ts";
import { namePaths } from "../../src/analysis/tests/selection/path-names.ts";
import { findDangersIn } from "../../src/analysis/workflows/find-dangers.ts";
import { compileGlob } from "../../src/domain/globs/compile-glob.ts";
import { aroundError } from "../../src/github/issues/job-log.ts";
import { packagePlans } from "../../src/workspace/install/package-plan.ts";
import { parseCommitLog } from "../../src/workspace/parse-commit-log.ts";
import { parseRawDiff, splitPatch } from "../../src/workspace/parse-raw-diff.ts";
import { type OutsideReader, reader } from "./reader.ts";

const NO_FILES = new KnownFiles(["b/a.ts"]);

const MARK = "\u0001commit ";
const REPORT = { root: "/checkout/shop" };
const FACTS = { packages: new Set(["a"]), paths: new Set<string>() };
const insecure = findInsecureCode();
const PATCH_HEAD = "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,900000 @@\n";
const METADATA = [{ path: "a.ts", oldMode: "100644", newMode: "100644", addedLines: 1, deletedLines: 1 }].map(
  (file) => ({
    ...file,
    ...{ status: "modified" as const, binary: false },
  }),
);

async function readDiff(text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const { entries, patchStart } = parseRawDiff(bytes, 1_000);
  splitPatch(bytes.subarray(patchStart ?? 0), entries, false);
  parseCommitLog(bytes, MARK, false);
  const origins = createLineOrigins();
  origins.apply(1, parsePatch(text), false);
  // A patch with other numbers than it says is refused.
  await parseDiff(text, METADATA).catch(() => undefined);
}

function readGlob(text: string): void {
  const compiled = compileGlob("**/*a*b.ts");
  if ("matches" in compiled) compiled.matches(text);
  const other = compileGlob(text);
  if ("matches" in other) other.matches("src/a.ts");
}

function readPlans(text: string): void {
  for (const name of [
    "requirements.txt",
    ".yarnrc.yml",
    "uv.lock",
    "poetry.lock",
    "yarn.lock",
    "package-lock.json",
    "pyproject.toml",
  ])
    packagePlans(new Map([[name, text]]), "2026-01-31", ["pypi.org"]);
}

const MENTIONED = {
  known: namePaths(["src/a.ts", "data/a.json", "src/a/a.test.ts"]),
  programs: new Set(["a"]),
  foreign: new Set(["b"]),
  folders: new Map(),
};

/** The parser goes a level down for each of them, or finds a fault in each: 65,536 end the child that it runs in, and the file is not looked at. */
const ENDS_THE_CHILD = ["+", "(", "[", "{", "`", "\\", "\\\\", "@", "a=", ".a()"];
const JAVASCRIPT = reader(
  (text) => [insecure({ id: 0, text, dialect: "tsx" }), outlineFile({ id: 0, text, dialect: "tsx" })],
  ["exec(req.query.a"],
  ["a(b);\n", "const a = b;\n", "import a from 'a';\n", "if (a) {}\n", "exec(a);\n", "+ req.query.a", ".a()"],
  [");"],
);

/** Every reader of what a repository holds or its programs write, besides those of `outside-readers.ts`. */
export const REPOSITORY_READERS: Readonly<Record<string, OutsideReader>> = {
  diffs: reader(
    readDiff,
    [PATCH_HEAD, `${MARK}a\n`, ":100644 100644 a b M\0"],
    ["+a\n", "-a\n", " a\n", "@@ -1 +1 @@\n", "\0", MARK],
  ),
  "texts compared": reader(
    (text) => [diffTexts(text, `x\n${text}`), diffTexts(`${text}y`, text)],
    [],
    ["a\n", "a\nb\n"],
  ),
  "output of tests": reader(
    (text) => {
      for (const read of [readTap, readTestJson, readCargoTests, readPytest, readUnittest, readSummary]) read(text);
      readGoTests(text, "example.com/shop");
    },
    ["TAP version 13\n", "running 1 test\n", "==== FAILURES ====\n", '{"Action":"run","Test":"'],
    [
      "not ok 1 - a\n  ---\n",
      "test a ... ok\n",
      "___ a ___\n",
      "E   a\n",
      '{"Action":"output","Output":"a"}\n',
      "FAIL: a\n",
    ],
  ),
  "mentions of files": reader(
    (text) => ["src/a.ts", "src/a.py", "a.yml"].map((path) => readMentions(path, text, MENTIONED)),
    ['import "', "`$" + "{", "readFileSync(", "#!"],
    ["./", "../", "a/", '"a", ', '"a" + ', "$" + "{a}/", "import(", "\\/", "a.json ", "*"],
  ),
  "why tests fail": reader(
    (text) => findEnvironmentFault(text, FACTS),
    ["Error: ", "ECONNREFUSED ", "EACCES '"],
    ["ECONNREFUSED ", "EPERM", "localhost:", "spawn ", "'/a", "Cannot find module '", "No module named 'a."],
  ),
  "reports of tools": reader(
    (text) => {
      for (const format of ["eslint", "checkstyle", "tsc"] as const) {
        try {
          readReport(format, text, REPORT);
        } catch {
          // What is no report is refused.
        }
      }
    },
    ['[{"filePath":"a","messages":[', '<checkstyle><file name="a">', "a.ts(1,1): error TS1: "],
    ["{},", '<error line="1"/>', "a.ts(1,1): error TS1: a\n", "a.ts:1:1 - error TS1: a\n", "(1,", ":1"],
  ),
  workflows: reader(
    (text) =>
      findDangersIn([])({ text: `on: push\njobs:\n  a:\n    runs-on: a\n    steps:\n      - run: '${text}'\n` }),
    ["curl ", "$" + "{{ github.event.issue.title }} "],
    ["curl ", "git fetch pull/", "$" + "{{ github.event.", "| sudo -a "],
  ),
  "settings of imports": reader(
    (text) => [
      cleanTsconfig("tsconfig.json", `{"compilerOptions":{"paths":{${text}}}}`),
      cleanManifest("", `{"exports":{${text}}}`, NO_FILES),
      readAliases("vite.config.ts", `export default { resolve: { alias: {${text}} } };`),
    ],
    ["", '"a/*": ["b/*"],'],
    ['"a/*": ["./b/*"],', "/* a */", "// a\n", '"a": "b",', '"^a/(.*)$": "b/$1",', "{", "[", "*/"],
  ),
  "code in JavaScript": {
    ...JAVASCRIPT,
    middles: JAVASCRIPT.middles.filter((middle) => !ENDS_THE_CHILD.includes(middle)),
  },
  "code in Python": reader(
    (text) => [outlineFile({ id: 0, text, dialect: "py" }), outlinePythonTests(text)],
    ["import os\nos.system(a", "def test_a():\n"],
    ["a(b)\n", "a = b\n", "import a\n", "from a import b\n", "def a():\n  b\n", "  assert a\n", '"""', "+ a", "@a\n"],
    [")"],
  ),
  // Only what is Python: the parser tries many ways to go on behind a fault, and its child is ended when that takes too long.
  "code in Python that parses": {
    read: (text) => insecure({ id: 0, text, dialect: "py" }),
    prefixes: ["", "import os\n"],
    middles: ["a(b)\n", "os.system(a % b)\n", "a = b\n", "import a\n", "def a():\n  b\n", "# a\n", "a()()\n", '"a"\n'],
    suffixes: ["", "a\n"],
  },
  Dockerfiles: reader(
    (text) => insecure({ id: 0, text, language: "Dockerfile" }),
    ["FROM a\nRUN "],
    ["RUN a\n", "a \\\n", "FROM a\n", "ENV a=b\n", "<<A\n", "# a\n", "apt-get install "],
  ),
  JSON5: reader(
    (text) => findSyntaxFault({ id: 0, text, dialect: "json" }),
    ["[", '{"a":'],
    ["[", '{"a":', '"a",', "1,", "/* ", "// a\n", "\\u0041"],
  ),
  "settings of a compiler": reader(
    (text) => compilerCommand("tsconfig.json", text),
    ["{", "{ /* "],
    ["/* ", "*/", "// a\n", ' "references": [', "{"],
    ["*/"],
  ),
  settings: reader(
    (text) => [readSettings("settings.json", text), readSettings("settings.toml", text)],
    ["{", '{"a":', "[a]\n"],
    ["/* ", "*/", "// a\n", '"a":"b",', "{", "[a]\n", "a = b\n", "  a: b\n", '"\\"'],
  ),
  disguises: reader(
    (text) => {
      findLookAlikeHost(text);
      const addedLines = text.split("\n").map((_, at) => at + 1);
      for (const dialect of ["tsx", "py", undefined] as const)
        findDisguises({ id: 0, text, addedLines, ...(dialect && { dialect }), language: "TypeScript" });
    },
    ["// "],
    ["\u200b", "\u0430", "\ufe0f", "a\u200ba", "\u202e", "é", "https://а", "\\u0041", "\u001b["],
  ),
  globs: reader(readGlob, ["**/"], ["*", "**/", "?", "[a-z]", "{a,", "a/", "!"], ["}", "]"]),
  "package plans": reader(
    readPlans,
    ["version = 1\n", "__metadata:\n"],
    ["a==1\n", '[[package]]\nname = "a"\n', "a>=1,", " #", "-r a\n", "a[b]", '"a": {', "  a:\n"],
  ),
  "logs of jobs": reader(aroundError, ["2026-01-01T00:00:00.0Z "], ["##[error]a\n", "\u001b[1m", "\r\n"]),
};
