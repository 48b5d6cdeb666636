import { promptInjection } from "../../src/agents/guardrails.ts";
import { workflows } from "../../src/analysis/analysers/workflows.ts";
import { findInsecureCode } from "../../src/analysis/child/find-insecure-code.ts";
import { parseConfiguration } from "../../src/analysis/configuration/parse-configuration.ts";
import { lockFileOf } from "../../src/analysis/dependencies/lock-files.ts";
import { compilerCommand } from "../../src/analysis/project-types.ts";
import { readSarif } from "../../src/analysis/reports/read-sarif.ts";
import { readTsc } from "../../src/analysis/reports/read-tsc.ts";
import { readTap } from "../../src/analysis/tests/read-tap.ts";
import { wakesCode } from "../../src/analysis/woken-code.ts";
import { compileGlob } from "../../src/domain/globs/compile-glob.ts";
import { commandLines } from "../../src/pipeline/commands/command-lines.ts";
import { neutraliseText } from "../../src/safety/neutralise.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { stripHidden } from "../../src/tools/data/strip-hidden.ts";
import { packagePlans } from "../../src/workspace/install/package-plan.ts";
import { scratchFolder, sourceFile } from "../../test/analysis/change-of.ts";
import { CALLS, DOCKERFILES, handler } from "./insecure-code.ts";
import { MEASURED_PATTERNS } from "./measured-patterns.ts";
import { PATTERN_PUMPS } from "./pattern-pumps.ts";
import { SECRET_PUMPS } from "./secret-pumps.ts";
import { streamedPieces } from "./streamed-pieces.ts";

/** Work whose time must grow in proportion to its size. */
export interface GrowthCase {
  /** Printed together with others of its kind. */
  readonly group: string;
  readonly name: string;
  /** In whatever unit `work` takes. */
  readonly size: number;
  /** Parts that the same work is done in for comparison; `PARTS` when not given. */
  readonly parts?: number;
  readonly work: (size: number) => unknown;
}

/** A case for each part: a text that repeats it, as long as the size says. */
function repeating(
  group: string,
  size: number,
  parts: readonly string[],
  work: (text: string) => unknown,
): GrowthCase[] {
  return parts.map((part) => ({
    group,
    name: `${group}: ${JSON.stringify(part)}`,
    size,
    work: (length: number) => work(part.repeat(Math.ceil(length / part.length))),
  }));
}

const redact = createRedactor(["a known secret value"]);
const insecure = findInsecureCode();
const planOf = (path: string, text: string) => packagePlans(new Map([[path, text]]), "2026-01-31", ["pypi.org"]);

const LOCK_FILE_HEADS = {
  ...{ "package-lock.json": "", "pnpm-lock.yaml": "lockfileVersion: 9\npackages:\n", "yarn.lock": "__metadata:\n" },
  ...{ "poetry.lock": "", "requirements.txt": "", "go.mod": "", "Gemfile.lock": "" },
};
const LOCK_FILE_PARTS = [
  '{"a":{',
  "  a:\n",
  "a@npm:@a:",
  "[[package]]\n",
  '"',
  "    ",
  "#egg=",
  "@:",
  "require (\n",
  "x == ",
];

const GLOBS: readonly (readonly [string, (letters: number) => string])[] = [
  ["*a*a*a*a*a*a*a*a*a*a*a*ab", (letters) => "a".repeat(letters)],
  ["*a".repeat(140), (letters) => `x/${"a".repeat(letters)}`],
  ["*?".repeat(149), (letters) => "a/".repeat(letters / 2)],
  [`${"**/".repeat(90)}x`, (letters) => "a/".repeat(letters / 2)],
  [`${"**/a/".repeat(50)}x`, (letters) => "a/".repeat(letters / 2)],
  ["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}*ab", (letters) => "ab".repeat(letters / 2)],
  [`*${"[a-z]".repeat(59)}`, (letters) => `${"a".repeat(letters)}/`],
  ["*[!a-z]*", (letters) => "\u4e00".repeat(letters)],
];

function workflowOf(script: string): string {
  return `on: pull_request_target\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: '${script}'\n`;
}

/** A lock of uv in which each of so many packages needs two others. */
function chained(length: number): string {
  const registry = 'source = { registry = "https://pypi.org/simple" }';
  const wheels = `wheels = [{ url = "https://files.example/x-1-py3-none-any.whl", hash = "sha256:${"a".repeat(64)}" }]`;
  const named = (name: string, more: string) =>
    `[[package]]\nname = "${name}"\nversion = "1"\n${registry}\n${wheels}\n${more}\n`;
  const entries = Array.from({ length }, (_, at) =>
    named(`p${at}`, `dependencies = [{ name = "p${at + 1}" }, { name = "p${(at * 7) % length}" }]`),
  );
  const root =
    '[[package]]\nname = "app"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [{ name = "p0" }]\n';
  return ["version = 1\n", root, ...entries, named(`p${length}`, "")].join("\n");
}

export const GROWTH: readonly GrowthCase[] = [
  ...repeating(
    "redaction",
    300_000,
    [
      "-----BEGIN PRIVATE KEY-----",
      "eyJ",
      "eyJaaaaaaaa.",
      "://",
      "://a:",
      "bearer ",
      "authorization:",
      "sk-",
      "a",
      "gh",
    ],
    redact,
  ),
  ...repeating(
    "neutralizing",
    100_000,
    ["`", "` `` ", "[", "[a](", "![", "@", "!", "<", "\\", "a/", "``` `", "~~~\n", "$", "_", " "],
    (text) => neutraliseText(text, { allowedHosts: ["github.com"] }),
  ),
  ...repeating(
    "commands",
    65_000,
    ["<!--", "`", "``` x\n", "> a\n", "<pre ", "/forge help\n", "a `b\n", "- "],
    (text) => commandLines(`${text}\n/forge help`),
  ),
  ...repeating("hidden text", 200_000, ["<!--", "![", "<a b", '<a "', "[a", "<p hidden>", '[a]: b "'], (text) =>
    stripHidden(text),
  ),
  ...repeating("configuration", 16_000, ["[", "? ", "- ", "{ ? ", "`a`", "a: ", "&a "], (text) =>
    parseConfiguration(text),
  ),
  ...repeating("settings of the compiler", 4_000_000, ["/* ", "/* */ /* ", "//", '"references": '], (text) =>
    compilerCommand("tsconfig.json", text),
  ),
  ...repeating("TAP", 1_400_000, ["not ok 1 - x\n  ---\n  a: 1\n", "not ok 1 - x\n  ---\n  a: 1\n  ...\n"], (text) =>
    readTap(`${text}1..1\n`),
  ),
  ...repeating("tsc", 2_000_000, ["(1,", ":1", "a(1,1): error TS1: "], (text) =>
    readTsc(text, { root: "/checkout/shop" }),
  ),
  ...repeating("workflow", 60_000, ["curl ", "git fetch pull/", "$" + "{{ github.event.", "| sudo -a "], (text) =>
    workflows.analyse([sourceFile(".github/workflows/a.yml", workflowOf(text))], {
      scratch: scratchFolder(),
      signal: new AbortController().signal,
    }),
  ),
  ...repeating("code that a comment kept asleep", 900_000, ['/*\n`\'"\n*/ "\\" `\n'], (text) =>
    wakesCode(text, `${text}\n`, "JavaScript", new Set()),
  ),
  ...Object.entries(LOCK_FILE_HEADS).flatMap(([path, head]) =>
    repeating(`lock file ${path}`, 300_000, LOCK_FILE_PARTS, (text) => lockFileOf(path)!.read(head + text)),
  ),
  ...GLOBS.map(([glob, pathOf]) => ({
    group: "globs",
    name: `globs: ${glob.slice(0, 40)}`,
    size: 64_000,
    work: (letters: number) => {
      const compiled = compileGlob(glob);
      if ("fault" in compiled) throw new Error(`not a glob: ${glob}`);
      return compiled.matches(pathOf(letters));
    },
  })),
  {
    group: "guardrails",
    name: "guardrails: orders to a model",
    size: 50_000,
    work: (times) =>
      promptInjection.check({ stage: "tool_output", text: "ignore the ignore the ".repeat(times) + " ".repeat(times) }),
  },
  ...[
    (length: number) => `x${"==1,".repeat(length / 4)}!`,
    (length: number) => `x ${"!".repeat(length)}`,
    (length: number) => `x;${" ".repeat(length)}@`,
  ].map((line) => ({
    group: "requirements",
    name: `requirements: ${line(8)}`,
    size: 40_000,
    work: (length: number) => planOf("requirements.txt", `requests\n${line(length)}\n`),
  })),
  {
    group: "requirements",
    name: "requirements: a lock of uv",
    size: 1_000,
    work: (length) => planOf("uv.lock", chained(length)),
  },
  {
    group: "SARIF",
    name: "SARIF: 25,000 results",
    size: 25_000,
    work: (length) => {
      const place = { physicalLocation: { artifactLocation: { uri: "a.ts" }, region: { startLine: 1 } } };
      const results = Array.from({ length }, () => ({ ruleId: "R1", message: { text: "m" }, locations: [place] }));
      const text = JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name: "Sniff" } }, results }] });
      return readSarif(text, { root: "/checkout/shop" });
    },
  },
  {
    group: "insecure code",
    name: "insecure code: sources into one place",
    size: 10_000,
    work: (count) =>
      insecure({ id: 0, dialect: "js", text: handler(`exec([${"req.query.a,".repeat(count)}].join(" "));`) }),
  },
  ...CALLS.map(([name, make]) => ({
    group: "insecure code",
    name: `insecure code: ${name}`,
    size: 2_000,
    work: (size: number) => insecure({ id: 0, text: make(size), dialect: "tsx" }),
  })),
  ...DOCKERFILES.map(([name, make]) => ({
    group: "insecure code",
    name: `insecure code: Dockerfile: ${name}`,
    size: 20_000,
    work: (size: number) => insecure({ id: 0, text: make(size), language: "Dockerfile" }),
  })),
  {
    group: "insecure code",
    name: "insecure code: Python",
    size: 40_000,
    work: (size) => insecure({ id: 0, text: "import os\nos.system(a % b)\n".repeat(size / 27), dialect: "py" }),
  },
  ...SECRET_PUMPS,
  ...PATTERN_PUMPS,
  ...MEASURED_PATTERNS,
  { group: "prompted tools", name: "prompted tools: a call in small pieces", size: 250_000, work: streamedPieces },
];
