import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { TestReport } from "../../src/analysis/tests/test-results.ts";
import { holdToExit } from "../../src/tools/run/hold-to-exit.ts";
import { invokeTests } from "../../src/tools/run/test-invocation.ts";
import { readTestReport, withoutReport } from "../../src/tools/run/test-report.ts";
import type { SandboxResult } from "../../src/workspace/sandbox/sandbox.ts";
import { temporaryFolder } from "../workspace/sandbox-machine.ts";

const PASSED: TestReport = { passed: 3, failed: 0, skipped: 0, failures: [] };
const end = (code: number | null) =>
  ({ code, stdout: Buffer.from("3 passed\n"), stderr: Buffer.from("and then it broke\n") }) as SandboxResult;

it("TEST-2a: a run that did not end with 0 never passed, whatever its report says", () => {
  expect(holdToExit(PASSED, end(0))).toEqual(PASSED);
  for (const code of [1, 5, 139, null])
    expect(holdToExit(PASSED, end(code))).toMatchObject({
      ...{ passed: 3, failed: 1 },
      failures: [{ name: "the run itself", message: "3 passed\nand then it broke" }],
    });
  const place = { name: "the file itself", file: "a.test.js" };
  expect(holdToExit(PASSED, end(1), place).failures).toMatchObject([place]);
  expect(holdToExit({ ...PASSED, failed: 2 }, end(0))).toMatchObject({ failed: 2, failures: [{}] });
  // pytest and unittest say so that there is no test.
  expect(holdToExit({ ...PASSED, passed: 0 }, end(5))).toMatchObject({ failed: 0, failures: [] });
});

it("TEST-2a: each program of several that print TAP is held to its own end", async () => {
  const ok = "TAP version 13\nok 1 - a\n1..1\n";
  const output = [
    [ok, 0, "fine.js"],
    [ok, 3, "my dir/breaks.js"],
    ["", 1, "cannot be loaded.js"],
    ["half\nTAP version 13\nok 1 - a\n", 0, "ends early.js"],
    ["", 0, "a fixture.js"],
  ].map(([text, code, file]) => `${text}\nmark ${code} ${file}\n`);
  const { signal } = new AbortController();
  const request = { runner: "tap", results: { each: "mark" }, signal } as const;
  const stderr = ["", "no port\n", "Cannot find package 'left-pad'\n", "", ""]
    .map((text) => `${text}\nmark\n`)
    .join("");
  const report = await readTestReport(request, { stdout: output.join(""), stderr });
  expect(report).toMatchObject({ passed: 2, failed: 3 });
  expect(report?.failures.map(({ name, file }) => [name, file])).toEqual([
    ["the file itself", "my dir/breaks.js"],
    ["the file itself", "cannot be loaded.js"],
    ["the file itself", "ends early.js"],
  ]);
  // The error output of each program names the cause.
  expect(report?.failures.map(({ message }) => message.split("\n").at(-1))).toMatchObject([
    "no port",
    "Cannot find package 'left-pad'",
    "ok 1 - a",
  ]);
  expect(await readTestReport(request, { stdout: ok, stderr: "" })).toBeUndefined();
});

it("TEST-2a: what is shown of a run that broke down is what it printed, without its report", () => {
  const whole = { ...end(1), stdout: Buffer.from('no database\n\nmark\n{"numTotalTests":0}') };
  const shown = withoutReport(whole, { behind: "mark" });
  expect(holdToExit({ passed: 0, failed: 0, skipped: 0, failures: [] }, shown).failures).toMatchObject([
    { message: "no database\nand then it broke" },
  ]);
  expect(withoutReport(whole, "printed")).toBe(whole);
  expect(withoutReport(whole, { behind: "other" })).toBe(whole);
});

it("TEST-2a: a file is run whose path reads as a pattern", async () => {
  const folder = temporaryFolder();
  const text = 'require("node:test")("adds [1 - 1]", () => require("node:assert").equal(1 + 1, RESULT))';
  const paths = ["pages/[id] (a)/page [x].test.js", "pages/!(b)/+(c)/d?e*f.test.js", "pages/{a,b}/page.test.js"];
  for (const [at, path] of paths.entries()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text.replace("RESULT", at === 1 ? "2" : "3"));
  }
  const options = {
    ...{ testSeconds: 60, coverage: undefined, mark: "mark" },
    ...{ plugins: new Set<string>(), packages: new Set<string>() },
  };
  const { args, results } = invokeTests({ runner: "node:test" }, { ...options, files: paths });
  // The sandbox gives tests the Node that Forge runs on.
  const ran = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env: { PATH: process.env.PATH } });
  const report = await readTestReport({ runner: "node:test", results, signal: new AbortController().signal }, ran);
  expect(report).toMatchObject({ passed: 1, failed: 2 });
  expect(report?.failures.map(({ name }) => name)).toEqual(["adds [1 - 1]", "adds [1 - 1]"]);
  // pytest refuses a bracket in a path: it is given none, and runs all.
  const python = invokeTests({ runner: "pytest" }, { ...options, files: ["tests/test_[a].py", "tests/test_b.py"] });
  expect(python.args.filter((each) => each.endsWith(".py"))).toEqual([]);
});

it("TEST-2a: a test of Node itself counts in a project whose tests are programs that print TAP", async () => {
  const folder = temporaryFolder();
  const text = 'require("node:test")("adds", () => require("node:assert").equal(1 + 1, RESULT))';
  writeFileSync(join(folder, "good.js"), text.replace("RESULT", "2"));
  writeFileSync(join(folder, "bad.js"), text.replace("RESULT", "3"));
  const options = {
    testSeconds: 60,
    coverage: undefined,
    plugins: new Set<string>(),
    packages: new Set<string>(),
    mark: "mark",
  };
  const { program, args, results } = invokeTests({ runner: "tap" }, { ...options, files: ["good.js", "bad.js"] });
  const ran = spawnSync(program, args, { cwd: folder, encoding: "utf8", env: { PATH: process.env.PATH } });
  const report = await readTestReport({ runner: "tap", results, signal: new AbortController().signal }, ran);
  expect(report).toMatchObject({
    passed: 1,
    failed: 1,
    failures: [{ name: "adds", file: expect.stringMatching(/bad\.js$/) }],
  });
});

it("TEST-2a: a file that pytest names from the folder of its settings is the file that was asked for", async () => {
  const { signal } = new AbortController();
  const request = { runner: "pytest", results: { behind: "mark" }, signal } as const;
  const failing = (name: string) =>
    `<testcase classname="${name}" name="test_x[a - b]" file="${name}.py"><failure/></testcase>`;
  const report = `<testsuite name="pytest">${failing("test_a")}${failing("test_b")}</testsuite>`;
  const files = ["shop/test_a.py", "shop/test_b.py", "web/test_b.py"];
  expect(
    (await readTestReport({ ...request, files }, { stdout: `.F\nmark\n${report}`, stderr: "" }))?.failures,
  ).toMatchObject([
    { name: "test_x[a - b]", file: "shop/test_a.py" },
    { name: "test_x[a - b]", file: "test_b.py" },
  ]);
});
