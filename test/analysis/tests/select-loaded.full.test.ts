import { expect, it } from "vitest";
import type { Project } from "../../../scripts/selection/project.ts";
import { missedBy, readAll } from "./selected-by.ts";

const NAMES = "export const names = { cart: 'cart' };\n";
const IMPORT = `import { names } from "#lib/names.js";\n`;
const VITEST = `import { expect, test } from "vitest";\n`;
/** Each has a test of its own, so that the tests of `lib/names.js` are not all that there are. */
const others = Object.fromEntries(
  Array.from({ length: 4 }, (_, at) => [
    `test/other${at}.test.js`,
    `${VITEST}test("other", () => expect(0).toBe(0));\n`,
  ]),
);

/** A project of scripts whose `lib/names.js` is changed: a test of its own imports it. */
function scripts(name: string, files: Project["files"], breaks: readonly string[], manifest: object = {}): Project {
  const all = {
    "package.json": JSON.stringify({
      type: "module",
      scripts: { test: "vitest run" },
      imports: { "#lib/*": "./lib/*" },
      ...manifest,
    }),
    "lib/names.js": NAMES,
    "test/names.test.js": `${VITEST}${IMPORT}test("names", () => expect(names).toBeDefined());\n`,
    ...others,
    ...files,
  };
  const to = { "lib/names.js": NAMES.replace("'cart'", "'basket'") };
  return { name, files: all, mutations: [{ what: "names", to, breaks }] };
}

/** One whose `src/app.js` loads by a package what it does not import. */
function loaded(packageName: string, call: string, path: string, text = IMPORT): Project {
  const files = {
    "src/app.js": `import load from "${packageName}";\nexport const app = () => ${call};\n`,
    [path]: text,
    "test/app.test.js": `${VITEST}import { app } from "../src/app.js";\ntest("app", () => expect(app()).toBeDefined());\n`,
  };
  return scripts(`${packageName} loads ${path}`, files, ["test/app.test.js"], { dependencies: { [packageName]: "1" } });
}

/** One whose runner loads a file before each test. */
function before(name: string, files: Project["files"], manifest: object = {}): Project {
  return scripts(name, { "support/before.js": IMPORT, ...files }, ["test/other0.test.js"], manifest);
}

const INCLUDE = { "vitest.config.js": `export default { test: { include: ["checks/*.js", "test/*.test.js"] } };\n` };
const CHECK = `${VITEST}${IMPORT}test.each([1])( "a", () => expect(names.cart).toBe("cart"));\n`;

/** A project of Python whose `cart/views.py` is changed. */
function python(name: string, files: Project["files"], breaks: string): Project {
  const all = {
    "pytest.ini": "[pytest]\n",
    "shop/__init__.py": "",
    "cart/__init__.py": "",
    "cart/views.py": "def total():\n    return 2\n",
    "tests/test_views.py": "from cart.views import total\n\ndef test_it():\n    assert total()\n",
    "tests/test_other.py": "def test_it():\n    pass\n",
    ...files,
  };
  const to = { "cart/views.py": "def total():\n    return 3\n" };
  return { name, files: all, mutations: [{ what: "views", to, breaks: [breaks] }] };
}

const projects = [
  loaded("knex", "load({})", "migrations/001.js"),
  loaded("knex", `load({ migrations: { directory: "./db/steps" } })`, "db/steps/001.js"),
  loaded("config", `load.get("cart")`, "config/default.js"),
  loaded("typeorm", `new load.DataSource({ entities: ["src/entities/*.js"] })`, "src/entities/cart.js"),
  loaded("bullmq", `new load.Queue("a").process(new URL("./jobs.js", import.meta.url))`, "src/jobs.js"),
  loaded("yargs", `load().commandDir("commands")`, "src/commands/list.js"),
  scripts(
    "a folder of the repository as a package of another name",
    {
      "lib/package.json": `{ "name": "@shop/lib", "main": "names.js" }`,
      "src/app.js": `export { names } from "shop-lib";\n`,
      "test/app.test.js": `${VITEST}import { names } from "../src/app.js";\ntest("app", () => expect(names.cart).toBe("cart"));\n`,
    },
    ["test/app.test.js"],
    { dependencies: { "shop-lib": "file:./lib" } },
  ),
  before("jest: setup files", {}, { scripts: { test: "jest" }, jest: { setupFiles: ["./support/before.js"] } }),
  before(
    "mocha: what is required",
    { ".mocharc.yml": "require:\n  - support/before.js\n" },
    { scripts: { test: "mocha" } },
  ),
  before("node: imported first", {}, { scripts: { test: "node --import ./support/before.js --test" } }),
  before("vitest: an environment", {
    "vitest.config.js": `export default { test: { environment: "./support/before.js" } };\n`,
  }),
  scripts("vitest: tests in another style", { ...INCLUDE, "checks/a.js": CHECK }, ["checks/a.js"]),
  scripts(
    "vitest: a list of tests that are run by themselves as well",
    { ...INCLUDE, "checks/a.js": CHECK, "checks/all.js": `import "./a.js";\n` },
    ["checks/a.js"],
  ),
  scripts(
    "vitest: tests that a function makes",
    {
      ...INCLUDE,
      "support/contract.js": `${VITEST}export const contract = (names) => test("a", () => expect(names.cart).toBe("cart"));\n`,
      "checks/a.js": `import { contract } from "../support/contract.js";\n${IMPORT}contract(names);\n`,
    },
    ["checks/a.js"],
  ),
  scripts(
    "vitest: a text with tests that is too long to be read",
    { ...INCLUDE, "checks/a.js": `${CHECK}//${"-".repeat(1_000_000)}\n` },
    ["checks/a.js"],
  ),
  python(
    "pytest: classes of unittest in files that a pattern names",
    {
      ".pytest.ini": `[pytest]\npython_files = check_*.py test_*.py\n`,
      "checks/check_cart.py": `import unittest\nfrom cart.views import total\n\nclass CartCase(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total(), 2)\n`,
    },
    "checks/check_cart.py",
  ),
  python(
    "pytest: functions that only settings call tests",
    {
      "pytest.toml": `[pytest]\npython_files = ["check_*.py"]\npython_functions = ["check_*"]\n`,
      "checks/check_cart.py": "from cart.views import total\n\ndef check_total():\n    assert total() == 2\n",
    },
    "checks/check_cart.py",
  ),
  python(
    "Django: addresses that settings name",
    {
      "pytest.ini": "[pytest]\nDJANGO_SETTINGS_MODULE = shop.settings\n",
      "shop/settings.py": `ROOT_URLCONF = "shop.urls"\n`,
      "shop/urls.py": `from django.urls import include, path\nurlpatterns = [path("cart/", include("cart.urls"))]\n`,
      "cart/urls.py": "from cart import views\n",
      "tests/test_site.py": `def test_site(client):\n    assert client.get("/cart/").content == b"2"\n`,
    },
    "tests/test_site.py",
  ),
  python(
    "Django: applications that settings name",
    {
      "pytest.ini": "[pytest]\nDJANGO_SETTINGS_MODULE = shop.settings\n",
      "shop/settings.py": `INSTALLED_APPS = ["cart"]\n`,
      "cart/models.py": "from cart import views\n",
      "tests/test_site.py": "def test_site(db):\n    pass\n",
    },
    "tests/test_site.py",
  ),
  python(
    "Celery: modules of tasks",
    {
      "shop/worker.py": `from celery import Celery\n\napp = Celery("shop", include=["cart.tasks"])\n`,
      "cart/tasks.py": "from cart.views import total\n",
      "tests/test_worker.py": "from shop.worker import app\n\ndef test_it():\n    assert app.tasks\n",
    },
    "tests/test_worker.py",
  ),
  python(
    "a package of npm called like a module of Python",
    {
      "web/package.json": `{ "devDependencies": { "cart": "1" } }`,
      "code/cart/prices.py": "import cart.views\n",
      "tests/test_prices.py": "from cart.prices import total\n\ndef test_it():\n    assert total\n",
    },
    "tests/test_prices.py",
  ),
];

await readAll(projects);

it.each(projects)("TEST-3: $name", async (project) => expect(await missedBy(project)).toEqual([]));
