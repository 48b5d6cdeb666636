import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { patterns } from "../../src/analysis/analysers/patterns.ts";
import { findInsecureCode } from "../../src/analysis/child/find-insecure-code.ts";
import type { Dialect } from "../../src/analysis/languages.ts";
import { readerContext, scratchFolder, sourceFile } from "./change-of.ts";

const read = findInsecureCode();
const rulesOf = (text: string, dialect: Dialect = "js") => {
  const result = read({ id: 0, text, dialect });
  return "unread" in result ? [result.unread] : result.hits.map(({ rule }) => rule);
};
const EXEC = 'const { exec } = require("node:child_process");\n';
const handler = (body: string) => `${EXEC}app.get("/", async (req, res) => {\n${body}\n});\n`;
const SHELL = ["program/shell"];

describe("bad input of the patterns", () => {
  it.each<[string, string, Dialect]>([
    ["a broken statement before it", `const = ;\n${handler("exec('ls ' + req.query.a);")}`, "js"],
    ["a broken end", `${handler("exec('ls ' + req.query.a);")}function (`, "js"],
    [
      "decorators",
      `${EXEC}@Controller()\nclass A {\n  @Get() list(@Query("a") a, @Foo(() => { throw 1; }) b) { exec("ls " + a); }\n}`,
      "ts",
    ],
    ["Flow", `// @flow\n${handler("const a = (req.query.a: any);\n  exec('ls ' + req.query.a);")}`, "js"],
    ["`with`", handler("with (req.query) { exec('ls ' + req.query.a); }"), "cjs"],
    ["labels", handler("outer: for (;;) { inner: while (true) { exec('ls ' + req.query.a); break outer; } }"), "js"],
    [
      "JSX",
      `${handler("exec('ls ' + req.query.a);")}export const View = ({ a }) => <><b {...a}>{/* x */}{a.map((b) => <i key={b}>{b}</i>)}</></>;`.replace(
        "</></>",
        "</b></>",
      ),
      "jsx",
    ],
    [
      "getters with effects",
      handler("const a = { get dir() { process.exit(1); return req.query.a; } }; exec('ls ' + req.query.a);"),
      "js",
    ],
    ["names of another script", handler("const 目录 = req.query.目录; const ключ = 目录; exec('ls ' + ключ);"), "js"],
    ["names with escapes", handler("const d\\u0069r = req.query.a; exec('ls ' + dir);"), "js"],
    [
      "hostile names",
      handler("const __proto__ = req.query.__proto__; const constructor = __proto__; exec('ls ' + constructor);"),
      "js",
    ],
    [
      "minified code",
      `!function(e,t){var n=require("child_process");t.get("/",function(e,t){var r=e.query.a;n.exec("ls "+r)})}(this,require("express")());`,
      "js",
    ],
    ["carriage returns", handler("exec('ls ' + req.query.a);").replaceAll("\n", "\r\n"), "js"],
    ["a mark at its beginning", `\ufeff${handler("exec('ls ' + req.query.a);")}`, "js"],
    ["separators of lines of Unicode", handler("const a = req.query.a;\u2028exec('ls ' + a);"), "js"],
    [
      "functions that call each other",
      handler("const a = (x) => b(x), b = (x) => c(x), c = (x) => a(x) + x; exec('ls ' + c(req.query.a));"),
      "js",
    ],
    ["a hundred templates in each other", handler(`exec(${"`a${".repeat(100)}req.query.a${"}`".repeat(100)});`), "js"],
  ])("REV-6: what parses is read: %s", (_, text, dialect) => {
    expect(rulesOf(text, dialect)).toEqual(SHELL);
  });

  it("REV-6: a file of another encoding is read as far as its bytes are text", async () => {
    const text = handler("const größe = 1; exec('ls ' + req.query.a);");
    const context = readerContext();
    const of = async (bytes: Buffer) => {
      const { observations } = await patterns.analyse([sourceFile("src/a.js", bytes)], context);
      return observations.map(({ rule }) => rule);
    };
    expect(await of(Buffer.from(text, "latin1"))).toEqual(["patterns/program/shell"]);
    expect(await of(Buffer.from(text, "utf8"))).toEqual(["patterns/program/shell"]);
    expect(await of(Buffer.from(`\ufeff${text}`, "utf16le"))).toEqual([]);
  });

  it("REV-6: a hundred thousand sources into one place are one finding", () => {
    const make = (count: number) => handler(`exec([${"req.query.a,".repeat(count)}].join(" "));`);
    expect(rulesOf(make(100_000))).toEqual(SHELL);
  });

  it("REV-6: a nest of 10,000 ends with a word, whatever it is made of", async () => {
    const nests = [
      ["(", "1", ")"],
      ["[", "", "]"],
      ["f(", "1", ")"],
      ["(() => {", "", "})()"],
      ["{", "", "}"],
      ["`${", "1", "}`"],
      ["a ? ", "1", " : 2"],
      ["!", "1", ""],
    ] as const;
    const context = readerContext();
    const files = nests.map(([open, middle, close], at) => {
      const nest = `${open.repeat(10_000)}${middle}${close.repeat(10_000)}`;
      return sourceFile(`src/deep${at}.js`, `const x = 1;\n${open === "{" ? "" : "x = "}${nest};\n`);
    });
    const { observations, problems } = await patterns.analyse(files, context);
    expect(observations).toEqual([]);
    for (const { reason } of problems)
      expect(reason).toMatch(/nested too deeply|broke down|does not parse|too much to follow/);
  });

  it("REV-6: a nest that kills the parser costs that file alone, and is said", async () => {
    const context = readerContext();
    const deep = sourceFile("src/deep.js", `module.exports = ${"[".repeat(200_000)}${"]".repeat(200_000)};\n`);
    const fine = sourceFile("src/app.js", `require("./deep");\n${handler("exec('ls ' + req.query.a);")}`);
    const { observations, problems } = await patterns.analyse([deep, fine], context);
    expect(observations.map(({ file, rule }) => `${file} ${rule}`)).toEqual(["src/app.js patterns/program/shell"]);
    expect(problems.map(({ file }) => file)).toEqual(["src/deep.js"]);
    expect(problems[0]?.reason).toMatch(/broke down|nested too deeply|does not parse/);
  });

  it("REV-6: nothing is executed and nothing outside is read", async () => {
    const secret = join(scratchFolder(), "outside.js");
    const text = `globalThis.ran = true;\nrequire(${JSON.stringify(secret)});\nrequire("../../../../etc/passwd");\nimport("file:///etc/passwd");\n${handler("exec('ls ' + req.query.a);")}`;
    const asked: string[] = [];
    const tree = {
      paths: ["src/a.js", "src/b.js"],
      readMany: async (paths: readonly string[]) => {
        asked.push(...paths);
        return new Map(paths.map((path) => [path, Buffer.from("export const a = 1;\n")] as const));
      },
    };
    const context = { ...readerContext(), tree };
    const { observations } = await patterns.analyse([sourceFile("src/a.js", text)], context);
    expect(observations.some(({ rule }) => rule === "patterns/program/shell")).toBe(true);
    expect(Object.hasOwn(globalThis, "ran")).toBe(false);
    expect(asked.every((path) => tree.paths.includes(path))).toBe(true);
  });

  it("REV-6: bundles of other programs are read to their end", () => {
    const bundle = readFileSync(join(import.meta.dirname, "..", "..", "node_modules", "zod", "index.cjs"), "utf8");
    const packed = `${bundle.replace(/\n\s*/g, "\n")}\n${handler("exec('ls ' + req.query.a);")}`;
    expect(rulesOf(packed, "cjs")).toEqual(SHELL);
  });
});
