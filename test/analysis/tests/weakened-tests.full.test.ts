import { describe, expect, it } from "vitest";
import { outlineTests } from "../../../src/analysis/child/outline-tests.ts";
import { diffTexts } from "../../../src/analysis/diff-texts.ts";
import type { Dialect } from "../../../src/analysis/languages.ts";
import { compareTests } from "../../../src/analysis/tests/compare-tests.ts";
import { findWeakenedTests } from "../../../src/analysis/tests/find-weakened-tests.ts";
import type { ChangedFile } from "../../../src/domain/hunks.ts";
import type { WeakenedTest } from "../../../src/domain/test-report.ts";
import { scratchFolder } from "../change-of.ts";

type Sides = Readonly<Record<string, readonly [before: string | undefined, after: string | undefined]>>;

const scratchRoot = scratchFolder();

async function weakened(sides: Sides, paths: readonly string[] = []): Promise<WeakenedTest[]> {
  const files = Object.entries(sides).map(([path, [before, after]]): ChangedFile => {
    const status = before === undefined ? "added" : after === undefined ? "deleted" : "modified";
    return { path, status, mode: "100644", binary: false, ...diffTexts(before, after ?? "") };
  });
  const bytes = (side: 0 | 1) =>
    new Map(
      Object.entries(sides).flatMap(([path, both]) =>
        both[side] === undefined ? [] : [[path, Buffer.from(both[side])] as const],
      ),
    );
  const change = { files, oldContents: bytes(0), contents: bytes(1) };
  return findWeakenedTests(
    change,
    { paths, settings: new Map() },
    { scratchRoot, signal: new AbortController().signal },
  );
}

/** Without the process in which hostile text is read: the tables have many rows. */
function compared(path: string, dialect: Dialect, before: string, after: string): WeakenedTest[] {
  const sides = outlineTests({ id: 0, dialect, text: after, oldText: before });
  if (sides.before === null || sides.after === null) return [];
  const nothing = { arrived: { bodies: new Set<string>(), names: new Set<string>() }, removed: new Set<string>() };
  return compareTests({ path, before: sides.before, after: sides.after }, nothing);
}

const adds = 'it("adds", () => { expect(add(1, 2)).toBe(3); });\n';
const total =
  'it("sums up", () => { const cart = fill(); expect(cart.total).toBe(3); expect(cart.items).toHaveLength(2); });\n';

describe("TEST-1: what was done to tests in a script", () => {
  it.each<[string, string, string, WeakenedTest["kind"], string]>([
    ["a test taken out", adds + total, total, "deleted_test", '"adds" is gone'],
    ["a test commented out", adds + total, `${total}// ${adds}`, "deleted_test", '"adds" is gone'],
    ["a test skipped", adds, adds.replace("it(", "it.skip("), "skipped_test", '"adds" is skipped'],
    ["xit", adds, `x${adds}`, "skipped_test", '"adds" is skipped'],
    ["a test to do", adds, adds.replace("it(", "it.todo("), "skipped_test", '"adds" is skipped'],
    [
      "an option of node:test",
      adds,
      adds.replace("() =>", "{ skip: true }, () =>"),
      "skipped_test",
      '"adds" is skipped',
    ],
    [
      "its group skipped",
      `describe("cart", () => {\n${adds}});\n`,
      `describe.skip("cart", () => {\n${adds}});\n`,
      "skipped_test",
      '"cart > adds" is skipped',
    ],
    [
      "renamed and skipped",
      adds,
      adds.replace('it("adds"', 'it.skip("adds two"'),
      "skipped_test",
      '"adds two" is skipped',
    ],
    [
      "only one test left to run",
      adds + total,
      adds.replace("it(", "it.only(") + total,
      "skipped_test",
      'With `only` at "adds"',
    ],
    ["toBe became toBeDefined", adds, adds.replace("toBe(3)", "toBeDefined()"), "weakened_assertion", "toBeDefined()"],
    [
      "toEqual became anything",
      adds.replace("toBe(3)", "toEqual([3])"),
      adds.replace("toBe(3)", "toEqual(expect.anything())"),
      "weakened_assertion",
      "anything",
    ],
    ["toBe became not.toBe", adds, adds.replace("toBe(3)", "not.toBe(4)"), "weakened_assertion", "not.toBe(4)"],
    [
      "calls are no longer counted",
      'it("a", () => { expect(mail).toHaveBeenCalledTimes(1); });',
      'it("a", () => { expect(mail).toHaveBeenCalled(); });',
      "weakened_assertion",
      "toHaveBeenCalled()",
    ],
    [
      "equal became ok",
      'test("a", () => { assert.equal(add(1, 2), 3); });',
      'test("a", () => { assert.ok(add(1, 2)); });',
      "weakened_assertion",
      "assert.ok",
    ],
    [
      "a comparison was loosened",
      'test("a", () => { assert(add(1) === 3); });',
      'test("a", () => { assert(add(1) > 0); });',
      "weakened_assertion",
      "add(1)>0",
    ],
    [
      "an assertion of nothing",
      adds,
      adds.replace("add(1, 2)", "true").replace("toBe(3)", "toBe(true)"),
      "weakened_assertion",
      "expect(true).toBe(true)",
    ],
    [
      "chai says less",
      adds.replace("toBe(3)", "to.equal(3)"),
      adds.replace("toBe(3)", "to.exist"),
      "weakened_assertion",
      "to.exist",
    ],
    [
      "another value than the name promises",
      'it("costs 12", () => { expect(price(a)).toBe(12); });',
      'it("costs 12", () => { expect(price(a)).toBe(13); });',
      "weakened_assertion",
      "toBe(13)",
    ],
    [
      "an assertion taken out",
      total,
      total.replace("expect(cart.total).toBe(3); ", ""),
      "weakened_assertion",
      "no longer asserts",
    ],
    ["a test emptied", total, 'it("sums up", () => { const cart = fill(); });\n', "weakened_assertion", "and 1 more"],
  ])("%s", (_, before, after, kind, what) => {
    const found = compared("src/cart.test.ts", "ts", before, after);
    expect(found).toEqual([
      expect.objectContaining({ path: "src/cart.test.ts", kind, what: expect.stringContaining(what) }),
    ]);
  });

  it.each<[string, string, string]>([
    ["nothing", adds + total, adds + total],
    ["another format", adds, 'it("adds", () => {\n  expect(\n    add(1, 2),\n  ).toBe(3);\n});\n'],
    ["a test renamed", adds, adds.replace("adds", "adds two numbers")],
    ["a test renamed and rewritten", adds, 'it("sums", () => { expect(sum([1, 2])).toBe(3); });\n'],
    ["tests in a group", adds + total, `describe("cart", () => {\n${adds}${total}});\n`],
    [
      "stricter tests for it",
      adds,
      'it("a", () => { expect(f(1)).toBe(1); });\nit("b", () => { expect(f(2)).toBe(2); });\n',
    ],
    [
      "one test that says what two said",
      adds + total,
      'it("does all", () => { expect(add(1, 2)).toBe(3); const c = fill(); expect(c.total).toBe(3); expect(c.items.length).toBe(2); });\n',
    ],
    [
      "a table for several",
      `${adds}${adds.replace("adds", "adds more")}`,
      'it.each([[1, 2, 3]])("adds %i", (a, b, c) => { expect(add(a, b)).toBe(c); });\n',
    ],
    [
      "a loop for several",
      `${adds}${adds.replace("adds", "adds more")}`,
      "for (const a of [1]) it(`adds $`, () => { expect(add(a)).toBe(1); });\n",
    ],
    ["a new expected value", adds, adds.replace("toBe(3)", "toBe(4)")],
    ["toBe(true) became toBeTruthy", adds.replace("toBe(3)", "toBe(true)"), adds.replace("toBe(3)", "toBeTruthy()")],
    [
      "a weak assertion beside a strong one",
      adds,
      adds.replace("expect", "const r = add(1, 2); expect(r).toBeDefined(); expect"),
    ],
    [
      "more is expected",
      'it("says full", () => { expect(e).toMatchObject({ code: "full" }); });',
      'it("says full", () => { expect(e).toMatchObject({ code: "full", recovers: "auto" }); });',
    ],
    [
      "a word of the name by chance",
      'it("takes the host", () => { expect(a.b).toBe("host"); });',
      'it("takes the host", () => { expect(a.b).toBe("host:80"); });',
    ],
    ["toBe became toEqual", adds, adds.replace("toBe(", "toEqual(")],
    [
      "assertions gathered into one",
      total,
      'it("sums up", () => { const cart = fill(); expect(cart).toEqual({ total: 3, items: [1, 2] }); });\n',
    ],
    [
      "assertions moved into a function",
      total,
      `${total.replace(/expect.*;/, "check(cart); });")}function check(cart) { expect(cart.total).toBe(3); }\n`,
    ],
    ["a skip on a condition", adds, adds.replace("it(", 'it.skipIf(process.platform === "win32")(')],
    ["a skip that was there", adds.replace("it(", "it.skip("), adds.replace("it(", "it.skip(").replace("3", "4")],
    ["a new test that is skipped", adds, `${adds}it.skip("later", () => { expect(a).toBe(1); });\n`],
    ["a skipped test taken out", adds + total.replace("it(", "it.skip("), adds],
    ["what does not parse", adds, "it(("],
    ["a skipped test run again", adds.replace("it(", "it.skip("), adds],
  ])("is nothing: %s", (_, before, after) => {
    expect(compared("src/cart.test.ts", "ts", before, after)).toEqual([]);
  });

  const moved = (others: Sides) => weakened({ ...others, "src/cart.test.ts": [adds + total, total] });

  it("is nothing when the test moved, or went with what it tested", async () => {
    expect(await moved({ "src/add.test.ts": [undefined, adds] })).toEqual([]);
    const source = "export function add(a, b) {\n  return a + b;\n}\nexport const fill = () => 1;\n";
    const without = "export const fill = () => 1;\n";
    expect(await moved({ "src/add.ts": [source, without] })).toEqual([]);
    expect(await moved({ "src/add.ts": [source, `${source}\n`] })).toHaveLength(1);
  });
});

describe("TEST-1: deleted test files", () => {
  const file = `import { add } from "./add.ts";\n${adds}`;
  it.each([
    ["require", `const { add } = require("./sum");\n${adds}`, "src/cart.test.ts"],
    ["an import that it waits for", `const { add } = await import("./sum.ts");\n${adds}`, "src/cart.test.ts"],
    ["a name of the tests' settings", `import { add } from "@/sum";\n${adds}`, "src/cart.test.ts"],
    [
      "an import on several lines",
      "from . import (\n    sum,\n)\n\n\ndef test_adds():\n    assert sum.add(1, 2) == 3\n",
      "src/test_cart.py",
    ],
  ])("are found where their subject is known by %s", async (_, text, path) => {
    const subject = path.endsWith(".py") ? "src/sum.py" : "src/sum.ts";
    expect(await weakened({ [path]: [text, undefined] }, [subject])).toMatchObject([{ path, kind: "deleted_file" }]);
  });

  it("are found where their subject stays", async () => {
    expect(await weakened({ "src/add.test.ts": [file, undefined] }, ["src/add.ts"])).toEqual([
      {
        path: "src/add.test.ts",
        kind: "deleted_file",
        what: '"src/add.test.ts" with 1 test is gone, and "src/add.ts" is still there.',
      },
    ]);
    expect(
      await weakened({ "test/sums.test.ts": [file.replace("./", "../src/"), undefined] }, ["src/add.ts"]),
    ).toHaveLength(1);
    expect(
      await weakened(
        { "tests/test_add.py": ["from add import add\ndef test_a():\n    assert add(1) == 1\n", undefined] },
        ["add.py"],
      ),
    ).toHaveLength(1);
  });

  it("are nothing where it goes too, where the tests moved, and where nobody knows it", async () => {
    const source = "export function add(a, b) {\n  return a + b;\n}\n";
    expect(await weakened({ "src/add.test.ts": [file, undefined], "src/add.ts": [source, undefined] })).toEqual([]);
    expect(
      await weakened({ "src/add.test.ts": [file, undefined], "test/add.test.ts": [undefined, file] }, ["src/add.ts"]),
    ).toEqual([]);
    // Named after one file, and about another that is gone.
    const about = { "src/add.test.ts": [file.replace("./add.ts", "./sums.ts"), undefined] } as const;
    expect(await weakened({ ...about, "src/sums.ts": ["export const x = 1;\n", undefined] }, ["src/add.ts"])).toEqual(
      [],
    );
    const rewritten = `import { add } from "../src/add.ts";\nit("b", () => { expect(add(2, 2)).toBe(4); });\n`;
    const deleted = { "src/add.test.ts": [file, undefined] } as const;
    expect(await weakened({ ...deleted, "test/sums.test.ts": [undefined, rewritten] }, ["src/add.ts"])).toEqual([]);
    expect(await weakened({ ...deleted, "test/mail.test.ts": [undefined, total] }, ["src/add.ts"])).toHaveLength(1);
    expect(await weakened({ "e2e/all.test.ts": [adds, undefined] }, ["src/add.ts"])).toEqual([]);
    expect(await weakened({ "src/add.test.ts": ["export {};\n", undefined] }, ["src/add.ts"])).toEqual([]);
  });
});

const python =
  "def test_adds():\n    assert add(1, 2) == 3\n\n\ndef test_total():\n    cart = fill()\n    assert cart.total == 3\n    assert len(cart.items) == 2\n";
const unit = "class CartTest(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n";

describe("TEST-1: what was done to tests in Python", () => {
  it.each<[string, string, string, WeakenedTest["kind"], string]>([
    [
      "a test taken out",
      python,
      python.slice(0, python.indexOf("def test_total")),
      "deleted_test",
      '"test_total" is gone',
    ],
    [
      "marked to be skipped",
      python,
      `@pytest.mark.skip(reason="later")\n${python}`,
      "skipped_test",
      '"test_adds" is skipped',
    ],
    ["expected to fail", python, `@pytest.mark.xfail\n${python}`, "skipped_test", '"test_adds" is skipped'],
    [
      "skipped inside",
      python,
      python.replace("    assert add", '    pytest.skip("later")\n    assert add'),
      "skipped_test",
      '"test_adds" is skipped',
    ],
    [
      "its class skipped",
      unit,
      `@unittest.skip("later")\n${unit}`,
      "skipped_test",
      '"CartTest > test_adds" is skipped',
    ],
    [
      "a value no longer compared",
      python,
      python.replace("assert add(1, 2) == 3", "assert add(1, 2)"),
      "weakened_assertion",
      "assertadd(1,2)",
    ],
    [
      "only that there is one",
      python,
      python.replace("add(1, 2) == 3", "add(1, 2) is not None"),
      "weakened_assertion",
      "isnotNone",
    ],
    [
      "assertEqual became assertIsNotNone",
      unit,
      unit.replace("assertEqual(add(1, 2), 3)", "assertIsNotNone(add(1, 2))"),
      "weakened_assertion",
      "assertIsNotNone",
    ],
    ["nothing asserted", python, python.replace("add(1, 2) == 3", "True"), "weakened_assertion", "assertTrue"],
    [
      "an assertion taken out",
      python,
      python.replace("    assert cart.total == 3\n", ""),
      "weakened_assertion",
      "no longer asserts",
    ],
  ])("%s", (_, before, after, kind, what) => {
    expect(compared("tests/test_cart.py", "py", before, after)).toEqual([
      expect.objectContaining({ kind, what: expect.stringContaining(what) }),
    ]);
  });

  it.each<[string, string, string]>([
    ["another format", python, python.replace("add(1, 2) == 3", "add(\n        1,\n        2,  # two\n    ) == 3")],
    ["a skip on a condition", python, `@pytest.mark.skipif(sys.platform == "win32", reason="paths")\n${python}`],
    ["a table", python, '@pytest.mark.parametrize("a", [1, 2])\ndef test_all(a):\n    assert add(a, 0) == a\n'],
    ["a test renamed", python, python.replace("test_adds", "test_adds_two")],
    ["a test in a string", python, `${python}\nTEXT = """\ndef test_no():\n    assert False\n"""\n`],
    ["another value", python, python.replace("== 3", "== 4")],
  ])("is nothing: %s", (_, before, after) => {
    expect(compared("tests/test_cart.py", "py", before, after)).toEqual([]);
  });
});
