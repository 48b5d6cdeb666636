import { describe, expect, it } from "vitest";
import { biomeFormat } from "../../src/analysis/analysers/biome-format.ts";
import { formatFiles } from "../../src/analysis/lint-files.ts";
import { fitFixes } from "../../src/pipeline/review/fix/fit-fixes.ts";
import { changedFile, readerContext, scratchFolder, sourceFile } from "./change-of.ts";

/** What is said of these files, each by its path with its text now and before. */
async function formatAll(files: Readonly<Record<string, readonly [head: string, base: string]>>) {
  const sources = Object.entries(files).map(([path, [head, base]]) => sourceFile(path, head, base));
  const { observations } = await biomeFormat.analyse(sources, readerContext());
  return observations;
}

const format = (head: string, base: string) => formatAll({ "a.ts": [head, base] });

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
    const [found] = await format(head, base);
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
    const [found] = await format(nested, TIDY);
    expect(found).toMatchObject({ rule: "biome-format/style" });
    expect(found).not.toHaveProperty("fix");
    const [blank] = await format(`${TIDY}export const b = 2;\n\n\n\nexport const c = 3;\n`, TIDY);
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
    const both = await format(head, TIDY);
    expect(both).toMatchObject([{ rule: "biome-format/style", severity: "info", line: 1 }]);
    const { texts } = fitFixes(new Map([["a.ts", head]]), [{ findingId: "F-1", fix: both[0]!.fix! }]);
    expect(texts.get("a.ts")).toBe(tidy);
    const added = "export const h = () => {\n  let c = 1;\n  return c;\n};\n";
    expect(await format(TIDY + added, TIDY)).toMatchInlineSnapshot(`
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
  const LEFT_ALONE: readonly (readonly [why: string, before: string, added: string | undefined])[] = [
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
  ];

  it("SAFE-4: leaves simple lint alone where a fix could change what the code means, or what people wrote", async () => {
    const cases = LEFT_ALONE.map(([why, before, added]) => {
      // Forge takes the one assignment away: the declaration is not its own.
      return [why, before, added === undefined ? before.replace("  c += 1;\n", "") : before + added] as const;
    });
    // A file that is linted shows that the others were looked at.
    const all = [...cases, ["control", TIDY, TIDY + ADDED] as const];
    const files = all.map(([, before, now], at) => [`${at}.ts`, written(before, now)] as const);
    const options = { scratchRoot: scratchFolder(), signal: new AbortController().signal };
    const formatted = await formatFiles(new Map(files), options);
    expect([...formatted.keys()]).toEqual([`${cases.length}.ts`]);
    const told = await formatAll(Object.fromEntries(all.map(([, before, now], at) => [`${at}.ts`, [now, before]])));
    expect(told.map(({ file }) => file)).toContain(`${cases.length}.ts`);
    for (const [at, [why]] of cases.entries()) {
      expect(formatted.get(`${at}.ts`)?.toString(), why).toBeUndefined();
      expect(
        told.filter(({ file }) => file === `${at}.ts`),
        why,
      ).toEqual([]);
    }
  });

  it("SAFE-4: what somebody else pushed since the base keeps its lint, though it differs from the base", async () => {
    const pushed = `${TIDY}export function h() {\n  let c = 1;\n  return c;\n}\n`;
    const now = `${pushed}export function i() {\n  return 2\n}\n`;
    expect(await formatWritten(TIDY, now, pushed)).toBe(now.replace("return 2", "return 2;"));
    expect(await formatWritten(TIDY, now)).toContain("const c = 1;");
  });

  it("learns the style from the old text, and says nothing where that was formatted by hand or only unchanged lines would move", async () => {
    const tabs = "export const a = () => {\n\treturn 'a';\n};\n";
    const bare = "const a = 'x'\nconst b = 'y'\nexport const c = () => {\n  return a + b\n}\n";
    const byHand = "export const table = [\n  [1,   2],\n  [100, 2],\n];\n";
    const told = await formatAll({
      "tabs-wrong.ts": [tabs.replace("return 'a';", "return 'a' +a();"), tabs],
      "tabs.ts": [`${tabs}export const d = 1;\n`, tabs],
      "bare-wrong.ts": [bare.replace("a + b", "a+b"), bare],
      "bare.ts": [`${bare}export const d = 1\n`, bare],
      "by-hand.ts": [`${byHand}export const b=2\n`, byHand],
      "unchanged.ts": [`${TIDY}export const b = 2;\n`, TIDY],
    });
    expect(told.map(({ file }) => file).sort()).toEqual(["bare-wrong.ts", "tabs-wrong.ts"]);
  });

  it("REV-1: notes once where a formatted file stops being formatted, whatever its length", async () => {
    const head = TIDY.replace("[a, 1]", "[ a,1 ]").replace("return []", "return [ ]");
    const told = await formatAll({ "a.ts": [head, TIDY], "long.ts": ["var a=1;".repeat(6_000), ""] });
    expect(told).toMatchObject([
      { file: "a.ts", rule: "biome-format/style", severity: "info", line: 3, endLine: 3 },
      { file: "long.ts", rule: "biome-format/style", line: 1 },
    ]);
  });
});
