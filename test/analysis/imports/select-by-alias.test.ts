import { expect, it } from "vitest";
import { createGraphReader } from "../../../src/analysis/map/read-graph.ts";
import { selectTests } from "../../../src/analysis/tests/select-tests.ts";
import { packRepository } from "../../../src/analysis/tests/selection/pack-repository.ts";
import { unpackRepository } from "../../../src/analysis/tests/selection/packed-repository.ts";
import { readTexts } from "../../../src/analysis/tests/selection/read-texts.ts";
import { isTestName } from "../../../src/analysis/tests/test-names.ts";
import { folderWith } from "../../tools/tool-fixture.ts";
import { scratchFolder } from "../change-of.ts";

const { signal } = new AbortController();

const FILES = {
  "src/lib/add.js": "export const add = (a, b) => a - b;\n",
  "src/lib/other.js": "export const other = 1;\n",
  "test/arithmetic.test.js": 'import { add } from "#lib/add";\ntest("adds", () => assert.equal(add(1, 2), 3));\n',
  "test/zero.test.js": 'import { add } from "../src/lib/add.js";\ntest("none", () => assert.equal(add(1, 0), 1));\n',
  "test/other.test.js": 'import { other } from "../src/lib/other.js";\ntest("other", () => assert.ok(other));\n',
};

async function selected(settings: Readonly<Record<string, string>>, changedPath = "src/lib/add.js") {
  const { files } = folderWith({ ...FILES, ...settings });
  const graph = await createGraphReader({ files, scratch: scratchFolder(), immutable: true })(signal);
  const changed = [{ path: changedPath, status: "modified" as const }];
  const repository = unpackRepository(await packRepository(files, graph, signal));
  const texts = readTexts(repository, { gone: [], tests: graph.paths.filter(isTestName) });
  return selectTests({ graph: repository.graph, texts, changed, risk: "low", isTest: isTestName });
}

it.each([
  ["imports of package.json", { "package.json": '{"type":"module","imports":{"#lib/*":"./src/lib/*.js"}}' }],
  ["paths of tsconfig.json", { "tsconfig.json": '{"compilerOptions":{"paths":{"#lib/*":["./src/lib/*"]}}}' }],
])("R11, TEST-3: a test that imports the changed file by %s is run", async (_, settings) => {
  expect(await selected(settings)).toEqual({
    kind: "affected",
    files: ["test/arithmetic.test.js", "test/zero.test.js"],
  });
});

it.each([
  ["lines in brackets", "from shop import (\n    # all of it\n    price as cost,\n)\n"],
  ["a name per line behind a backslash", "import os, \\\n    shop.price\n"],
  ["tabs", "from\tshop\timport\tprice\n"],
])("TEST-3: a test of Python that imports the changed file by %s is run", async (_, imports) => {
  const tests = {
    "package.json": '{"type":"module","imports":{"#lib/*":"./src/lib/*.js"}}',
    "tests/test_first.py": "import shop.price\n\ndef test_first():\n    assert shop.price.of(1) == 1\n",
    "tests/test_second.py": `${imports}\ndef test_second():\n    pass\n`,
    "tests/test_third.py": "def test_third():\n    pass\n",
  };
  const { files } = await selected(
    { "shop/price.py": "def of(count):\n    return count\n", ...tests },
    "shop/price.py",
  );
  expect(files).toEqual(["tests/test_first.py", "tests/test_second.py"]);
});

const PYTHON = {
  "shop/__init__.py": "",
  "shop/price.py": "def of(count):\n    return count\n",
  "tests/test_lost.py": "from shop.made import price\n\ndef test_lost():\n    assert price(1) == 1\n",
  "tests/test_other.py": "import requests\n\ndef test_other():\n    pass\n",
};

it("TEST-3: a test of Python whose import only the repository can have and does not is run, and that is said", async () => {
  expect(await selected({ "package.json": "{}", ...PYTHON }, "shop/price.py")).toMatchObject({
    files: ["tests/test_lost.py"],
    widened: '"tests/test_lost.py" imports "shop.made", which is not found in the repository',
  });
  // No import of Python means a script.
  const script = await selected({ "package.json": '{"imports":{"#lib/*":"./src/lib/*.js"}}', ...PYTHON });
  expect(script).toEqual({ kind: "affected", files: ["test/arithmetic.test.js", "test/zero.test.js"] });
});

it("TEST-3: a test of Python that finds a module by a path that only it knows is run", async () => {
  const { files } = await selected(
    {
      ...{ "package.json": "{}", ...PYTHON, "vendored/code/till.py": "OPEN = True\n" },
      "tests/test_till.py":
        "import sys\nsys.path.insert(0, place)\nimport till\n\ndef test_till():\n    assert till.OPEN\n",
    },
    "vendored/code/till.py",
  );
  expect(files).toContain("tests/test_till.py");
});

it("TEST-3: a test with an alias whose settings are too large to be read is run, and that is said", async () => {
  const settings = {
    "package.json": "{}",
    "vite.config.js": `export default { resolve: { alias: { "#lib": "./src/lib" } } };\n// ${"a".repeat(200_000)}\n`,
    "test/arithmetic.test.js": 'import { add } from "lib/add";\ntest("adds", () => assert.equal(add(1, 2), 3));\n',
  };
  const { files, widened } = await selected(settings);
  expect(files).toContain("test/arithmetic.test.js");
  expect(widened).toBe('"test/arithmetic.test.js" imports "lib/add", which is not found in the repository');
});

it("TEST-3: a test whose import is the repository's own and leads nowhere is run too, and that is said", async () => {
  expect(await selected({ "package.json": '{"type":"module"}' })).toEqual({
    kind: "affected",
    files: ["test/arithmetic.test.js", "test/zero.test.js"],
    widened: '"test/arithmetic.test.js" imports "#lib/add", which is not found in the repository',
  });
});

it.each([
  [
    "an import that leads nowhere",
    { "test/built.test.js": 'import { built } from "../dist/built.js";\ntest("built", () => built());\n' },
  ],
  ["a file that is too large to be read", { "test/fixtures/big.json": `["${"a".repeat(1_100_000)}"]` }],
])("TEST-3: a change that nothing is known to reach has all tests run, also next to %s", async (_, others) => {
  const lonely = { "package.json": "{}", "src/lonely.js": "export const lonely = 1;\n", ...others };
  expect(await selected(lonely, "src/lonely.js")).toMatchObject({ kind: "full", widened: expect.any(String) });
});

it("TEST-3: a test with a name such as history counts as a test", async () => {
  const reads = (path: string) => `readFileSync(new URL("${path}", import.meta.url));\ntest("reads", () => {});\n`;
  const repository = {
    "src/rates.json": "{}",
    "src/history.test.js": reads("./rates.json"),
    ".github/actions/greet/action.yml": "name: greet\n",
    ".github/actions/greet/index.test.js": reads("./action.yml"),
  };
  expect((await selected(repository, "src/rates.json")).files).toContain("src/history.test.js");
  expect((await selected(repository, ".github/actions/greet/action.yml")).files).toContain(
    ".github/actions/greet/index.test.js",
  );
});
