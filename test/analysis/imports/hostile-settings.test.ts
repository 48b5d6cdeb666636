import { expect, it } from "vitest";
import { cleanManifest } from "../../../src/analysis/child/imports/clean-manifest.ts";
import { cleanTsconfig } from "../../../src/analysis/child/imports/clean-tsconfig.ts";
import { KnownFiles } from "../../../src/analysis/child/imports/known-files.ts";
import { staysWithin } from "../../../src/analysis/child/imports/laid-repository.ts";
import { isPlain } from "../../../src/analysis/child/imports/lay-names.ts";
import { readAliases } from "../../../src/analysis/child/imports/read-aliases.ts";
import { resolved } from "./resolver-of.ts";

const AWAY = ["/etc/passwd", "../../../../../../../../etc/passwd", "a/../../../../../../etc/passwd", "..\\..\\etc"];

const SETTINGS: readonly Readonly<Record<string, unknown>>[] = [
  ...AWAY.map((path) => ({ "tsconfig.json": { extends: path, references: [{ path }], files: [path] } })),
  ...AWAY.map((path) => ({ "tsconfig.json": { compilerOptions: { baseUrl: path, paths: { "*": [path] } } } })),
  ...AWAY.map((path) => ({ "package.json": { name: path, main: path, exports: path, imports: { "#a": path } } })),
  ...AWAY.map((path) => ({
    "vite.config.ts": `export default { resolve: { alias: { "*": ${JSON.stringify(path)} } } };`,
  })),
  { "tsconfig.json": { extends: "./tsconfig.json" } },
  { "tsconfig.json": { extends: "./tsconfig.b.json" }, "tsconfig.b.json": { extends: ["./tsconfig.json", "./none"] } },
  { "tsconfig.json": { files: [], references: [{ path: "." }, { path: "./tsconfig.json" }] } },
  { "tsconfig.json": '{"a":'.repeat(100_000), "package.json": "[".repeat(100_000) },
  { "tsconfig.json": "(".repeat(400), "package.json": "){(" },
  { "tsconfig.json": ") ; process.exit(1) ; (", "vite.config.ts": "process.exit(1); throw 1;" },
  { "tsconfig.json": { compilerOptions: null, extends: [[1]], references: 1 }, "package.json": { exports: { a: 1 } } },
  { "package.json": '{"__proto__":{"name":"a"},"exports":{"__proto__":"./ok.ts"},"imports":{"#a":null}}' },
  { "vite.config.ts": "const a = b; const b = a; export default { alias: { x: a, y: resolve(b) } };" },
];

it("SEC-1: hostile settings lead nowhere outside of the repository, and other imports are still found", async () => {
  const files = SETTINGS.flatMap((settings, at) => [
    [`p${at}/src/app.ts`, ""] as const,
    [`p${at}/src/ok.ts`, ""] as const,
    ...Object.entries(settings).map(([path, content]) => [`p${at}/${path}`, content] as const),
  ]);
  const asked = [...AWAY, "passwd", "etc/passwd", "#a", "x", "\0", "%2e%2e/%2e%2e/etc/passwd", "./".repeat(140)];
  const importers = SETTINGS.map((_, at) => ({ path: `p${at}/src/app.ts`, modules: ["./ok", ...asked] }));
  const outside = { "../outside.ts": "", "/etc/passwd": "", "a//b.ts": "", [`${"d/".repeat(2_000)}e.ts`]: "" };
  const { targets } = await resolved({ ...Object.fromEntries(files), ...outside }, importers);
  expect(importers.map(({ path }) => targets(path, "./ok"))).toEqual(SETTINGS.map((_, at) => [`p${at}/src/ok.ts`]));
  expect(importers.flatMap(({ path }) => asked.flatMap((module) => targets(path, module)))).toEqual([]);
});

it("SEC-1: nothing that leads out of the repository is handed to the resolver", () => {
  const known = new KnownFiles(["src/a.ts"]);
  for (const path of AWAY) {
    const { options, files } = cleanTsconfig(
      "p/tsconfig.json",
      JSON.stringify({ files: [path], compilerOptions: { baseUrl: path, paths: { "*": [path] }, rootDirs: [path] } }),
    );
    expect([options, files]).toEqual([{ paths: {} }, { files: [] }]);
    const manifest = JSON.stringify({ name: path, main: path, exports: path, imports: { "#a": path } });
    expect(cleanManifest("p", manifest, known)).toMatchObject({ folder: "p", text: JSON.stringify({ name: path }) });
    expect(cleanManifest("p", manifest, known).name).toBeUndefined();
    expect(staysWithin("p", path)).toBe(false);
    expect(isPlain(path.replaceAll("\\", "/"))).toBe(false);
    const aliases = readAliases("p/vite.config.ts", `export default { alias: { a: ${JSON.stringify(path)} } };`);
    expect([...aliases.values()].flat().filter((each) => each.startsWith("/") || /^\.\.(?:\/|$)/.test(each))).toEqual(
      [],
    );
  }
});
