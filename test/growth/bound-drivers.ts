import { commitMessage } from "../../src/agents/implementer/commit-message.ts";
import { findInsecureCode } from "../../src/analysis/child/find-insecure-code.ts";
import { outlineFile } from "../../src/analysis/child/outline-file.ts";
import { namePath } from "../../src/analysis/name-path.ts";
import { DEFINITION_RULES } from "../../src/analysis/patterns/definitions/rules.ts";
import { matchesCode, matchesSomewhere } from "../../src/analysis/patterns/match-code.ts";
import { PYTHON_RULES } from "../../src/analysis/patterns/python/rules.ts";
import { RULES } from "../../src/analysis/patterns/rules/all-rules.ts";
import { readReport } from "../../src/analysis/reports/read-report.ts";
import { toolName } from "../../src/analysis/reports/tool-report.ts";
import { readsLikeCode } from "../../src/analysis/searched-only.ts";
import { blankSuppressions } from "../../src/analysis/suppressions.ts";
import { readCoverage } from "../../src/analysis/tests/read-coverage.ts";
import { compileGlob } from "../../src/domain/globs/compile-glob.ts";
import { createClean } from "../../src/monitoring/doors/clean-text.ts";
import { refusedText } from "../../src/pipeline/commands/read-teaching.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { findNamedValues } from "../../src/safety/secrets/named-values.ts";
import { manifestOf } from "../../src/setup/manifest.ts";
import { packagePlans } from "../../src/workspace/install/package-plan.ts";
import { readPoetryLock } from "../../src/workspace/install/poetry-lock.ts";
import { READERS } from "../hostile/time/readers.ts";

const LONG = 60_000;
const long = (part: string) => part.repeat(Math.ceil(LONG / part.length));
const redact = createRedactor([]);
const insecure = findInsecureCode();
const patternsOf = (part: unknown): readonly RegExp[] => {
  if (part instanceof RegExp) return [part];
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(patternsOf) : [];
};
const ROWS = patternsOf([RULES, PYTHON_RULES, DEFINITION_RULES]);
/** Code that makes rules look at patterns of their own: a type's name, a file that says GraphQL, a pattern that cleans, a query with a fix. */
const CODE = [
  `function a(b: ${long("A")}) { eval(b.c) }`,
  `const a = { resolve(b, c) { eval(c.d) } };\n${long("// graph\n")}`,
  `app.get("/", (req) => eval(req.query.a.replace(/${long("[a]")}/g, "")));`,
  `import { Pool } from "pg";\nconst db = new Pool();\napp.get("/", (req) => db.query(\`select a from b where c = \${req.query.a}\`));\n`,
  `import { Pool } from "pg";\nconst db = new Pool();\napp.get("/", (req) => db.query(\`${long("select a, ")} where c = \${req.query.a}\`));\n`,
];
const POETRY_LOCK = '[[package]]\nname = "a"\nversion = "1.0"\nfiles = []\n\n[metadata]\nlock-version = "2.0"\n';
const poetryProject = (python: string) =>
  `[tool.poetry]\nname = "p"\n[tool.poetry.dependencies]\na = { version = "*", python = "${python}" }\n`;
const inScript = (text: string) => outlineFile({ id: 0, text: `export function a(${text}) {}\n`, dialect: "ts" });

/** Texts longer than every bound in `scripts/recheck/exceptions.json` that is a length, each given to what enforces it. */
export const BOUND_DRIVERS: Readonly<Record<string, () => unknown>> = {
  "text of production": () => createClean(redact)(long("1.2.3.4 a@b.example "), 1_000),
  "commit message": () => {
    for (const part of ["#1 ", "a://b ", "word ", "w"])
      commitMessage({ type: "fix", subject: long(part), body: long(part) }, { issue: 1 });
  },
  "opening of a comment": () => {
    const text = `${long("x ")}// eslint-disable-line\n`;
    return [READERS.suppressions?.(text), blankSuppressions(text, new Set([1]))];
  },
  "name of a tool": () => toolName(long("A-")),
  "name in front": () => [...findNamedValues(`${long("a.")}password = "k9fQ2xT7LmZ4vBn8"`)],
  "line of a key": () => redact(`-----BEGIN PRIVATE KEY-----\n${long("QUJD")}\n${long("QUJD ")}`),
  "line of a text": () => readsLikeCode({ path: "README", text: `${long("a ")}\n${long("b;")}\n` }),
  "end of a path": () => readsLikeCode({ path: `a/${long("E./")}`, text: "a\n" }),
  "head of a report": () => readCoverage("cobertura", long("<!DOCTYPE "), { root: "/checkout/shop", only: new Set() }),
  "versions of Python": () => {
    for (const versions of [`>=3${" ".repeat(150)}`, long(", >=3")])
      readPoetryLock(POETRY_LOCK, poetryProject(versions), ["pypi.org"]);
  },
  // A plan ends at the first line that is no package.
  "line to install": () => {
    for (const file of ["a".repeat(9_000), long("=")])
      packagePlans(new Map([["requirements.txt", `-r ${file}\na\n`]]), "2026-01-31", ["pypi.org"]);
  },
  "end of a name": () => namePath(`a${long(".")}`),
  "taught sentence": () => [refusedText(long("never report ")), refusedText("never report it ".repeat(50))],
  glob: () => [compileGlob(`{${"a".repeat(290)}}`), compileGlob(`{${long("a")}}`)],
  "name of an App": () =>
    manifestOf(
      { host: undefined, protocol: "https", organization: "", address: `https://${"a.".repeat(100)}example` },
      "https://a.example",
      "deploy",
    ),
  "code of a rule": () => {
    for (const pattern of ROWS)
      for (const text of [long("a "), long("a\n")]) {
        matchesCode(pattern, text);
        matchesSomewhere(pattern, text);
      }
    for (const text of CODE) insecure({ id: 0, text, dialect: "tsx" });
  },
  "line of tsc": () => readReport("tsc", `${long("a")}(1,1): error TS1: a\n`, { root: "/checkout/shop" }),
  "line of Python": () => [
    outlineFile({ id: 0, text: `def a(): ${long("# ")}\nfrom a import ${long("b, ")}\n`, dialect: "py" }),
    inScript(`a: ${long("{ ")}`),
    inScript(`${long("a: number, ")}`),
  ],
};
