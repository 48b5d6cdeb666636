import { parseSync } from "oxc-parser";
import { expect, it } from "vitest";
import { findInsecureCode } from "../../src/analysis/child/find-insecure-code.ts";
import { parseTree, SHARED } from "../../src/analysis/child/parse-tree.ts";

const OPTIONS = { lang: "tsx", sourceType: "module", astType: "ts", preserveParens: false } as const;

it.each([
  "\ufeffconst é = '😀é'; // \u2028\nexport const k = 123n + /(?<a>.)é/v;",
  "@Injectable() class A<T> { constructor(private a: Map<string, T>, b?: B) {} get x() { return <p>{this.a!}</p>; } }",
  "let x = ; const y = `a\\u{110000}` + tag`\\u{zz}`; /[/",
  "import type { a } from 'b'; export * as c from './d.js'; declare module 'e' { enum F { G = 1 } }",
  "a\0b",
  "",
])("REV-6: the tree from shared memory is that of the JSON: %j", (text) => {
  const shown = ({ program, errors }: ReturnType<typeof parseTree>) => ({ program: { ...program }, errors });
  expect(shown(parseTree(text, OPTIONS))).toEqual(shown(parseSync("file", text, OPTIONS)));
});

it("GH-11a: code is read that is nested too deeply for the quick way", () => {
  const sum = `"a"${'+ "b"'.repeat(20_000)}`;
  expect(() => parseSync("file", sum, { ...OPTIONS, ...SHARED })).toThrow(RangeError);
  const text = `import { exec } from "node:child_process";\nconst long = ${sum};\nexport const f = (req) => exec(req.query.dir);\napp.get("/", f);\n`;
  const result = findInsecureCode()({ id: 0, text, dialect: "js" });
  expect("unread" in result ? result.unread : result.hits.map(({ rule }) => rule)).toContain("program/shell");
});
