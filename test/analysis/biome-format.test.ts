import { describe, expect, it } from "vitest";
import { biomeFormat } from "../../src/analysis/analysers/biome-format.ts";
import { formatFiles } from "../../src/analysis/lint-files.ts";
import { fitFixes } from "../../src/pipeline/review/fix/fit-fixes.ts";
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
    ["lines that are laid out otherwise", TIDY.replace("[a, 1]", "[ a,1 ]").replace("return []", "return [ ]")],
    [
      "a line too long, and one too short",
      `${TIDY}export const b = f(1111111111, 2222222222, 3333333333, 4444444444, 5555555555, 66);\nexport const c = [\n  1];\n`,
    ],
    [
      "with the line endings of Windows",
      TIDY.replace("[a, 1]", "[ a,1 ]").replaceAll("\n", "\r\n"),
      TIDY.replaceAll("\n", "\r\n"),
    ],
  ])("SAFE-4: suggests what the formatter makes of it, to the letter: %s", async (_, head, base = TIDY) => {
    const [found] = await format("a.ts", head, base);
    const wanted = [{ findingId: "F-1", fix: found!.fix! }];
    const { texts, left } = fitFixes(new Map([["a.ts", head]]), wanted);
    expect(left).toEqual([]);
    const files = new Map([["a.ts", { before: Buffer.from(base), now: Buffer.from(head) }]]);
    const formatted = await formatFiles(files, { scratchRoot: scratchFolder(), signal: new AbortController().signal });
    expect(texts.get("a.ts")).not.toBe(head);
    expect(texts.get("a.ts")).toBe(formatted.get("a.ts")?.toString());
  });

  it("SAFE-4: suggests nothing where lines that the change left alone would move too, and formats no file of another style", async () => {
    const nested = TIDY.replace("  if (a > 1) {\n", "  if (a > 1) { if (a > 2) {\n").replace(
      "  }\n  return",
      "  } }\n  return",
    );
    const [found] = await format("a.ts", nested, TIDY);
    expect(found).toMatchObject({ rule: "biome-format/style" });
    expect(found).not.toHaveProperty("fix");
    const [blank] = await format("a.ts", `${TIDY}export const b = 2;\n\n\n\nexport const c = 3;\n`, TIDY);
    expect(blank).toMatchObject({ rule: "biome-format/style" });
    expect(blank).not.toHaveProperty("fix");
    const options = { scratchRoot: scratchFolder(), signal: new AbortController().signal };
    const byHand = "export const table = [\n  [1,   2],\n  [100, 2],\n];\n";
    const pair = (before: string, now: string) => ({ before: Buffer.from(before), now: Buffer.from(now) });
    const files = {
      "hand.ts": pair(byHand, `${byHand}export const b=2\n`),
      "mark.ts": pair(TIDY, `\ufeff${TIDY}export const b=2\n`),
      "data.json": pair("{}\n", '{"a":1}\n'),
      "broken.ts": pair(TIDY, `${TIDY}export const = \n`),
    };
    expect([...(await formatFiles(new Map(Object.entries(files)), options)).keys()]).toEqual([]);
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
