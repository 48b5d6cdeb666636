import { expect, it } from "vitest";
import type { Clone } from "../../../src/workspace/clone.ts";
import { itNeeding } from "../../needs/needing.ts";
import { noPytest } from "../../needs/programs.ts";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { cloneOf, type Files, testChange } from "./test-context.ts";

/** As on a machine without it, whatever is installed here. */
const NO_PYTEST = { ".venv/forge/sitecustomize.py": "import sys\nsys.modules['pytest'] = None\n" };
const PACKAGE = JSON.stringify({ type: "module", scripts: { test: "node --test" } });
const HEADER = "import test from 'node:test'; import assert from 'node:assert';\n";

const BASE: Files = {
  "package.json": PACKAGE,
  "src/sum.js": "export function sum(a, b) {\n  return a + b;\n}\n",
  "src/other.js": "export const other = () => 1;\n",
  "test/sum.test.js": `${HEADER}import { sum } from '../src/sum.js';\ntest('adds', () => assert.equal(sum(1, 2), 3));\ntest.skip('later', () => {});\n`,
  "test/other.test.js": `${HEADER}import { other } from '../src/other.js';\ntest('other', () => assert.equal(other(), 1));\n`,
};
const CHANGED = {
  "src/sum.js":
    "export function sum(a, b) {\n  if (b === undefined) {\n    return a;\n  }\n  // both\n  return a + b;\n}\n",
};

describeInSandbox("the testing phase", (sandbox) => {
  it("TEST-1: runs the tests that a change affects, with the coverage of its lines", async () => {
    const outcome = await testChange(sandbox, BASE, { ...BASE, ...CHANGED });
    expect(outcome).toMatchObject({
      ...{ outcome: "passed", runner: "node:test", selection: "affected", files: 1, passed: 1, failed: 0, skipped: 1 },
      ...{ failures: [], flaky: [], weakened: [] },
      coverage: { covered: 1, executable: 2, missed: [{ path: "src/sum.js", ranges: [[3, 3]] }] },
    });
    expect(outcome.coverageMissing).toBeUndefined();
  });

  it.each([
    [[], ""],
    [["test/second.test.js"], ", and 1 more file has such an import"],
    [["test/second.test.js", "test/third.test.js"], ", and 2 more files have such imports"],
  ])("TEST-3: says which import widened the selection, and of how many more that is so: %s", async (more, rest) => {
    const lost = (name: string) => `${HEADER}import { sum } from '#lost/sum';\ntest('${name}', () => sum);\n`;
    const files = Object.fromEntries(["test/first.test.js", ...more].map((path) => [path, lost(path)]));
    const outcome = await testChange(sandbox, { ...BASE, ...files }, { ...BASE, ...files, ...CHANGED });
    expect(outcome).toMatchObject({ selection: "affected", files: 2 + more.length });
    expect(outcome.reason).toBe(
      `More tests than those that name the change were run, because "test/first.test.js" imports "#lost/sum", which is not found in the repository${rest}.`,
    );
  });

  itNeeding(noPytest)(
    "TEST-3: says that pytest runs everything where it cannot be given a file by its name",
    async () => {
      const test = (name: string) => `from ${name} import go\n\ndef test_${name}():\n    assert go() > 0\n`;
      const base: Files = {
        "one.py": "def go():\n    return 1\n",
        "two.py": "def go():\n    return 1\n",
        "tests/test_[one].py": test("one"),
        "tests/test_two.py": test("two"),
        "conftest.py": "",
      };
      const head = { ...base, "one.py": "def go():\n    return 2\n" };
      expect(await testChange(sandbox, base, head)).toMatchObject({
        ...{ outcome: "passed", runner: "pytest", selection: "full", files: 2, passed: 2 },
        reason: 'All tests were run, because pytest cannot be given "tests/test_[one].py" by its name.',
      });
      expect(await testChange(sandbox, base, { ...base, "two.py": head["one.py"] ?? "" })).toMatchObject({
        ...{ outcome: "passed", selection: "affected", files: 1, passed: 1 },
      });
    },
  );

  it("TEST-1: runs all tests at high risk, and leaves none of its own files behind", async () => {
    const head = { ...BASE, ...CHANGED };
    const clone = await cloneOf(sandbox, head);
    expect(await testChange(sandbox, BASE, head, { risk: "high", clone })).toMatchObject({
      ...{ outcome: "passed", selection: "full", files: 2, passed: 2, coverage: { executable: 2 } },
    });
    const left = await clone.files.list(new AbortController().signal);
    expect(left).toMatchObject({ ok: true, paths: Object.keys(head).sort() });
  });

  it("TEST-1: blames the change for what it broke, and says what", async () => {
    const head = { ...BASE, "src/sum.js": "export const sum = (a, b) => a - b;\n" };
    const outcome = await testChange(sandbox, BASE, head);
    expect(outcome).toMatchObject({ outcome: "failed", passed: 0, failed: 1 });
    expect(outcome.failures).toEqual([
      { name: "adds", file: "test/sum.test.js", class: "bug", message: expect.stringContaining("-1 == 3") },
    ]);
  });

  it("TEST-1: where all older tests fail as before nothing was tested, whatever the change adds", async () => {
    const broken = { ...BASE, "test/sum.test.js": BASE["test/sum.test.js"]?.replace("3)", "4)") ?? "" };
    const added = { "test/more.test.js": broken["test/sum.test.js"].replace("adds", "adds more") };
    for (const head of [CHANGED, { ...CHANGED, ...added }]) {
      expect(await testChange(sandbox, broken, { ...broken, ...head })).toMatchObject({
        outcome: "not_run",
        reason: expect.stringMatching(/^Every test fails, before the change as well: nothing was tested\./),
      });
    }
  });

  it("TEST-1: does not blame a change for what failed before it", async () => {
    const broken = {
      ...BASE,
      "test/sum.test.js": `${BASE["test/sum.test.js"]}test('wrong', () => assert.equal(sum(1, 1), 3));\n`,
    };
    const outcome = await testChange(sandbox, broken, { ...broken, ...CHANGED });
    expect(outcome).toMatchObject({
      outcome: "passed",
      passed: 1,
      failed: 1,
      failures: [{ name: "wrong", class: "existing" }],
    });
    // A new test that fails is not excused by one that failed before.
    const worse = {
      ...broken,
      "test/sum.test.js": `${broken["test/sum.test.js"]}test('new', () => assert.equal(sum(1), 2));\n`,
    };
    expect(await testChange(sandbox, broken, { ...worse, ...CHANGED })).toMatchObject({
      ...{
        outcome: "failed",
        failures: [
          { name: "new", class: "bug" },
          { name: "wrong", class: "existing" },
        ],
      },
    });
  });

  it("TEST-1: a test that fails once and passes when repeated is flaky, and no failure", async () => {
    const once = `${HEADER}import fs from 'node:fs'; import { sum } from '../src/sum.js';\ntest('sometimes', () => { const first = !fs.existsSync('seen'); fs.writeFileSync('seen', ''); assert.ok(!first && sum(1, 1)); });\n`;
    expect(await testChange(sandbox, BASE, { ...BASE, ...CHANGED, "test/sum.test.js": once })).toMatchObject({
      ...{ outcome: "passed", passed: 1, failed: 0, failures: [], flaky: ["test/sum.test.js > sometimes"] },
    });
  });

  it("TEST-1: tells what was done to tests, also where nothing can be run", async () => {
    const head: Files = {
      ...BASE,
      "test/sum.test.js": BASE["test/sum.test.js"]!.replace("test('adds'", "test.skip('adds'"),
    };
    const { "test/other.test.js": _deleted, ...left } = head;
    const outcome = await testChange(sandbox, BASE, left, { clone: { unavailable: "no bubblewrap" } });
    expect(outcome).toMatchObject({
      outcome: "not_run",
      reason: "There is no sandbox on this machine to run tests in. Forge's command `doctor` says why.",
      weakened: [
        { path: "test/sum.test.js", line: 3, kind: "skipped_test" },
        { path: "test/other.test.js", kind: "deleted_file" },
      ],
    });
  });

  it.each<[string, Files, Files, string]>([
    [
      "no tests",
      { "package.json": PACKAGE, "a.js": "1" },
      { "package.json": PACKAGE, "a.js": "2" },
      "The repository has no tests for node:test.",
    ],
    ["no package manager", { "a.txt": "1" }, { "a.txt": "2" }, "No way to run tests was found"],
    [
      "a runner without tests",
      { "package.json": '{"devDependencies":{"vitest":"1"}}', "a.js": "1" },
      { "package.json": '{"devDependencies":{"vitest":"1"}}', "a.js": "2" },
      "The repository has no tests for vitest.",
    ],
    [
      "nothing that a test reaches",
      { ...BASE, "README.md": "1" },
      { ...BASE, "README.md": "2" },
      "The change touches nothing that a test reaches.",
    ],
    [
      "no runner",
      { "package.json": '{"devDependencies":{"jest":"1"}}', "a.js": "1", "a.test.js": "" },
      { "package.json": '{"devDependencies":{"jest":"1"}}', "a.js": "2", "a.test.js": "" },
      "It needs the program jest, which is not there.",
    ],
    [
      "no pytest",
      { ...NO_PYTEST, "test_a.py": "def test_a(): pass\n" },
      { ...NO_PYTEST, "test_a.py": "def test_a(): assert 1\n" },
      "pytest is not installed",
    ],
  ])("TEST-1: runs nothing and says why: %s", async (_, base, head, reason) => {
    expect(await testChange(sandbox, base, head)).toMatchObject({
      outcome: "not_run",
      reason: expect.stringContaining(reason),
    });
  });

  it("TEST-1: packages that are missing are the place's fault; one that nobody named is the change's", async () => {
    const test = `${HEADER}import pad from 'left-pad'; import { sum } from '../src/sum.js';\ntest('pads', () => sum(1, 2));\n`;
    const named = {
      ...BASE,
      "package.json": JSON.stringify({ ...JSON.parse(PACKAGE), dependencies: { "left-pad": "1" } }),
      "test/sum.test.js": test,
    };
    expect(
      await testChange(sandbox, named, { ...named, ...CHANGED }, { packagesMissing: "the lock file is out of date." }),
    ).toMatchObject({
      outcome: "not_run",
      reason: "The package left-pad is not installed. the lock file is out of date.",
    });
    expect(await testChange(sandbox, BASE, { ...BASE, "test/sum.test.js": test })).toMatchObject({
      ...{ outcome: "failed", failures: [{ name: "the file itself", file: "test/sum.test.js", class: "bug" }] },
    });
  });

  it("TEST-2: runs unittest where there is no pytest", async () => {
    const base = {
      ...NO_PYTEST,
      "cart.py": "def add(a, b):\n    return a + b\n",
      "tests/__init__.py": "",
      "tests/test_cart.py":
        "import unittest\nfrom cart import add\nclass T(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n",
    };
    const head = { ...base, "cart.py": "def add(a, b):\n    return a - b\n" };
    expect(await testChange(sandbox, base, head)).toMatchObject({
      ...{ outcome: "failed", runner: "unittest", files: 1, failed: 1 },
      failures: [{ file: "tests/test_cart.py", class: "bug", message: expect.stringContaining("-1 != 3") }],
      coverageMissing: expect.stringContaining("no code whose coverage"),
    });
  });

  it("TEST-1: runs what the configuration names, after it was built", async () => {
    const tools = {
      build: ["node", "-e", "fs.writeFileSync('built', '')"],
      test: [
        "node",
        "-e",
        "console.log('TAP version 13\\n' + (fs.existsSync('built') ? 'ok' : 'not ok') + ' 1 - is built\\n1..1')",
      ],
    };
    const head = { ...BASE, ...CHANGED };
    expect(await testChange(sandbox, BASE, head, { tools })).toMatchObject({
      outcome: "passed",
      selection: "full",
      passed: 1,
    });
    expect(await testChange(sandbox, BASE, head, { tools: { test: tools.test } })).toMatchObject({
      outcome: "not_run",
      reason: expect.stringContaining("nothing was tested"),
    });
    // Exit codes and counts count where there is no report.
    const counted = ["node", "-e", "console.log('  3 passing (2ms)\\n  1 failing'); process.exit(1)"];
    const outcome = await testChange(sandbox, BASE, head, { tools: { test: counted } });
    expect(outcome).toMatchObject({ passed: 3, failed: 1, failures: [{ name: "the run itself", class: "existing" }] });
  });

  it("TEST-1: a build that breaks is a failure of the change, unless it broke before", async () => {
    const tools = { build: ["node", "build.js"] };
    const base = { ...BASE, "build.js": "" };
    const broken = { ...BASE, "build.js": "throw new Error('no such step')" };
    expect(await testChange(sandbox, base, broken, { tools })).toMatchObject({
      ...{
        outcome: "failed",
        files: 0,
        failures: [{ name: "the build", class: "bug", message: expect.stringContaining("no such step") }],
      },
    });
    expect(await testChange(sandbox, broken, { ...broken, ...CHANGED }, { tools })).toMatchObject({
      outcome: "not_run",
      reason: expect.stringContaining("neither could"),
    });
  });

  it("stops when it is told to, and takes what runs with it", async () => {
    const stop = new AbortController();
    const clone = await cloneOf(sandbox, {
      ...BASE,
      ...CHANGED,
      "test/sum.test.js": "import '../src/sum.js';\nwhile (true);\n",
    });
    const run: Clone["run"] = (spec) => {
      const running = clone.run(spec);
      stop.abort(new Error("stopped by a person"));
      return running;
    };
    const running = testChange(
      sandbox,
      BASE,
      { ...BASE, ...CHANGED },
      { clone: { ...clone, run }, signal: stop.signal },
    );
    await expect(running).rejects.toThrow("stopped by a person");
  });
});
