import { describe, expect, it } from "vitest";
import { biomeFormat } from "../../src/analysis/analysers/biome-format.ts";
import { scratchFolder, sourceFile } from "./change-of.ts";

async function format(path: string, head: string, base: string) {
  const { observations } = await biomeFormat.analyse([sourceFile(path, head, base)], {
    scratch: scratchFolder(),
    signal: new AbortController().signal,
  });
  return observations;
}

const TIDY = "export function f(a: number) {\n  if (a > 1) {\n    return [a, 1];\n  }\n  return [];\n}\n";

describe("formatting", () => {
  it("REV-1: notes once where a formatted file stops being formatted", async () => {
    const head = TIDY.replace("[a, 1]", "[ a,1 ]").replace("return []", "return [ ]");
    expect(await format("a.ts", head, TIDY)).toMatchObject([
      { rule: "biome-format/style", severity: "info", line: 3, endLine: 3 },
    ]);
  });

  it.each([
    ["tabs and single quotes", "export const a = () => {\n\treturn 'a';\n};\n", "\treturn 'a' +a();\n"],
    ["no semicolons", "const a = 'x'\nconst b = 'y'\nexport const c = () => {\n  return a + b\n}\n", "  return a+b\n"],
  ])("learns the style from the old text: %s", async (_, base, wrong) => {
    const line = base.split("\n").find((text) => text.includes("return"))!;
    expect(await format("a.ts", base.replace(`${line}\n`, wrong), base)).toHaveLength(1);
    expect(await format("a.ts", `${base}export const d = 1${base.includes(";") ? ";" : ""}\n`, base)).toEqual([]);
  });

  it("says nothing where the old text was formatted by hand", async () => {
    const byHand = "export const table = [\n  [1,   2],\n  [100, 2],\n];\n";
    expect(await format("a.ts", `${byHand}export const b=2\n`, byHand)).toEqual([]);
  });

  it("says nothing where only unchanged lines would move", async () => {
    expect(await format("a.ts", `${TIDY}export const b = 2;\n`, TIDY)).toEqual([]);
  });

  it("notes once what formatting would change from top to bottom, whatever its length", async () => {
    expect(await format("a.ts", "var a=1;".repeat(6_000), "")).toMatchObject([{ rule: "biome-format/style", line: 1 }]);
  });
});
