import { describe, expect, it } from "vitest";
import { biomeFormat } from "../../src/analysis/analysers/biome-format.ts";
import { formatFiles } from "../../src/analysis/lint-files.ts";
import { fitFixes } from "../../src/pipeline/review/fix/fit-fixes.ts";
import { changedFile, scratchFolder, sourceFile } from "./change-of.ts";

async function format(path: string, head: string, base: string) {
  const { observations } = await biomeFormat.analyse([sourceFile(path, head, base)], {
    scratch: scratchFolder(),
    signal: new AbortController().signal,
  });
  return observations;
}

/** A file of Forge's own work, all of it written now where nothing else is said. */
function written(before: string, now: string, since = before) {
  return { before: Buffer.from(before), now: Buffer.from(now), hunks: changedFile("a.ts", now, since).hunks };
}

async function formatWritten(before: string, now: string, since?: string) {
  const options = { scratchRoot: scratchFolder(), signal: new AbortController().signal };
  return (await formatFiles(new Map([["a.ts", written(before, now, since)]]), options)).get("a.ts")?.toString();
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
    expect(texts.get("a.ts")).not.toBe(head);
    expect(texts.get("a.ts")).toBe(await formatWritten(base, head));
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
    const files = {
      "hand.ts": written(byHand, `${byHand}export const b=2\n`),
      "mark.ts": written(TIDY, `\ufeff${TIDY}export const b=2\n`),
      "data.json": written("{}\n", '{"a":1}\n'),
      "broken.ts": written(TIDY, `${TIDY}export const = \n`),
    };
    expect([...(await formatFiles(new Map(Object.entries(files)), options)).keys()]).toEqual([]);
  });

  it("SAFE-4: simple lint goes with formatting: the same on Forge's own lines as `/forge fix` makes of people's", async () => {
    const head = `import { g as g } from "./g";\n${TIDY.replace("  return [];", "  let b=g(a) // why\n  return [b!!];")}`;
    const tidy = `import { g } from "./g";\n${TIDY.replace("  return [];", "  const b = g(a); // why\n  return [b!];")}`;
    expect(await formatWritten(TIDY, head)).toBe(tidy);
    const both = await format("a.ts", head, TIDY);
    expect(both).toMatchObject([{ rule: "biome-format/style", severity: "info", line: 1 }]);
    const { texts } = fitFixes(new Map([["a.ts", head]]), [{ findingId: "F-1", fix: both[0]!.fix! }]);
    expect(texts.get("a.ts")).toBe(tidy);
    const added = "export const h = () => {\n  let c = 1;\n  return c;\n};\n";
    expect(await format("a.ts", TIDY + added, TIDY)).toMatchInlineSnapshot(`
      [
        {
          "category": "style",
          "confidence": 0.6,
          "endLine": 8,
          "file": "a.ts",
          "fix": {
            "after": "  const c = 1;",
            "before": "  let c = 1;",
            "endLine": 8,
            "file": "a.ts",
            "startLine": 8,
          },
          "line": 8,
          "message": "From this line on Biome's linter has fixes that leave the meaning as it is.",
          "rule": "biome-format/style",
          "severity": "info",
          "source": "static",
          "why": "Before the change nothing in the file was against the rules noExtraNonNullAssertion, noUselessRename and useConst.",
        },
      ]
    `);
  });

  const ADDED = "export function h(xs: number[]) {\n  let c = 1;\n  return c;\n}\n";
  it.each([
    ["the file had such places before", `${TIDY}${ADDED.replace("h(", "i(")}`, ADDED],
    [
      "it stands on a line that was there before",
      `${TIDY}${ADDED.replace("return c", "c += 1;\n  return c")}`,
      undefined,
    ],
    ["a comment would be lost", `${TIDY}export { c } from "./c";\n`, 'export { d as /* why */ d } from "./d";\n'],
    ["others see what is exported", TIDY, "export let e = 1;\n"],
    ["a script shares its names with other scripts", TIDY.replace("export ", ""), "let e = 1;\n"],
    ["eval may assign to it", TIDY, 'export function h() {\n  let c = 1;\n  return eval("c = 2") + c;\n}\n'],
    ["it is assigned to somewhere", TIDY, ADDED.replace("return c", "[c = 2] = xs;\n  return c")],
    [
      "a finally swallows errors with it",
      TIDY,
      "for (const i of [f(1)]) {\n  try {\n    f(2);\n  } finally {\n    continue;\n  }\n}\n",
    ],
    [
      "the name is one of the file's own",
      TIDY,
      "export function h(Boolean: (a: 1) => 1) {\n  if (Boolean(1)) f(1);\n}\n",
    ],
    ["it does not parse", TIDY, `${ADDED}export const = 1;\n`],
  ])("SAFE-4: leaves simple lint alone where %s", async (_, before, added) => {
    // Forge takes the one assignment away: the declaration is not its own.
    const now = added === undefined ? before.replace("  c += 1;\n", "") : before + added;
    expect(await formatWritten(before, now)).toBeUndefined();
    expect(await format("a.ts", now, before)).toEqual([]);
  });

  it("SAFE-4: what somebody else pushed since the base keeps its lint, though it differs from the base", async () => {
    const pushed = `${TIDY}export function h() {\n  let c = 1;\n  return c;\n}\n`;
    const now = `${pushed}export function i() {\n  return 2\n}\n`;
    expect(await formatWritten(TIDY, now, pushed)).toBe(now.replace("return 2", "return 2;"));
    expect(await formatWritten(TIDY, now)).toContain("const c = 1;");
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
