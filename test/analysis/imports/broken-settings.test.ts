import { expect, it } from "vitest";
import { readAliases } from "../../../src/analysis/child/imports/read-aliases.ts";
import { readImportable } from "../../../src/analysis/imports/import-settings.ts";
import { resolved } from "./resolver-of.ts";

const chain = (begin: string, link: string, end = "") => `${begin}${link.repeat(90_000 / link.length)}${end}`;

/** Each ends a child that reads it as it is, or takes it long. */
const SETTINGS: readonly (readonly [path: string, text: string])[] = [
  ["vite.config.js", `export const x = [${",".repeat(150_000)}];`],
  ["vite.config.ts", `export const x = { alias: { "@a": "./src" }, y: [${",".repeat(150_000)}] };`],
  ["jest.config.js", chain("x = a", "+a")],
  ["jest.config.ts", chain("x = ", "!", "a")],
  ["webpack.config.js", chain("", "a=", "a")],
  ["webpack.config.ts", chain("x = ", "a?b:", "c")],
  ["rollup.config.js", chain("x = ", "a=>", "a")],
  ["rollup.config.mjs", chain("", "if(a)", ";")],
  ["next.config.js", chain("x = ", "a<", "b")],
  ["next.config.mjs", chain("x = ", "async a=>", "b")],
  ["babel.config.js", chain("", "for(;;)", ";")],
  ["tsconfig.json", chain("a", "+a")],
  [".babelrc", chain("a", "+a")],
  ["astro.config.mjs", "[1],".repeat(49_000)],
  ["tsconfig.slow.json", `[${"[1],".repeat(49_000)}1]`],
  [
    "package.json",
    JSON.stringify({
      exports: Object.fromEntries(Array.from({ length: 490 }, (_, at) => [`./${at}/*`, "./src/*.no"])),
    }),
  ],
];

it("SEC-1, TEST-3: settings that would break or hold up the reading process leave all others in force", async () => {
  const files = SETTINGS.flatMap(([path, text], at) => [
    [`p${at}/src/app.ts`, ""] as const,
    [`p${at}/src/ok.ts`, ""] as const,
    [`p${at}/${path}`, text] as const,
  ]);
  const good = { "good/tsconfig.json": { compilerOptions: { paths: { "~a": ["./ok.ts"] } } }, "good/ok.ts": "" };
  const importers = SETTINGS.map((_, at) => ({ path: `p${at}/src/app.ts`, modules: ["./ok"] }));
  const asked = [...importers, { path: "good/app.ts", modules: ["~a"] }];
  const { targets, isCut } = await resolved({ ...Object.fromEntries(files), ...good, "good/app.ts": "" }, asked);
  expect(importers.map(({ path }) => targets(path, "./ok"))).toEqual(SETTINGS.map((_, at) => [`p${at}/src/ok.ts`]));
  expect(targets("good/app.ts", "~a")).toEqual(["good/ok.ts"]);
  expect(asked.filter(({ path }) => isCut(path))).toEqual([]);
});

it.each([
  ["functions that may be conditions", "a?(b):c=>", "d"],
  ["lists of types that may be comparisons", "a<b,", "c"],
])("SEC-1: settings with too many %s for the parser are not read", (_, link, end) => {
  const sizeWith = (count: number) =>
    readAliases("metro.config.js", `const a = { alias: { b: "./c" } }; a.x = [${link.repeat(count)}${end}];`).size;
  expect([sizeWith(20), sizeWith(400)]).toEqual([1, 0]);
});

it("SEC-1: no more settings are read than can be laid out, the nearest to the root first, and smaller ones still", async () => {
  const paths = Array.from({ length: 150 }, (_, at) => `${"d/".repeat(at % 5)}p${at}/package.json`);
  const sizes = new Map(paths.map((path, at) => [path, at === 149 ? 10 : at === 0 ? 200_001 : 190_000]));
  const readMany = (wanted: readonly string[]) =>
    Promise.resolve(new Map(wanted.map((path) => [path, Buffer.alloc(sizes.get(path)!)])));
  const { settings } = await readImportable(paths, readMany, new AbortController().signal);
  expect(settings.has(paths[149]!)).toBe(true);
  expect(settings.size).toBe(22);
  expect([...settings.keys()].filter((path) => path.startsWith("d/"))).toEqual([paths[149]]);
});

it("TEST-3: of more files than are laid out the nearest are, and what is not found then may be there", async () => {
  const many = Object.fromEntries(Array.from({ length: 60_010 }, (_, at) => [`a/${at}.js`, ""]));
  const files = { ...many, "src/app/routes.js": "", "src/app/view.js": "", "src/db.js": "" };
  const path = "src/app/routes.js";
  const { targets, lost, isCut } = await resolved(files, [{ path, modules: ["./view", "../db", "../../a/60009.js"] }]);
  expect([targets(path, "./view"), targets(path, "../db")]).toEqual([["src/app/view.js"], ["src/db.js"]]);
  expect([lost(path), isCut(path)]).toEqual([["../../a/60009.js"], true]);
});
