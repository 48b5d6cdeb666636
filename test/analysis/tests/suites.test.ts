import { describe, expect, it } from "vitest";
import { namedBySettings } from "../../../src/analysis/tests/selection/python-files.ts";
import { holdsSuite } from "../../../src/analysis/tests/selection/suites.ts";

describe("TEST-3: what holds tests, whatever its file is called", () => {
  it.each([
    `it( "adds", () => {});`,
    `it(\n  "adds",\n  () => {});`,
    `test.each([1])( "adds %s", () => expect(1).toBe(1));`,
    "test.each`a\n1`(name, () => expect(1).toBe(1));",
    `it(Cart.name, () => expect(1).toBe(1));`,
    `describe(Cart, () => { assert.ok(1); });`,
    `test.describe.parallel("cart", () => {});`,
    `test.concurrent.only("cart", () => {});`,
    `xdescribe("cart", () => {});`,
    `QUnit.test("cart", () => {});`,
    `Deno.test("cart", () => {});`,
    `import check from "tape";\ncheck(name, (t) => t.end());`,
    `const check = require("node:test");`,
  ])("a script: %s", (text) => expect(holdsSuite(text, false)).toBe(true));

  it.each([
    "// Of the cart it (or its copy) is the first.\nassert(cart);",
    "if (pattern.test(text)) it.next();",
    `import { defineConfig } from "vitest/config";`,
    "export const latest = (expected) => submit(expected);",
  ])("no test of a script: %s", (text) => expect(holdsSuite(text, false)).toBe(false));

  it.each([
    "class BasketCase(unittest.TestCase):\n    pass\n",
    "class Basket(Base):\n    async def test_total(self):\n        pass\n",
    "class Basket(Base):\n\tdef testTotal(self):\n\t\tpass\n",
    "class Basket(shop.testing.TestBase):\n    pass\n",
  ])("Python: %s", (text) => expect(holdsSuite(text, true)).toBe(true));

  it.each(["def latest_total():\n    pass\n", "def test():\n    run()\n", "class Contest(Base):\n    pass\n"])(
    "no test of Python: %s",
    (text) => expect(holdsSuite(text, true)).toBe(false),
  );

  it.each([
    `[tool.pytest.ini_options]\npython_files = ["check_*.py", "test_*.py"]\n`,
    `[pytest]\npython_files = test_*.py check_*.py\naddopts = -q\n`,
    "[tool:pytest]\npython_files =\n    test_*.py\n    check_*.py # ours\naddopts = -q\n",
    `[pytest]\npython_files = [\n  "check_*.py",\n]\n`,
  ])("by a pattern of pytest: %s", (text) => {
    const isNamed = namedBySettings([text]);
    expect(["checks/check_cart.py", "shop/cart.py", "checks/check_cart.txt", "a/-q.py"].filter(isNamed)).toEqual([
      "checks/check_cart.py",
    ]);
  });

  it("no pattern that all code fits, and none that is no glob", () => {
    const isNamed = namedBySettings(["[pytest]\npython_files = *.py *\n", "[pytest]\npython_files = {a,b\n", ""]);
    expect(isNamed("shop/cart.py")).toBe(false);
  });
});
