import { describe, expect, it } from "vitest";
import { biomeLint } from "../../src/analysis/analysers/biome-lint.ts";
import { BIOME_RULES } from "../../src/analysis/biome-rules.ts";
import type { SourceFile } from "../../src/analysis/source-file.ts";
import type { Observation } from "../../src/domain/findings.ts";
import { readerContext, sourceFile } from "./change-of.ts";

const run = (...files: SourceFile[]) => biomeLint.analyse(files, readerContext());
const brief = ({ file, line, column, rule }: Observation) =>
  `${file}:${line}:${column} ${rule.replace(/^biome\/\w+\//, "")}`;

const ruleOf = (said: string) => said.split(" ").at(-1);

describe("Biome's linter with Forge's rules", () => {
  it("accepts every rule of the table", async () => {
    const { observations, problems } = await run(sourceFile("a.ts", "export const a = 1;\n"));
    expect({ observations, problems }).toEqual({ observations: [], problems: [] });
    expect(BIOME_RULES.size).toBeGreaterThan(70);
  });

  it("REV-1: reads decorators of parameters, as frameworks have them", async () => {
    const text = "class Shop {\n  find(@Args('sku') sku: string) {\n    return sku === sku;\n  }\n}\nuse(Shop);\n";
    const { observations, problems } = await run(sourceFile("src/shop.ts", text));
    expect({ found: observations.map(brief), problems }).toEqual({
      found: ["src/shop.ts:3:12 noSelfCompare"],
      problems: [],
    });
  });

  it("REV-1: finds what is wrong and is silent about taste", async () => {
    const text = [
      "export async function f(a: any, unused: string) {",
      "  var list = new Array();",
      "  let never = 1;",
      "  if (a === a) console.log('x' + a);",
      "  while ((never = list.pop())) list.forEach(function (x) { return x; });",
      "  if ((a = b)) return 1",
      "  if (a = b) return `plain`;",
      "  try { a() } catch (e) {}",
      "  return list.map((x) => { x + 1; });",
      "}",
      "",
    ].join("\n");
    const { observations } = await run(sourceFile("src/a.ts", text));
    expect(observations.map(brief).sort()).toEqual([
      "src/a.ts:4:7 noSelfCompare",
      "src/a.ts:7:7 noAssignInExpressions",
      "src/a.ts:8:25 noEmptyBlockStatements",
      "src/a.ts:9:15 useIterableCallbackReturn",
    ]);
  });

  it("REV-3: takes a comparison for a test for NaN where a condition above has asked whether there is a value", async () => {
    const text = [
      "export function least(found, best, order) {",
      "  if (found != null && (best === undefined",
      "        ? (found === found && !false)",
      "        : order(found, best)",
      "      )) return found;",
      "  if (found != null) return (best === best && !order);",
      "}",
      "",
    ].join("\n");
    const { observations } = await run(sourceFile("src/least.js", text));
    expect(observations.map(brief)).toEqual(["src/least.js:6:30 noSelfCompare"]);
  });

  it("REV-1: is silent where the code shows that it is meant", async () => {
    const text = [
      "export function f(x) {",
      "  var part = x.indexOf(';');",
      "  var end = part === -1 ? x.length : part;",
      "  for (;;) { var part = end; break; }",
      '  if (typeof x == "string" || x == "1") return part;',
      "  switch (x) {",
      "    case 1:",
      "      end += 1;",
      "    // falls through",
      "    case 2: {",
      "      end += 2;",
      "    }",
      "    case 3:",
      "      end += 3;",
      "  }",
      "  return end;",
      "}",
      "function twice() {}",
      "function twice() {}",
      "class Cache {",
      "  get kept() { if (this.x) return 1; }",
      "  get lost() { this.x = 2; }",
      "}",
      "const escape = 1, NaN = 2;",
      "exports = module.exports = f;",
      "Map = f;",
      "",
    ].join("\n");
    const { observations } = await run(sourceFile("src/a.js", text));
    expect(observations.map(brief).sort()).toEqual([
      "src/a.js:12:undefined noFallthroughSwitchClause",
      "src/a.js:19:10 noRedeclare",
      "src/a.js:22:3 useGetterReturn",
      "src/a.js:24:19 noShadowRestrictedNames",
      "src/a.js:26:1 noGlobalAssign",
      "src/a.js:5:33 noDoubleEquals",
    ]);
    const declared = await run(sourceFile("src/b.js", "var a = b;\nconst b = 1;\nexport { a };\n"));
    expect(declared.observations.map(brief)).toEqual(["src/b.js:1:9 noInvalidUseBeforeDeclaration"]);
  });

  it("REV-3: warns of == where a literal is converted, and only tells of a way to write", async () => {
    const severity = async (path: string, code: string) =>
      (await run(sourceFile(path, `export const f = (a, b, kind) => ${code};\n`))).observations.map(
        ({ rule, severity }) => `${rule.split("/").at(-1)} ${severity}`,
      );
    const all = (path: string, codes: readonly string[]) => Promise.all(codes.map((code) => severity(path, code)));
    const converted = [
      'a == ""',
      "false != a",
      "a.b == true",
      "a == 0 ? b : kind",
      "a && b.c == 0",
      "(a == 0)",
      "[a == '', b]",
    ];
    expect(await all("src/a.js", converted)).toEqual(converted.map(() => ["noDoubleEquals warning"]));
    const habits = [
      ...['kind == "list"', "a == b", 'a == "1"', "a.length == 0", "b % 2 == 0", "a.indexOf(b) == 0", 'a + "" == b'],
      ...["a == 1", "a == +a", "a != kind.name", "a == true.valueOf()", "a == 0.5", "a == 0 + b"],
    ];
    expect(await all("src/a.js", habits)).toEqual(habits.map(() => ["noDoubleEquals info"]));
    const texts = ['url.searchParams.get("gift") == 1', "process.env.PORT == 80", 'a.getAttribute("n") != -1'];
    for (const path of ["src/a.js", "src/a.ts"])
      expect(await all(path, texts)).toEqual(texts.map(() => ["noDoubleEquals warning"]));
    expect(await all("src/a.js", ["sizes.get(a) == 1", "params.get(a) == b", "process.env == 1"])).toEqual(
      ["", "", ""].map(() => ["noDoubleEquals info"]),
    );
    expect(await all("src/a.ts", ['a == ""', "a == 0"])).toEqual([["noDoubleEquals info"], ["noDoubleEquals info"]]);
    const idioms = ["a == null", "undefined != a", "a.b == void 0", "void 0 == a", "a != undefined", "null == b"];
    expect(await all("src/a.js", idioms)).toEqual(idioms.map(() => []));
  });

  it("REV-1: is silent about what people write on purpose, and finds what looks like it", async () => {
    const found = async (code: string) => (await run(sourceFile("src/a.js", code))).observations.map(brief).map(ruleOf);
    const pairs: readonly (readonly [meant: string, mistake: string, rule: string])[] = [
      ["while (1) if (next()) break;\n", "if (1) next();\n", "noConstantCondition"],
      [
        "(function () {\n  var undefined;\n  use(undefined);\n})();\n",
        "var lost;\nuse(lost);\n",
        "noUnassignedVariables",
      ],
      [
        "use(/[\\u00ad\\u200c\\u200d]\\u034f?[\\u180b\\u200d\\u2060]/);\n",
        "use(/[👨‍👩‍👧]/u);\n",
        "noMisleadingCharacterClass",
      ],
      [
        "function kind(a) {\n  kind = a ? b : c;\n  return kind(a);\n}\nuse(kind);\n",
        "function kind(a) {\n  return a.kind === 1;\n}\nkind = 2;\nuse(kind);\n",
        "noFunctionAssign",
      ],
      ["let a;\nif (a = next(), a > 1) use(a);\n", "let a;\nif (a = next()) use(a);\n", "noAssignInExpressions"],
    ];
    for (const [meant, mistake, rule] of pairs)
      expect({ rule, meant: await found(meant), mistake: await found(mistake) }).toEqual({
        rule,
        meant: [],
        mistake: [rule],
      });
  });

  it("REV-3: a map whose list nobody takes is a way to write", async () => {
    const text = [
      "export function f(list, use) {",
      "  list.map((x) => { if (x) return use(x); });",
      "  const kept = list.map((x) => { if (x) return use(x); });",
      "  const more =",
      "    list.map((x) => { if (x) return use(x); });",
      "  return list.map((x) => { if (x) return kept; else more(); });",
      "}",
      "",
    ].join("\n");
    const { observations } = await run(sourceFile("src/a.js", text));
    expect(observations.map(({ line, severity }) => `${line} ${severity}`)).toEqual([
      "2 info",
      "3 warning",
      "5 warning",
      "6 warning",
    ]);
  });

  it("REV-6: takes an optional chain as safe where its beginning is known to be there", async () => {
    const text = [
      'export const color = process !== void 0 ? "NO_COLOR" in process?.env : false;',
      'export const force = "FORCE_COLOR" in process?.env;',
      'export const has = (a) => a.b != null && "x" in a.b?.c;',
      'export const lost = (a) => a.b != null || "x" in a.b?.c;',
      'export const none = (a) => (a !== undefined ? 1 : "x" in a?.c);',
      'export const found = (a) => "x" in a?.c;',
      "",
    ].join("\n");
    const { observations } = await run(sourceFile("src/a.js", text));
    expect(observations.map(brief).sort()).toEqual(
      [4, 5, 6].map((line) => expect.stringMatching(new RegExp(`^src/a\\.js:${line}:\\d+ noUnsafeOptionalChaining$`))),
    );
  });

  it("REV-1: only tells, in tests, what tests do on purpose", async () => {
    const text = "export const a = 1;\nif (a === a) it.only('x', () => {});\nexport const b = a == '';\na = 2;\n";
    const severities = async (path: string) =>
      (await run(sourceFile(path, text))).observations.map(
        ({ rule, severity }) => `${rule.split("/").at(-1)} ${severity}`,
      );
    expect((await severities("src/a.js")).sort()).toEqual([
      "noConstAssign error",
      "noDoubleEquals warning",
      "noFocusedTests error",
      "noSelfCompare error",
    ]);
    expect((await severities("test/a.test.js")).sort()).toEqual([
      "noConstAssign error",
      "noDoubleEquals info",
      "noFocusedTests error",
      "noSelfCompare info",
    ]);
  });

  it("gives columns in UTF-16 units, as editors and GitHub count them", async () => {
    const text = 'const é = "😀é", a = "1"; export const k = a == é;\n';
    const { observations } = await run(sourceFile("a.js", text));
    expect(observations[0]).toMatchObject({
      line: 1,
      column: text.indexOf("==") + 1,
      endColumn: text.indexOf("==") + 3,
    });
  });

  it("keeps git's line numbers with CRLF, byte order marks and line separators that git does not know", async () => {
    const text = '\ufeffconst a = "\u2028";\r\n// one\rtwo\r\nexport const b = a == "1";\r\n';
    const { observations } = await run(sourceFile("a.js", text));
    expect(observations.map(brief)).toEqual(["a.js:3:20 noDoubleEquals"]);
  });

  it("REV-4: offers a fix as whole added lines that parse", async () => {
    const { observations } = await run(
      sourceFile("a.ts", "export function f(x: number) {\r\n  debugger;\r\n  return x == NaN;\r\n}\r\n"),
    );
    const fixes = observations.map(({ fix }) => fix).filter((fix) => fix !== undefined);
    expect(fixes).toEqual([
      { file: "a.ts", startLine: 2, endLine: 2, before: "  debugger;", after: "" },
      { file: "a.ts", startLine: 3, endLine: 3, before: "  return x == NaN;", after: "  return Number.isNaN(x);" },
    ]);
  });

  it("offers no fix that touches a line which the change did not add", async () => {
    const base = "export function f(x) {\n  return (\n    x ==\n    0\n  );\n}\n";
    const { observations } = await run(sourceFile("a.js", base.replace("    0\n", "    NaN\n"), base));
    expect(observations.map(({ fix }) => fix)).toEqual([undefined]);
  });

  it("SEC-1: obeys no suppression that the change adds, and those that were there before", async () => {
    const accepted = "// biome-ignore lint/suspicious/noSelfCompare: known\nexport const a = (x) => x === x;\n";
    const hidden =
      "/* biome-ignore-all lint: mine */\n/**\n * biome-ignore lint/suspicious/noSelfCompare: mine\n */\nexport const b = (x) => x === x;\n";
    const { observations } = await run(sourceFile("a.js", accepted + hidden, accepted), sourceFile("b.js", hidden));
    expect(observations.map(brief)).toEqual(["a.js:7:25 noSelfCompare", "b.js:5:25 noSelfCompare"]);
  });

  it("SEC-1: takes no file of the change for a configuration, an option or a path", async () => {
    const text = "export const a = (x) => x === x;\n";
    const names = ["-rf.js", "../../x.js", "/etc/x.js", "a\nb.js", '"$(id)".js', "node_modules.js"];
    const configuration = sourceFile(
      "biome.json",
      '{ "linter": { "enabled": false }, "files": { "includes": ["!**"] } }\n',
    );
    const { observations, problems } = await run(configuration, ...names.map((name) => sourceFile(name, text)));
    expect(problems).toEqual([]);
    expect(observations.map(({ file }) => file).sort()).toEqual([...names].sort());
  });

  it("GH-11a: gives up only the file that breaks the linter down, and names it", async () => {
    const deep = `${"(".repeat(50_000)}1${")".repeat(50_000)};\n`;
    const good = Array.from({ length: 20 }, (_, index) =>
      sourceFile(`good${index}.js`, "export const a = (x) => x === x;\n"),
    );
    const { observations, filesRead, problems } = await run(
      ...good.slice(0, 13),
      sourceFile("deep.js", deep),
      ...good.slice(13),
    );
    expect(observations).toHaveLength(20);
    expect(filesRead).toBe(20);
    expect(problems).toEqual([{ file: "deep.js", reason: "not linted: the linter broke down on it", gap: true }]);
  });

  it("says nothing about a file that does not parse: the rest of the tree is a guess", async () => {
    const { observations, problems } = await run(sourceFile("a.js", "const a = ;\nif (a === a) debugger;\n"));
    expect(observations).toEqual([]);
    expect(problems).toEqual([{ file: "a.js", reason: "not linted: it does not parse", gap: false }]);
  });

  it("knows hooks only where there is JSX", async () => {
    const text = "export function load(a) {\n  if (a) return useCache();\n}\nfunction useCache() {}\n";
    const { observations } = await run(sourceFile("a.ts", text), sourceFile("b.tsx", text));
    expect(observations.map(({ file }) => file).filter((file) => file === "a.ts")).toEqual([]);
  });
});
