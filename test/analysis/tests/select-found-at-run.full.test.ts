import { expect, it } from "vitest";
import type { Project } from "../../../scripts/selection/project.ts";
import { missedBy, readAll } from "./selected-by.ts";

const NODE = `import { test } from "node:test";\nimport assert from "node:assert/strict";\nimport fs from "node:fs";\n`;
const TYPE = `{ "type": "module", "scripts": { "test": "node --test" } }\n`;
const numbers = [0, 1, 2];

/** A changed file that `test/found` reaches at run time alone; another test names it. */
interface Case {
  readonly name: string;
  readonly changed: readonly [path: string, before: string, after: string];
  readonly files: Project["files"];
  /** Of the test that has to be run. */
  readonly test: string;
}

function inNode({ name, changed: [path, before, after], files, test }: Case): Project {
  const others = numbers.flatMap((at) => [
    [`src/o${at}.js`, `export const o = ${at};\n`],
    [`test/o${at}.test.js`, `${NODE}import { o } from "../src/o${at}.js";\ntest("o", () => assert.equal(o, ${at}));\n`],
  ]);
  const direct = `${NODE}test("it is there", () => fs.readFileSync("${path}"));\n`;
  return {
    name,
    files: {
      "package.json": TYPE,
      ...Object.fromEntries(others),
      "test/direct.test.js": direct,
      ...files,
      [path]: before,
    },
    mutations: [{ what: name, to: { [path]: after }, breaks: [test] }],
  };
}

function inPython({ name, changed: [path, before, after], files, test }: Case): Project {
  const others = numbers.flatMap((at) => [
    [`shop/o${at}.py`, `O = ${at}\n`],
    [`tests/test_o${at}.py`, `from shop.o${at} import O\ndef test_o(): assert O == ${at}\n`],
  ]);
  const direct = `from shop.plugins.cart import V\ndef test_direct(): assert V\n`;
  return {
    name,
    files: {
      "pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = ['tests']\n[project]\nname = 'shop'\n",
      ...{ "shop/__init__.py": "", "shop/plugins/__init__.py": "" },
      ...Object.fromEntries(others),
      "tests/test_direct.py": direct,
      ...files,
      [path]: before,
    },
    mutations: [{ what: name, to: { [path]: after }, breaks: [test] }],
  };
}

const PLUGIN = ["shop/plugins/cart.py", "V = 1\n", "V = 2\n"] as const;
const loading = (code: string, check: string) => ({
  "shop/load.py": code,
  "tests/test_found.py": `from shop.load import load\ndef test_found(): assert ${check} == 1\n`,
});

const PROJECTS: readonly Project[] = [
  inNode({
    name: "data that other data refers to by a part of it",
    changed: ["schemas/defs.json", `{ "order": 1 }\n`, `{ "order": 2 }\n`],
    files: {
      "schemas/main.json": `{ "$ref": "defs.json#/order" }\n`,
      "test/found.test.js": `${NODE}import refs from "refs";\ntest("found", async () => assert.equal(await refs("schemas/main.json"), 1));\n`,
    },
    test: "test/found.test.js",
  }),
  inNode({
    name: "a folder that a script puts into the environment",
    changed: ["cases/one.txt", "1", "2"],
    files: {
      "package.json": TYPE.replace("node --test", "CASES=./cases node --test"),
      "test/found.test.js": `${NODE}test("found", () => { for (const name of fs.readdirSync(process.env.CASES)) assert.equal(fs.readFileSync(process.env.CASES + "/" + name, "utf8"), "1"); });\n`,
    },
    test: "test/found.test.js",
  }),
  inNode({
    name: "a folder of modules that a script puts into the environment",
    changed: ["src/utils/add.cjs", "exports.add = 1;\n", "exports.add = 2;\n"],
    files: {
      "package.json": TYPE.replace("node --test", "NODE_PATH=src node --test"),
      "test/found.test.cjs": `const { add } = require("utils/add.cjs");\nrequire("node:test").test("found", () => { if (add !== 1) throw add; });\n`,
    },
    test: "test/found.test.cjs",
  }),
  inNode({
    name: "a template that is called as a class",
    changed: ["templates/OrderMail.html", "<p>1</p>", "<p>2</p>"],
    files: {
      "src/render.js": `import fs from "node:fs";\nexport const render = (kind) => fs.readFileSync(new URL("../templates/" + kind.name + ".html", import.meta.url), "utf8");\n`,
      "test/found.test.js": `${NODE}import { render } from "../src/render.js";\nclass OrderMail {}\ntest("found", () => assert.match(render(OrderMail), /1/));\n`,
    },
    test: "test/found.test.js",
  }),
  inPython({
    name: "modules of a package that are listed",
    changed: PLUGIN,
    files: loading(
      "import importlib, pkgutil\nfrom shop import plugins\ndef load(): return [importlib.import_module(plugins.__name__ + '.' + each.name) for each in pkgutil.iter_modules(plugins.__path__)]\n",
      "load()[0].V",
    ),
    test: "tests/test_found.py",
  }),
  inPython({
    name: "modules of a package that a helper lists",
    changed: PLUGIN,
    files: {
      ...loading(
        "import shop.plugins\nfrom shop.lists import all_of\ndef load(): return all_of(shop.plugins)\n",
        "load()[0].V",
      ),
      "shop/lists.py":
        "import importlib, pkgutil\ndef all_of(package): return [importlib.import_module(each.name) for each in pkgutil.walk_packages(package.__path__, package.__name__ + '.')]\n",
    },
    test: "tests/test_found.py",
  }),
  inPython({
    name: "a module by the name of its package and its own",
    changed: PLUGIN,
    files: loading(
      "import importlib\ndef load(name='cart'): return importlib.import_module('.' + name, package='shop.plugins')\n",
      "load().V",
    ),
    test: "tests/test_found.py",
  }),
  inPython({
    name: "a module that is registered in the manifest",
    changed: PLUGIN,
    files: {
      "pyproject.toml":
        "[tool.pytest.ini_options]\ntestpaths = ['tests']\n[project]\nname = 'shop'\n[project.entry-points.'shop.parts']\ncart = 'shop.plugins.cart'\n",
      ...loading(
        "from importlib.metadata import entry_points\ndef load(): return [each.load() for each in entry_points(group='shop.parts')]\n",
        "load()[0].V",
      ),
    },
    test: "tests/test_found.py",
  }),
];

await readAll(PROJECTS);

it.each(PROJECTS)("TEST-3: a test that finds a changed file at run time is run: $name", async (each) => {
  expect(await missedBy(each)).toEqual([]);
});
