import { expect, it } from "vitest";
import type { Project } from "../../../scripts/selection/project.ts";
import { missedBy, readAll, selectionOf } from "./selected-by.ts";

const VITEST = `import { expect, test } from "vitest";\n`;
const NAMES = "export const label = () => 'cart';\n";
/** Each has a test of its own, so that the tests of `lib/names.js` are not all that there are. */
const others = Object.fromEntries(
  Array.from({ length: 4 }, (_, at) => [
    `test/other${at}.test.js`,
    `${VITEST}import { other } from "../src/other${at}.js";\ntest("other", () => expect(other()).toBe(${at}));\n`,
  ]),
);
const sources = Object.fromEntries(
  Array.from({ length: 4 }, (_, at) => [`src/other${at}.js`, `export const other = () => ${at};\n`]),
);
const IMPLICIT = "test/app.test.js";

/** `lib/names.js` is changed: a test of its own imports it, and `src/app.js` uses it without an import. */
function project(name: string, files: Project["files"], manifest: object = {}, path = "lib/names.js"): Project {
  const all = {
    "package.json": JSON.stringify({ type: "module", scripts: { test: "vitest run" }, ...manifest }),
    [path]: NAMES,
    "src/app.js": "export const app = () => label();\n",
    [IMPLICIT]: `${VITEST}import { app } from "../src/app.js";\ntest("app", () => expect(app()).toBe("cart"));\n`,
    "test/names.test.js": `${VITEST}import { label } from "../${path}";\ntest("label", () => expect(label()).toBeDefined());\n`,
    ...others,
    ...sources,
    ...files,
  };
  return {
    name,
    files: all,
    mutations: [{ what: "names", to: { [path]: NAMES.replace("cart", "box") }, breaks: [IMPLICIT] }],
  };
}

const vite = (plugin: string, imported = "unplugin-auto-import/vite") => ({
  "vite.config.js": `import auto from "${imported}";\nexport default { plugins: [${plugin}], test: { include: ["test/*.test.js"] } };\n`,
});

const WITHOUT_IMPORT: readonly Project[] = [
  project("a folder", vite(`auto({ dirs: ["lib"] })`)),
  project("a folder with a dot", vite(`auto({ dirs: ["./lib"] })`)),
  project("what lies in a folder", vite(`auto({ dirs: ["./lib/*"] })`)),
  project("a path of the process", vite(`auto({ dirs: [path.resolve(process.cwd(), "lib")] })`)),
  project("a path of the settings", vite(`auto({ dirs: [fileURLToPath(new URL("./lib", import.meta.url))] })`)),
  project("a folder in a template", vite(`auto({ dirs: [\`\${root}/lib\`] })`)),
  project("an alias", vite(`auto({ dirs: ["~/lib"] })`)),
  project("a folder behind an alias", vite(`auto({ dirs: ["@/lib"] })`), {}, "src/lib/names.js"),
  project("the folder above", vite(`auto({ dirs: ["src/**"] })`), {}, "src/lib/names.js"),
  project("everything", vite(`auto({ dirs: ["**/*.js"] })`)),
  project("one file", vite(`auto({ imports: [{ from: "./lib/names.js", imports: ["label"] }] })`)),
  project("a plugin that nobody knows", vite(`auto("lib")`, "vite-plugin-surprise")),
  project("a plugin in place", {
    "vite.config.js": `export default { plugins: [{ name: "own", dirs: ["lib"], transform(code) { return code; } }] };\n`,
  }),
  project("a plugin in place that names no folder", {
    "vite.config.js": `export default { plugins: [{ name: "own", transform(code, id) { return add(code, id); } }] };\n`,
  }),
  project("a plugin in place with an order", {
    "vitest.config.ts": `export default { plugins: [{ name: "own", transform: { order: "pre", handler: (code) => add(code) } }] };\n`,
  }),
  project("a plugin of a module of its own that names no folder", {
    "vite.config.js": `import { own } from "./tools/own.js";\nexport default { plugins: [own()] };\n`,
    "tools/own.js": `export const own = () => ({ name: "own", enforce: "pre", transform(code, id) { return add(code, id); } });\n`,
  }),
  project("settings of vitest that are split", {
    "vitest.config.js": `import { dirs } from "./tools/dirs.js";\nimport auto from "unimport/unplugin";\nexport default { plugins: [auto.vite({ dirs })] };\n`,
    "tools/dirs.js": `export const dirs = ["lib"];\n`,
  }),
  project("a workspace of vitest", {
    "vitest.workspace.js": `import auto from "unimport/unplugin";\nexport default [{ plugins: [auto.vite({ dirs: ["lib"] })] }];\n`,
  }),
  project(
    "components that are registered",
    vite("auto()", "unplugin-vue-components/vite"),
    {},
    "src/components/names.js",
  ),
  project("webpack by its word", {
    "webpack.config.cjs": `module.exports = { plugins: [require("unplugin-auto-import/webpack")({ dirs: ["./lib"] })] };\n`,
  }),
  project("babel by its word", { ".babelrc": `{ "plugins": [["auto-import", { "from": "lib" }]] }\n` }),
  project(
    "a part of Vite's own name in the options of a plugin",
    vite(`magic({ resolve: { dirs: ["lib"] } })`, "vite-plugin-surprise"),
  ),
  project("a part of that name in a variable that a plugin is given", {
    "vite.config.js": `import magic from "vite-plugin-surprise";\nconst options = { build: { dirs: ["lib"] } };\nexport default { plugins: [magic(options)] };\n`,
  }),
  project("a plugin that nobody knows and that is given no folder", vite("auto()", "vite-plugin-surprise")),
  project("a plugin that nobody knows, by an object of the package", vite("auto.vite({ deep: true })", "surprise")),
  project("a plugin that nobody knows and nobody calls", vite("auto", "vite-plugin-surprise")),
  project("settings of others", {
    "vitest.config.js": `import { mergeConfig } from "vitest/config";\nimport shared from "@acme/vitest";\nexport default mergeConfig(shared, { test: { globals: true } });\n`,
  }),
  project("a plugin that is required, in a file that settings load", {
    "vite.config.cjs": `const { plugins } = require("./tools/plugins.cjs");\nmodule.exports = { plugins };\n`,
    "tools/plugins.cjs": `const { surprise } = require("vite-plugin-surprise");\nexports.plugins = [surprise()];\n`,
  }),
  project("settings that cannot be parsed", {
    "vite.config.js": `import auto from "vite-plugin-surprise";\nexport default { plugins: [auto()], = };\n`,
  }),
  project("folders that a known plugin computes", vite(`auto({ dirs: foldersOf("x") })`)),
  project("settings that a plugin is given too", {
    "vite.config.js": `import magic from "vite-plugin-surprise";\nimport other from "other";\nconst settings = { resolve: { dirs: ["lib"] }, plugins: [other({ of: "src" })] };\nsettings.plugins.push(magic({ of: "src", settings }));\nexport default settings;\n`,
  }),
  project("one of several settings that a plugin is given too", {
    "vite.config.js": `import magic from "vite-plugin-surprise";\nconst shared = { resolve: { dirs: ["lib"] } };\nexport default mergeConfig(shared, { plugins: [magic("src", shared)] });\n`,
  }),
  project("a transform of Jest that nobody knows", {
    "jest.config.js": `export default { transform: { "\\\\.js$": ["jest-surprise", { deep: true }] } };\n`,
  }),
  project("a preset of Jest in a manifest", {}, { jest: { preset: "@acme/jest" } }),
  project("a plugin of Babel that is given no folder", { ".babelrc": `{ "plugins": ["surprise"] }\n` }),
  project("a plugin of Babel that is given none in a list", {
    "babel.config.js": `module.exports = { plugins: [["surprise", { deep: true }], ["other", { from: "src" }]] };\n`,
  }),
  project("a plugin of Babel by its name", {
    "babel.config.js": `module.exports = { plugins: [["module-resolver", { root: ["./lib"] }]] };\n`,
  }),
  project("a plugin of Babel that nobody knows", { ".babelrc": `{ "plugins": [["surprise", { "from": "lib" }]] }\n` }),
  project("a plugin of Babel for some tests", {
    "babel.config.json": `{ "env": { "test": { "plugins": [["root-import", { "rootPathSuffix": "./lib" }]] } } }\n`,
  }),
  project("a plugin of Babel that only a run would name", {
    "babel.config.js": `module.exports = (api) => ({ plugins: [api.env("test") && ["@babel/plugin-x", { from: "lib" }]] });\n`,
  }),
  project("settings of Babel that cannot be parsed", {
    "babel.config.js": `module.exports = { plugins: [["surprise", { from: "lib" }]], = };\n`,
  }),
  project(
    "Babel in a manifest",
    {},
    { babel: { plugins: [["babel-plugin-root-import", { rootPathPrefix: "~", rootPathSuffix: "lib" }]] } },
  ),
  project("settings that those of Babel go on from", {
    ".babelrc": `{ "extends": "./tools/base.json", "plugins": ["surprise"] }\n`,
    "tools/base.json": `{ "plugins": [["auto", { "from": "lib" }]] }\n`,
  }),
  project("Nuxt, by its dependency", {}, { devDependencies: { nuxt: "4" } }, "composables/names.js"),
  project(
    "Nuxt, by a dependency of the root",
    { "web/package.json": `{ "name": "web" }` },
    { devDependencies: { nuxt: "4" } },
    "web/composables/names.js",
  ),
  project("Redwood", {}, { devDependencies: { "@redwoodjs/core": "8" } }, "api/src/services/names.js"),
  project(
    "Nuxt, by its settings",
    { "nuxt.config.ts": "export default defineNuxtConfig({});\n" },
    {},
    "shared/utils/names.js",
  ),
  project("WXT, by its settings", { "wxt.config.ts": "export default {};\n" }, {}, "utils/names.js"),
  project("Sails", {}, { dependencies: { sails: "1" } }, "api/helpers/names.js"),
  project("declarations that are made", {
    "auto-imports.d.ts": "export {}\ndeclare global {\n  const label: typeof import('./lib/names.js')['label']\n}\n",
  }),
];

/** Where it is known that nothing is imported without an import, the tests that reach the change are enough. */
const NAMED: readonly Project[] = [
  project("parts of Vite that are its own", {
    "vite.config.js": `import vue from "@vitejs/plugin-vue";\nimport unknown from "vite-plugin-surprise";\nexport default { plugins: [vue(), unknown({ from: "src" })], resolve: { alias: { "@": "./lib" } }, test: { include: ["lib/*.js"], coverage: { include: ["lib"] } } };\n`,
  }),
  project("plugins that are known", {
    "vite.config.js": `import react from "@vitejs/plugin-react";\nimport paths from "vite-tsconfig-paths";\nexport default { root: "lib", plugins: [react(), paths()] };\n`,
  }),
  project("settings of what runs no tests", {
    "webpack.config.cjs": `module.exports = { entry: "./lib", plugins: [require("some-plugin")()] };\n`,
    "eslint.config.js": `import some from "eslint-plugin-some";\nexport default [{ files: ["lib/**"], plugins: { some } }];\n`,
  }),
  project("parts of Vite in settings that a function gives back", {
    "vite.config.js": `import unknown from "vite-plugin-surprise";\nexport default defineConfig(() => { return { plugins: [unknown({ from: "src" })], resolve: { alias: { "@": "./lib" } } }; });\n`,
  }),
  project("parts of Vite in the projects of a workspace", {
    "vitest.workspace.js": `import unknown from "vite-plugin-surprise";\nexport default defineWorkspace(["packages/*", { plugins: [unknown({ from: "src" })], test: { include: ["lib/*.js"] } }]);\n`,
  }),
  project("transforms of Jest that are known", {
    "jest.config.cjs": `module.exports = { preset: "ts-jest/presets/default-esm", resolver: "./tools/resolver.cjs", transform: { "^.+\\\\.js$": ["@swc/jest", {}] } };\n`,
  }),
  project("packages that are known to add nothing", {
    "vite.config.js": `import pwa from "vite-plugin-pwa";\nimport type { Plugin } from "surprise";\nimport auto from "unplugin-auto-import/vite";\nexport default { plugins: [pwa(), auto({ imports: ["vue"] })] };\n`,
  }),
  project("plugins of Babel that are known", {
    "babel.config.js": `module.exports = { presets: [["@babel/preset-env", { targets: "lib" }]], plugins: [["module-resolver", { alias: { "@": "./lib" } }]] };\n`,
  }),
  project("known plugins in a manifest", {}, { files: ["lib"], babel: { presets: ["@babel/preset-react"] } }),
  project("a folder that plugins do not name", vite(`auto({ dirs: ["stores"] })`)),
];

const NODE = `import { test } from "node:test";\nimport assert from "node:assert/strict";\n`;
const sample = (path: string): Project => ({
  ...project(path, {
    "package.json": `{ "type": "module", "scripts": { "test": "node --test" } }\n`,
    [path]: `${NODE}import { label } from "${"../".repeat(path.split("/").length - 1)}lib/names.js";\ntest("sample", () => assert.equal(label(), "cart"));\n`,
  }),
});
/** `node --test` runs suites wherever they lie; others leave those of samples out. */
const SAMPLES = ["test/fixtures/names.test.js", "fixtures/shop/test/a.test.js", "lib/__fixtures__/names.test.js"];

await readAll([...WITHOUT_IMPORT, ...NAMED, ...SAMPLES.map(sample)]);

it.each(SAMPLES)("TEST-3: a suite in a folder of samples is run with all tests: %s", async (path) => {
  expect(await selectionOf(sample(path))).toMatchObject({
    kind: "full",
    widened: `"${path}" holds tests that are run with all of them only`,
  });
});

it.each(WITHOUT_IMPORT)("TEST-3: a test that uses a changed file without an import is run: $name", async (each) => {
  expect(await missedBy(each)).toEqual([]);
});

it.each(NAMED)("TEST-3: tests that do not reach a change are left out: $name", async (each) => {
  const { files } = await selectionOf(each);
  expect(files).toEqual(["test/names.test.js"]);
});
