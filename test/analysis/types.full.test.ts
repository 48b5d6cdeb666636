import { describe, expect, it } from "vitest";
import { types } from "../../src/analysis/analysers/types.ts";
import { openAnalysisCache } from "../../src/analysis/open-analysis-cache.ts";
import type { SourceFile } from "../../src/analysis/source-file.ts";
import { analyse, readerContext, scratchFolder, sourceFile } from "./change-of.ts";

const run = (...files: SourceFile[]) => types.analyse(files, readerContext());
const brief = async (...files: SourceFile[]) =>
  (await run(...files)).observations.map(
    ({ file, line, column, rule }) => `${file}:${line}:${column} ${rule.slice(6)}`,
  );

describe("errors of types that are certain without packages and settings", () => {
  it("REV-1: finds wrong names, counts, comparisons and writes, over files of the change that import each other", async () => {
    const order = sourceFile(
      "src/order.ts",
      'export interface Order { readonly state: "open" | "sent"; readonly price: number }\nexport function total(order: Order, factor: number) { return order.price * factor; }\n',
    );
    const use = sourceFile(
      "src/use.tsx",
      [
        'import { type Order, total } from "./order.ts";',
        'import { unknown } from "a-package";',
        "export function f(order: Order) {",
        "  total(order);",
        '  if (order.state === "snet") return order.pirce;',
        "  order.price = unknown(1, 2, 3).anything;",
        "  return <b>{order.price}</b>;",
        "}",
        "",
      ].join("\n"),
    );
    expect(await brief(order, use)).toEqual([
      "src/use.tsx:4:3 argument-count",
      "src/use.tsx:5:7 never-equal",
      "src/use.tsx:5:44 unknown-property",
      "src/use.tsx:6:9 read-only",
    ]);
  });

  it("is silent about everything that a missing package, a setting or another file may explain", async () => {
    const text = [
      'import type { Base } from "a-package";',
      'import { need, Model } from "./elsewhere.ts";',
      "interface A extends Base { readonly a: number }",
      "interface Merged { readonly a: number }",
      "class B extends Model { run() { return this.inherited; } }",
      "declare global { interface Window { mine: string } }",
      "export function f(a: A, b: B, m: Merged | undefined, p: Promise<void>) {",
      "  let n: string = null;",
      '  if (n == 1) throw new Error("equal after conversion");',
      "  process.exit(1, 2);",
      "  new Promise<void>((resolve) => resolve());",
      "  const x = need(a) ?? { ok: true };",
      "  return [a.other, b.other, window.mine, m.a, x.value, n, setTimeout(f, 1).unref(), missing, Buffer.from(p)];",
      "}",
      "",
    ].join("\n");
    expect(await brief(sourceFile("a.ts", text))).toEqual([]);
  });

  it("SEC-1: reads no file of this machine by the name of a path or an import", async () => {
    const text =
      'import { version } from "../../../../etc/passwd";\nimport x from "./package.json";\n/// <reference path="/etc/hosts" />\nexport const a: number = version + x;\n';
    const { observations, problems } = await run(
      sourceFile("../../etc/a.ts", text),
      sourceFile("/etc/b.ts", text),
      sourceFile(
        "tsconfig.json",
        '{ "extends": "/etc/passwd", "compilerOptions": { "plugins": [{ "name": "x" }] } }\n',
      ),
    );
    expect({ observations, problems }).toEqual({ observations: [], problems: [] });
  });

  it("REV-1: what was said of a file is kept for as long as no file of the change is another", async () => {
    const cache = openAnalysisCache(scratchFolder());
    const look = async (factors: string) => {
      const files = {
        "src/order.ts": `export function total(price: number${factors}) { return price; }\n`,
        "src/use.ts": 'import { total } from "./order.ts";\nexport const sum = total(1, 2);\n',
      };
      const { observations, cache: counts } = await analyse(files, { analysers: [types], cache });
      return [observations.map(({ file, rule }) => `${file} ${rule}`), counts];
    };
    const wrong = ["src/use.ts types/argument-count"];
    expect(await look("")).toEqual([wrong, { hits: 0, misses: 2 }]);
    expect(await look("")).toEqual([wrong, { hits: 2, misses: 0 }]);
    expect(await look(", factor: number")).toEqual([[], { hits: 0, misses: 2 }]);
  });

  it("R10, REV-1: files of a change that import each other by an alias are checked together", async () => {
    const order = sourceFile("src/order.ts", "export function total(price: number) { return price; }\n");
    const use = sourceFile("src/use.ts", 'import { total } from "@/order";\nexport const sum = total(1, 2);\n');
    const settings = '/* ours */ {"compilerOptions":{"paths":{"@/*":["./src/*"]}}}';
    const readMany = async (paths: readonly string[]) =>
      new Map(paths.includes("tsconfig.json") ? [["tsconfig.json", Buffer.from(settings)]] : []);
    const tree = { paths: ["src/order.ts", "src/use.ts", "tsconfig.json"], readMany };
    const { observations } = await types.analyse([order, use], { ...readerContext(), tree });
    expect(observations.map(({ file, rule }) => `${file} ${rule}`)).toEqual(["src/use.ts types/argument-count"]);
  });

  it("a file that is asked for alone is checked with the others", async () => {
    const context = readerContext();
    const order = sourceFile("src/order.ts", "export function total(price: number) { return price; }\n");
    const use = sourceFile("src/use.ts", 'import { total } from "./order.ts";\nexport const sum = total(1, 2);\n');
    await types.restsOn?.([order, use], context);
    const { observations, filesRead } = await types.analyse([use], context);
    expect([observations.map(({ file }) => file), filesRead]).toEqual([["src/use.ts"], 1]);
  });

  it("GH-11a: says in a note what was not checked", async () => {
    const large = sourceFile("a.ts", `export const a = [\n${"  1,\n".repeat(450_000)}];\n`);
    expect(await run(large)).toMatchObject({
      idle: true,
      notes: ["Types were not checked: 2 MB of TypeScript are too much to check at once."],
    });
    const deep = sourceFile("deep.ts", `export const a = ${"(".repeat(60_000)}1${")".repeat(60_000)};\n`);
    const wrong = sourceFile("a.ts", "function f() {}\nf(1);\n");
    const { notes, problems, observations } = await run(deep, wrong);
    expect(problems).toEqual([]);
    expect(notes).toEqual(["Types were not checked in 1 of 2 files."]);
    expect(observations.map(({ file }) => file)).toEqual(["a.ts"]);
  });
});
