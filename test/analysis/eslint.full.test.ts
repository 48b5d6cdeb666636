import { describe, expect, it } from "vitest";
import { eslint, eslintSecurity, lintOnce } from "../../src/analysis/analysers/eslint.ts";
import { ESLINT_RULES } from "../../src/analysis/eslint-rules.ts";
import { ESLINT_SECURITY_RULES } from "../../src/analysis/eslint-security-rules.ts";
import type { SourceFile } from "../../src/analysis/source-file.ts";
import { readerContext, sourceFile } from "./change-of.ts";
import { SECURITY_SAMPLES, STATIC_SAMPLES } from "./eslint-samples.ts";

const run = (...files: SourceFile[]) => eslint.analyse(files, readerContext());
const secure = (...files: SourceFile[]) => eslintSecurity.analyse(files, readerContext());

describe("ESLint with Forge's rules", () => {
  it("REV-1: every rule of both tables finds its sample", async () => {
    const tables = [
      { analyser: eslint, rules: ESLINT_RULES, samples: STATIC_SAMPLES },
      { analyser: eslintSecurity, rules: ESLINT_SECURITY_RULES, samples: SECURITY_SAMPLES },
    ].map(({ rules, samples, ...table }) => {
      const names = [...rules.keys()];
      expect(Object.keys(samples).sort()).toEqual([...names].sort());
      return { ...table, names, files: names.map((name) => sourceFile(`${name}.tsx`, `${samples[name]}\n`)) };
    });
    // ESLint reads the samples of both tables in one run.
    const shared = readerContext();
    await lintOnce(
      tables.flatMap(({ files }) => files),
      shared,
    );
    for (const { analyser, names, files } of tables) {
      const { observations, problems } = await analyser.analyse(files, shared);
      expect(problems).toEqual([]);
      const own = observations.filter(({ file, rule }) => rule === `${analyser.name}/${file.slice(0, -4)}`);
      const found = new Set(own.map(({ file }) => file));
      expect(names.filter((name) => !found.has(`${name}.tsx`))).toEqual([]);
    }
  });

  it("REV-1: takes the global object made by Function as it is meant, and no other text", async () => {
    const lines = [
      'const a = Function("return this")();',
      "const b = new Function('return this;')();",
      'const c = Function("return this.secrets")();',
      'const d = Function("return this", text)();',
    ];
    const { observations } = await secure(sourceFile("a.js", `${lines.join("\n")}\n`));
    expect(observations.map(({ line, rule }) => `${line} ${rule}`)).toEqual(
      [3, 4].map((line) => `${line} eslint-security/no-new-func`),
    );
  });

  it("REV-1: reads TypeScript that no type stripper takes, JSX, CommonJS and a first line for the shell, by git's lines and UTF-16 columns", async () => {
    const wrong = "function f() { new Error('x'); }";
    const files = [
      sourceFile(
        "a.ts",
        `enum E { A }\nnamespace N { export const a = 1 }\nclass C { constructor(private a: string) {} }\n${wrong}\n`,
      ),
      sourceFile(
        "b.tsx",
        `@decorated class D { @field() a!: Map<string, \`x\${string}\`> }\nconst e = <T,>(x: T) => <a-b c="it's">it's \${x as any}</a-b>;\n${wrong}\n`,
      ),
      sourceFile("c.js", `#!/usr/bin/env node\nif (process.argv[2]) return;\nmodule.exports = /[/'"]/g;\n${wrong}\n`),
      sourceFile("d.jsx", `export const d = <b>{/* a comment */}</b>;\n${wrong}\n`),
      sourceFile(
        "e.cts",
        `import fs = require("node:fs");\nexport = fs;\ndeclare module "x";\nabstract class A { abstract a(): void }\n${wrong}\n`,
      ),
      sourceFile("f.js", 'const a = "\u2028😀";\r\n/* 😀 */ new Error(a);\r\n'),
    ];
    const { observations, problems } = await run(...files);
    expect(problems).toEqual([]);
    expect(observations.map(({ file, line, column }) => `${file}:${line}:${column}`)).toEqual([
      "a.ts:4:16",
      "b.tsx:3:16",
      "c.js:4:16",
      "d.jsx:2:16",
      "e.cts:5:16",
      "f.js:2:10",
    ]);
    expect(observations.at(-1)).toMatchObject({ endLine: 2, endColumn: 22 });
  });

  it("SEC-1: obeys no comment and no configuration of the change, and weighs what is in tests as a note", async () => {
    const text = [
      "/* eslint-disable */",
      "/* eslint no-implied-eval: off */",
      "setTimeout('run()', 1); // eslint-disable-line",
      "",
    ].join("\n");
    const configuration = sourceFile("eslint.config.js", "export default [{ ignores: ['**'] }];\n");
    const { observations } = await secure(
      configuration,
      sourceFile("node_modules.js", text),
      sourceFile("-c.js", text),
      sourceFile("test/a.js", text),
    );
    expect(observations.map(({ file, line, severity }) => `${file}:${line} ${severity}`)).toEqual([
      "node_modules.js:3 error",
      "-c.js:3 error",
      "test/a.js:3 info",
    ]);
  });

  it("says nothing about a file that does not parse, and goes on with the others", async () => {
    const { observations, filesRead, problems } = await run(
      sourceFile("a.ts", "const a = ;\n"),
      sourceFile("b.ts", "export function f() { new Error('x'); }\n"),
    );
    expect(observations.map(({ file }) => file)).toEqual(["b.ts"]);
    expect(filesRead).toBe(1);
    expect(problems).toEqual([{ file: "a.ts", reason: "not linted: it does not parse", gap: false }]);
  });

  it("GH-11a: gives up only the file that breaks it down, and names it", async () => {
    const deep = `${"(".repeat(50_000)}1${")".repeat(50_000)};\n`;
    const long = `x = ${"a+".repeat(20_000)}a;\n`;
    const good = "export function f() { new Error('x'); }\n";
    const { observations, problems } = await run(
      sourceFile("a.ts", good),
      sourceFile("deep.ts", deep),
      sourceFile("long.ts", long),
      sourceFile("b.ts", good),
    );
    expect(observations.map(({ file }) => file)).toEqual(["a.ts", "b.ts"]);
    expect(problems.map(({ file, gap }) => `${file} ${gap}`)).toContain("deep.ts true");
  });

  it("reads each file once for both layers, whoever begins", async () => {
    const files = [
      sourceFile("a.ts", "setTimeout('run()', 1);\n"),
      sourceFile("b.ts", "function f() { new Error('x'); }\n"),
    ];
    const [first, second] = await Promise.all([
      lintOnce(files, readerContext()),
      lintOnce(files.toReversed(), readerContext()),
    ]);
    expect(first[0]).toBe(second[1]);
    expect(first[1]).toBe(second[0]);
    expect((await run(...files)).observations.map(({ file }) => file)).toEqual(["b.ts"]);
    expect((await secure(...files)).observations.map(({ file }) => file)).toEqual(["a.ts"]);
  });

  it("GH-11a: what was stopped was read by neither layer", async () => {
    const stopped = { ...readerContext(), signal: AbortSignal.abort() };
    const file = sourceFile("a.ts", "setTimeout('run()', 1);\n");
    const { problems, filesRead } = await eslint.analyse([file], stopped);
    expect({ problems, filesRead }).toEqual({
      problems: [{ file: "a.ts", reason: "not linted: the review was stopped", gap: true }],
      filesRead: 0,
    });
  });
});
