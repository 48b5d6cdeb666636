import { expect, it } from "vitest";
import { type Repository, resolved } from "./resolver-of.ts";

/** Each in a folder of its own: settings of a project, who imports, what is imported, and the file that is meant. */
const PROJECTS: readonly (readonly [what: string, settings: Repository, module: string, expected: string])[] = [
  [
    "comments",
    { "tsconfig.json": `/* a */ { "compilerOptions": { "paths": { "@a/*": ["./src/*"] } } }` },
    "@a/run",
    "",
  ],
  [
    "comments at ends of lines, commas at ends of lists, and stars and slashes that are no comments",
    {
      "tsconfig.json": `{\n "include": ["**/*.ts", "src/**/*"], // all\n "compilerOptions": { "paths": { "@a/*": ["./src/*",], }, }, // own\n}`,
    },
    "@a/run",
    "",
  ],
  ["a byte order mark", { "tsconfig.json": `\uFEFF{"compilerOptions":{"paths":{"@a/*":["./src/*"]}}}` }, "@a/run", ""],
  [
    "extends",
    {
      "tsconfig.json": { extends: "./config/tsconfig.shared.json" },
      "config/tsconfig.shared.json": { compilerOptions: { paths: { "@a/*": ["../src/*"] } } },
    },
    "@a/run",
    "",
  ],
  [
    "a list of extends without endings",
    {
      "tsconfig.json": { extends: ["./tsconfig.one", "./tsconfig.two"] },
      "tsconfig.one.json": { compilerOptions: { paths: { "@a/*": ["./src/*"] } } },
      "tsconfig.two.json": { compilerOptions: { strict: true } },
    },
    "@a/run",
    "",
  ],
  ["baseUrl alone", { "tsconfig.json": { compilerOptions: { baseUrl: "src" } } }, "run", ""],
  ["another name", { "tsconfig.base.json": { compilerOptions: { paths: { "@a/*": ["./src/*"] } } } }, "@a/run", ""],
  ["jsconfig", { "jsconfig.json": { compilerOptions: { paths: { "@a/*": ["./src/*"] } } } }, "@a/run", ""],
  [
    "references",
    {
      "tsconfig.json": { files: [], references: [{ path: "./tsconfig.app.json" }] },
      "tsconfig.app.json": { include: ["src"], compilerOptions: { paths: { "@a/*": ["./src/*"] } } },
    },
    "@a/run",
    "",
  ],
  ["imports", { "package.json": { imports: { "#a/*": "./src/*.ts" } } }, "#a/run", ""],
  ["imports without an ending", { "package.json": { imports: { "#a/*": "./src/*" } } }, "#a/run", ""],
  [
    "imports under conditions, of what is built",
    { "package.json": { imports: { "#run": { types: "./dist/run.d.ts", default: "./dist/run.js" } } } },
    "#run",
    "",
  ],
  [
    "an alias of Vite",
    {
      "vite.config.ts": `import { resolve } from "node:path";\nexport default defineConfig({ resolve: { alias: { "~a": resolve(__dirname, "src") } } });`,
    },
    "~a/run",
    "",
  ],
  [
    "aliases of Vitest in a list",
    {
      "vitest.config.mts": `const src = fileURLToPath(new URL("./src", import.meta.url));\nexport default { test: { alias: [{ find: /^%\\//, replacement: \`\${src}/\` }, { find: "b", replacement: src }] } };`,
    },
    "b/run",
    "",
  ],
  [
    "names of Jest",
    { "jest.config.js": `module.exports = { moduleNameMapper: { "^%a/(.*)$": "<rootDir>/src/$1" } };` },
    "%a/run",
    "",
  ],
  ["names of Jest in a manifest", { "package.json": { jest: { moduleNameMapper: { "^a$": "./src/run" } } } }, "a", ""],
  [
    "webpack",
    { "webpack.config.cjs": `module.exports = { resolve: { alias: { a$: path.join(__dirname, "src/run.ts") } } };` },
    "a",
    "",
  ],
  ["Babel", { ".babelrc": { plugins: [["module-resolver", { root: ["."], alias: { a: "./src" } }]] } }, "a/run", ""],
  ["a name that is usual", {}, "@/run", ""],
  ["another usual name", {}, "~/src/run", ""],
  ["an ending of what is built", {}, "./run.js", ""],
  ["a folder", {}, "./parts", "src/parts/index.tsx"],
  ["what is built", {}, "../dist/run.js", ""],
  ["an ending that stays", {}, "../data.json", "data.json"],
  ["a query", {}, "./run.ts?raw", ""],
];

it("R10, TEST-3: imports are read by the settings of the project around them", async () => {
  const files = PROJECTS.flatMap(([, settings], at) => [
    ...["src/app.ts", "src/run.ts", "src/parts/index.tsx", "data.json"].map((path) => [`p${at}/${path}`, ""] as const),
    [`p${at}/package.json`, {}] as const,
    ...Object.entries(settings).map(([path, content]) => [`p${at}/${path}`, content] as const),
  ]);
  const importers = PROJECTS.map(([, , module], at) => ({ path: `p${at}/src/app.ts`, modules: [module] }));
  const { targets } = await resolved(Object.fromEntries(files), importers);
  expect(PROJECTS.map(([what, , module], at) => [what, targets(`p${at}/src/app.ts`, module)[0]])).toEqual(
    PROJECTS.map(([what, , , expected], at) => [what, `p${at}/${expected || "src/run.ts"}`]),
  );
});

it("TEST-3: settings that other packages of a workspace have for it, and every file that a condition may mean", async () => {
  const path = "packages/web/src/app.tsx";
  const { targets } = await resolved(
    {
      "package.json": { workspaces: ["packages/*"] },
      "packages/typescript-config/package.json": { name: "@acme/typescript-config" },
      "packages/typescript-config/base.json": { compilerOptions: { paths: { "@web/*": ["../web/src/*"] } } },
      "packages/web/tsconfig.json": { extends: "@acme/typescript-config/base.json" },
      "packages/web/package.json": { imports: { "#db": { test: "./src/db.fake.ts", default: "./src/db.ts" } } },
      [path]: "",
      "packages/web/src/db.ts": "",
      "packages/web/src/db.fake.ts": "",
    },
    [{ path, modules: ["@web/db", "#db"] }],
  );
  expect(targets(path, "@web/db")).toEqual(["packages/web/src/db.ts"]);
  expect(targets(path, "#db").toSorted()).toEqual(["packages/web/src/db.fake.ts", "packages/web/src/db.ts"]);
});

it("TEST-3: names of several settings around a file, one after the other", async () => {
  const path = "packages/web/src/app.ts";
  const { targets } = await resolved(
    {
      "tsconfig.base.json": { compilerOptions: { baseUrl: ".", paths: { "@core": ["packages/core/src"] } } },
      "packages/core/src/index.ts": "",
      // TypeScript takes only these names, and looks for them from the folder of the other file.
      "packages/web/tsconfig.json": {
        extends: "../../tsconfig.base",
        compilerOptions: { paths: { "$lib/*": ["./src/*"] } },
      },
      [path]: "",
    },
    [{ path, modules: ["$lib/app", "@core"] }],
  );
  expect(targets(path, "@core")).toEqual(["packages/core/src/index.ts"]);
});

it("TEST-3: what looks like the repository's own and is not found is named, and nothing else", async () => {
  const own = ["./none", "../dist/none.js", "#none", "@/none", "@a/none", "shop/none", "lib/none"];
  const others = ["react", "@types/node", "node:fs", "fs", "#react", "https://a.example/b.js", "virtual:a", ""];
  const { lost } = await resolved(
    {
      "package.json": { name: "shop", imports: { "#react": "react", "#own/*": "./src/*.ts" } },
      "tsconfig.json": { compilerOptions: { baseUrl: "src", paths: { "@a/*": ["*"], react: ["../node_modules/b"] } } },
      "src/app.ts": "",
      "src/lib/a.ts": "",
    },
    [{ path: "src/app.ts", modules: [...own, ...others] }],
  );
  expect(lost("src/app.ts")).toEqual(own);
});

it.each([
  ["of scripts", "a.js", Array.from({ length: 2_001 }, (_, at) => `p-${at}`), "p-2000"],
  ["of Python", "a.py", Array.from({ length: 2_001 }, (_, at) => `p_${at}`), "p_2000"],
  ["longer ones", "a.js", [`./${"a".repeat(400)}`], `./${"a".repeat(298)}`],
])("TEST-3: imports that are too many to be looked up are said to lead nowhere: %s", async (_, path, modules, said) => {
  const { lost, isCut } = await resolved({ [path]: "" }, [{ path, modules }]);
  expect([lost(path), isCut(path)]).toEqual([[said], true]);
});
