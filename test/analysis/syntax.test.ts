import { describe, expect, it } from "vitest";
import { syntax } from "../../src/analysis/analysers/syntax.ts";
import { findJsonFault } from "../../src/analysis/child/find-syntax-fault.ts";
import type { SourceFile } from "../../src/analysis/source-file.ts";
import { readerContext, sourceFile } from "./change-of.ts";

const run = (...files: SourceFile[]) => syntax.analyse(files, readerContext());
/** What is said of each of these files, read together. */
async function faultsOf(files: readonly (readonly [path: string, text: string, base?: string])[]): Promise<string[][]> {
  const { observations } = await run(...files.map(([path, text, base], at) => sourceFile(`${at}/${path}`, text, base)));
  return files.map(([path], at) =>
    observations
      .filter(({ file }) => file === `${at}/${path}`)
      .map(({ rule, line, severity }) => `${rule}:${line} ${severity}`),
  );
}

describe("syntax errors", () => {
  it("REV-1: reports the first one of a file", async () => {
    const files = [
      ["a.ts", "const a = 1;\nconst b = ;\nconst c = ;\n", "syntax/syntax:2 error"],
      ["a.tsx", "export const A = () => <div>;\n", "syntax/syntax:1 error"],
      ["a.js", "<<<<<<< HEAD\nfoo();\n=======\nbar();\n>>>>>>> x\n", "syntax/conflict-marker:1 error"],
      ["a.json", '{\n  "a": 1\n  "b": 2\n}\n', "syntax/syntax:3 error"],
      ["package.json", '{\n  "a": 1,\n}\n', "syntax/comment-in-json:2 error"],
      ["data.json", '{\n  "a": 1,\n}\n', "syntax/comment-in-json:2 warning"],
      ["a.yml", "a: 1\n\tb: 2\n", "syntax/tab-indent:2 error"],
      ["a.yml", "a: 1\nb: 2\na: 3\n", "syntax/duplicate-key:3 error"],
    ] as const;
    const found = await faultsOf(files.map(([path, text]) => [path, text]));
    expect(found.map(([first]) => first)).toEqual(files.map(([, , expected]) => expected));
  });

  it("accepts what some reader of a file accepts, and what did not parse before either", async () => {
    const files: readonly (readonly [path: string, text: string, base?: string])[] = [
      ["a.js", "export const A = () => <div />;\n"],
      ["a.js", "#!/usr/bin/env node\nreturn require('x');\n"],
      ["a.js", "// @flow\nexport function f(a: ?number) {}\n"],
      ["a.js", "export function f(a: number) {}\n"],
      ["a.cjs", "with (a) { b }\n"],
      ["a.ts", "enum A { B }\nclass C { constructor(private x: number) {} }\n@d class E {}\nlet x = <any>y;\n"],
      ["a.d.ts", "declare const a: number;\nexport {};\n"],
      ["tsconfig.json", '// c\n{ "a": [1, 2,], /* x */ }\n'],
      ["chart.yaml", "{{- if .Values.a }}\na: {{ b }}\n  c: 1\n{{- end }}\n"],
      ["a.yml", "a: !Ref b\n---\nc: &x 1\nd: *x\n"],
      ["empty.json", ""],
      ["before.ts", "const a = ;\nconst b = 1;\n", "const a = ;\n"],
    ];
    const found = await faultsOf(files);
    expect(files.map((file, at) => [file, found[at]])).toEqual(files.map((file) => [file, []]));
  });

  it("stands on the added line that is nearest to where the parser stops, in words of our own", async () => {
    const base = "f(1);\nf(2);\n}\n".replace("}\n", "");
    const head = "f(1);\nif (a) {\nf(2);\n\n\n";
    const { observations } = await run(sourceFile("a.js", head.trimEnd().concat("\n"), base));
    expect(observations).toMatchObject([
      { line: 2, message: expect.stringMatching(/^The file is no longer valid JavaScript/) },
    ]);
  });

  it("SEC-1: gives up only the file that kills the parser", async () => {
    const deep = `${"(".repeat(200_000)}1${")".repeat(200_000)};\n`;
    const { observations, problems } = await run(
      sourceFile("bad1.js", "a b\n"),
      sourceFile("deep.js", deep),
      sourceFile("bad2.js", "a b\n"),
    );
    expect(observations.map(({ file }) => file)).toEqual(["bad1.js", "bad2.js"]);
    expect(problems).toEqual([{ file: "deep.js", reason: "not parsed: the parser broke down on it", gap: true }]);
  });
});

describe("findJsonFault", () => {
  it("SEC-8: reads a text of many escapes and one of many comments once, and finds where they do not end", () => {
    expect(findJsonFault(`"${'\\"'.repeat(200_000)}"`)).toBeUndefined();
    expect(findJsonFault(`["a", "${'\\"'.repeat(200_000)}`)).toEqual({ offset: 6, kind: "syntax" });
    expect(findJsonFault(`${"/* */".repeat(100_000)}1/*`)).toEqual({ offset: 500_001, kind: "syntax" });
  });

  it.each(['{"a":[1,2,{"b":null}],"c":"\\u00e9\\n"}', "[]", "-1.5e+3", ' "x" ', '{"a":{}}'])("accepts %s", (text) => {
    JSON.parse(text);
    expect(findJsonFault(text)).toBeUndefined();
  });

  it.each([
    ["{'a':1}", 1],
    ['{"a":01}', 6],
    ["[1 2]", 3],
    ["[1,,2]", 3],
    ['{"a"}', 4],
    ["[1]]", 3],
    ["{]", 1],
    ['{"a":1', 6],
    ["[,1]", 1],
    ['"\\x"', 0],
    ["", 0],
  ])("refuses %s at %i, as JSON.parse does", (text, offset) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(findJsonFault(text)).toEqual({ offset, kind: "syntax" });
  });

  it("is not overcome by nesting", () => {
    expect(findJsonFault(`${"[".repeat(500_000)}${"]".repeat(500_000)}`)).toBeUndefined();
  });
});
