import { detectStyle } from "../../../src/analysis/analysers/biome-format.ts";
import { classifyFile } from "../../../src/analysis/classify-file.ts";
import { listCommands } from "../../../src/analysis/commands/list-commands.ts";
import { findPackageSources } from "../../../src/analysis/commands/package-sources.ts";
import { LOCK_FILES } from "../../../src/analysis/dependencies/lock-files.ts";
import { pythonModules } from "../../../src/analysis/imports/python-modules.ts";
import { modulesIn } from "../../../src/analysis/imports/script-modules.ts";
import { isWanted } from "../../../src/analysis/path-filter.ts";
import { definesCloud } from "../../../src/analysis/patterns/definitions/read-yaml.ts";
import { isSlow } from "../../../src/analysis/patterns/slow-regex.ts";
import { cleanText } from "../../../src/analysis/reports/tool-report.ts";
import { grantsMore } from "../../../src/analysis/risk/risk-facts.ts";
import { holdsScripts, readsLikeCode } from "../../../src/analysis/searched-only.ts";
import { holdsValues } from "../../../src/analysis/secrets/sensitive-files.ts";
import { findLineStarts, lineText } from "../../../src/analysis/source-file.ts";
import {
  blankExpectedErrors,
  blankHashSuppressions,
  blankSuppressions,
  findSuppressions,
} from "../../../src/analysis/suppressions.ts";
import { findMarker } from "../../../src/github/marker.ts";
import { commandLines } from "../../../src/pipeline/commands/command-lines.ts";
import { dismissalReason, parseCommand } from "../../../src/pipeline/commands/parse-comment.ts";
import { codeSpan, fence, isSuggestable } from "../../../src/safety/code-text.ts";
import { neutraliseText } from "../../../src/safety/neutralise.ts";
import { createRedactor } from "../../../src/safety/redact.ts";
import { readTestScript } from "../../../src/tools/run/test-script.ts";
import { isGitName } from "../../../src/workspace/files/clean-path.ts";
import { changedFile, sourceFile } from "../../analysis/change-of.ts";
import { stepsOf } from "../../analysis/dependencies/steps-of.ts";

const LINKS = { allowedHosts: ["github.com"] };
const redact = createRedactor(["a known secret value"]);

function suppressions(text: string): void {
  const lineStarts = findLineStarts(text);
  const lines = new Set(lineStarts.map((_, at) => at + 1));
  findSuppressions(lines, (line) => lineText({ text, lineStarts }, line));
  blankSuppressions(text, lines);
  blankHashSuppressions(text, lines);
  blankExpectedErrors(text, lines);
}

/** Everything of Forge's own that reads hostile text on the main thread. */
export const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  suppressions,
  neutralise: (text) => neutraliseText(text, LINKS),
  "neutralise for a table": (text) => neutraliseText(text, { ...LINKS, table: true }),
  redact,
  "code span": (text) => codeSpan(text),
  fence: (text) => fence(text, "js"),
  suggestion: (text) => isSuggestable(text),
  "command lines": (text) => commandLines(text),
  command: (text) => parseCommand(`dismiss ${text}`),
  dismissal: (text) => dismissalReason(`by design ${text}`),
  marker: (text) => findMarker(text, { kind: "a", key: "b" }, "secret"),
  "format style": detectStyle,
  "definition of a cloud": (text) => definesCloud("a.yaml", text),
  "kind of file": (text) => classifyFile(changedFile("a.ts", "x\n"), Buffer.from(text)),
  "grants of a workflow": (text) => grantsMore(text, text),
  "environment file": (text) => holdsValues(".env", text),
  "path of a glob": (text) => isWanted(text, { include: [], exclude: ["*a*a*a*a*a*a*a*ab", "**/*?*?.ts/x"] }),
  "name of git": isGitName,
  "commands of a shell": (text) => listCommands(sourceFile("a.sh", text), () => undefined),
  "script of a manifest": (text) =>
    listCommands(sourceFile("package.json", JSON.stringify({ scripts: { a: text } })), () => undefined),
  "settings of a package manager": (text) => findPackageSources(sourceFile(".npmrc", text)),
  "text without a language": (text) => readsLikeCode({ path: "README.md", text }),
  "page with components": (text) => holdsScripts({ language: { name: "MDX" }, text }),
  "script of tests": (text) => readTestScript({ test: text }),
  "text of reports": (text) => cleanText(text, 1_000),
  "modules that a script asks for": modulesIn,
  "modules that a file of Python asks for": pythonModules,
  "regular expression": isSlow,
  drift: (text) => stepsOf(`{"dependencies":{"a":"1"}}`, "yarn.lock", text),
  ...Object.fromEntries(LOCK_FILES.map(({ name, read }) => [`lock file ${name.source}`, read])),
};

/** What the patterns begin with, want more of, or end with. */
export const PARTS = [
  ...[
    " ",
    "\t",
    "\n",
    "a",
    "0",
    "(",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "`",
    "```",
    "~",
    "/",
    "//",
    "*",
    "#",
    "@",
    "$",
    "&",
  ],
  ...[
    ":",
    ": ",
    "::",
    ",",
    ".",
    "-",
    "_",
    "=",
    "!",
    "|",
    "\\",
    "'",
    '"',
    '" ',
    "\r",
    "#:from a import (\n",
    "\u200b",
    "é",
    "#1 ",
    "@a ",
    "> ",
  ],
  ...[
    "/forge ",
    "/forge help\n",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
    "<pre ",
    "[a](",
    "![a](b)",
    "[a](b",
    "://",
    "://a",
    "://a:b",
  ],
  ...[
    "www.",
    "gh-1",
    "// eslint-disable ",
    "/* ",
    "# noqa ",
    "biome-ignore ",
    "eslint a",
    "type: ",
    "@ts-expect-error",
  ],
  ...[
    "authorization: ",
    "bearer ",
    "basic a",
    "eyJ",
    "eyJaaaaaaaaa.",
    "sk-ant-",
    "v1.",
    "xoxb-",
    "-----BEGIN PRIVATE KEY-----",
  ],
  ...[
    "PWD",
    "#a",
    '"a": {',
    '"a":',
    "a@b",
    "a@1:\n",
    "[[package]]\n",
    "  a:\n",
    "    version: ",
    "packages:\n",
    "require (\n",
    "\\n\\r",
  ],
];

/** What a reader may expect at the top before it reads on. */
const OPENINGS = [
  "",
  "# yarn lockfile v1\n",
  "lockfileVersion: 9\npackages:\n  a",
  "[[package]]\n",
  "require (\n",
  "git+https://a",
  "{",
];

/** One that lets a pattern match, and one that does not. */
export const ENDINGS = ["", "\u0001x"];

export function openingsFor(reader: string): readonly string[] {
  return reader.startsWith("lock file") || reader === "drift" ? OPENINGS : [""];
}
