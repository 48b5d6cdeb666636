import { expect, it } from "vitest";
import { readCargoTests } from "../../../src/analysis/tests/read-cargo-tests.ts";
import { readGoTests } from "../../../src/analysis/tests/read-go-tests.ts";
import { readJunit } from "../../../src/analysis/tests/read-junit.ts";
import { readPytest } from "../../../src/analysis/tests/read-pytest.ts";
import { readSummary } from "../../../src/analysis/tests/read-summary.ts";
import { readTap } from "../../../src/analysis/tests/read-tap.ts";
import { readMocha, readTestJson } from "../../../src/analysis/tests/read-test-json.ts";
import { readUnittest } from "../../../src/analysis/tests/read-unittest.ts";

it("R17: pytest's ids with dashes in brackets and paths with spaces are failures by their names, with their traces", () => {
  const printed = `.F
=================================== FAILURES ===================================
________________________________ test_eval[4 - 1] ________________________________
tests/test_calc.py:5: in test_eval
    assert eval(text) == 3
E   AssertionError: assert 4 == 3
_____________________________________ test_b _____________________________________
tests/my dir/test_b.py:2: in test_b
    assert 2.0 == 3
E   assert 2.0 == 3
=========================== short test summary info ============================
FAILED tests/test_calc.py::test_eval[4 - 1] - AssertionError: assert 4 == 3
FAILED tests/my dir/test_b.py::test_b - assert 2.0 == 3
2 failed, 1 passed in 0.04s
`;
  const expected = [
    {
      name: "test_eval[4 - 1]",
      file: "tests/test_calc.py",
      message: expect.stringContaining("assert eval(text) == 3"),
    },
    { name: "test_b", file: "tests/my dir/test_b.py", message: expect.stringContaining("test_b.py:2: in test_b") },
  ];
  expect(readPytest(printed)).toEqual({ passed: 1, failed: 2, skipped: 0, failures: expected });
  // Without traces (`--tb=no`) the brackets say where the id ends.
  const summary = printed.slice(printed.indexOf("=========================== short"));
  expect(readPytest(summary)?.failures).toEqual([
    { ...expected[0], message: "AssertionError: assert 4 == 3" },
    { ...expected[1], message: "assert 2.0 == 3" },
  ]);
});

it("R18: JUnit's results by attribute, errors of a whole suite, and comments behind the report", () => {
  const suppressed = '<testcase name="DISABLED_Blue" status="notrun" result="suppressed" classname="Paint"/>';
  expect(readJunit(`<testsuite>${suppressed}</testsuite>`)).toEqual({ passed: 0, failed: 0, skipped: 1, failures: [] });
  const whole =
    '<testsuites><testsuite name="Paint" file="/box/paint.cc" errors="1"><error message="no paint"/></testsuite></testsuites>';
  expect(readJunit(whole)).toEqual({
    ...{ passed: 0, failed: 1, skipped: 0 },
    failures: [{ name: "Paint", file: "paint.cc", message: "no paint" }],
  });
  expect(readJunit(whole.replace('<error message="no paint"/>', ""))?.failures).toEqual([
    { name: "Paint", file: "paint.cc", message: "The runner counts 1 failed here, and names none of them." },
  ]);
  const passed = '<testsuites><testsuite><testcase name="a"/></testsuite></testsuites>';
  const comments = "\n<!-- written by make -->\n<!-- <testsuites> -->\n";
  expect(readJunit(passed + comments)).toEqual({ passed: 1, failed: 0, skipped: 0, failures: [] });
  expect(readJunit(`${passed.slice(0, -13)}${comments}`)).toBeUndefined();
});

it("TEST-2a: a result in words that no reader knows is named, and never counts as passed", () => {
  const unknown = (word: string) => `The runner reports the result "${word}" for this test, which Forge does not know.`;
  const junit = (inner: string, attributes = "") =>
    readJunit(`<testsuite><testcase name="a"${attributes}>${inner}</testcase></testsuite>`);
  for (const [report, word] of [
    [junit("<inconclusive/>"), "inconclusive"],
    [junit("", ' status="quarantined"'), "quarantined"],
    [readTestJson(jsonOf("exploded")), "exploded"],
  ] as const)
    expect(report).toMatchObject({
      passed: 0,
      failed: 1,
      skipped: 0,
      failures: [{ name: "a", message: unknown(word) }],
    });
  for (const known of ["focused", "", "PASSED"]) expect(readTestJson(jsonOf(known))?.passed).toBe(0);
  expect(junit("<system-out>x</system-out><flakyFailure/>")).toMatchObject({ passed: 1, failed: 0 });
  expect(junit("<rerunFailure/><failure/>")).toMatchObject({ passed: 0, failed: 1 });
  expect(junit("", ' result="TIMEOUT"')).toMatchObject({
    failed: 1,
    failures: [{ message: "The runner reports TIMEOUT." }],
  });
});

function jsonOf(status: string): string {
  const testResults = [{ name: "/box/a.test.js", status: "passed", assertionResults: [{ fullName: "a", status }] }];
  return JSON.stringify({ numTotalTests: 1, numPassedTests: 1, numFailedTests: 0, testResults });
}

it("TEST-2a: a failure that a runner counts without its name is a failure", () => {
  const json = { numTotalTests: 2, numPassedTests: 1, numFailedTests: 1, testResults: [] };
  expect(readTestJson(JSON.stringify(json))).toMatchObject({ failed: 1 });
  expect(readTestJson(JSON.stringify({ ...json, numFailedTests: 0, wasInterrupted: true }))).toMatchObject({
    failed: 1,
  });
  expect(readTap("TAP version 13\nok 1 - a\n1..3\n")).toMatchObject({ passed: 1, failed: 1 });
  expect(readTap("TAP version 13\nok 1 - a\n1..1\n# fail 2\n")).toMatchObject({ passed: 1, failed: 1 });
  expect(readTap("TAP version 13\nok 1 - a\nBail out! no disk\n")).toMatchObject({
    failures: [{ message: "Bail out! no disk" }],
  });
  const cargo = "\nrunning 2 tests\ntest a ... ok\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured\n";
  expect(readCargoTests(cargo)).toMatchObject({ passed: 1, failed: 1, failures: [{ name: "the file itself" }] });
  const lost = `${cargo.replace(/FAILED\. 1 passed; 1/, "ok. 2 passed; 0")}\nrunning 1 test\n`;
  expect(readCargoTests(lost)).toMatchObject({ passed: 2, failed: 1 });
  // A test prints what looks like the list of failures, and another file lies in a folder with a space.
  const forged = "\nrunning 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\n";
  const panicked =
    "thread 'a' (7) panicked at my dir/src/a.rs:1:2:\nno\n\nfailures:\n    forged\n\n\nfailures:\n    a\n\n";
  const ended = "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured\n";
  expect(readCargoTests(forged + panicked + ended)?.failures).toMatchObject([{ name: "a", file: "my dir/src/a.rs" }]);
  const go = (...lines: object[]) => readGoTests(lines.map((line) => JSON.stringify(line)).join("\n"), "shop");
  const hanging = { Package: "shop", Test: "TestHangs" };
  expect(go({ Action: "run", ...hanging }, { Action: "pass", Package: "shop" })).toMatchObject({
    ...{ passed: 0, failed: 1 },
    failures: [{ name: "TestHangs", message: "It started and has no result." }],
  });
});

it("TEST-2a: names keep what a directive or a duration looks like, and lose what changes from run to run", () => {
  expect(readTap("TAP version 13\nnot ok 1 - says \\# TODO\n1..1\n")).toMatchObject({ failed: 1, skipped: 0 });
  const timed = (time: string) => readTap(`TAP version 14\nnot ok 1 - adds # time=${time}ms\n1..1\n`)?.failures;
  expect(timed("1.5")).toEqual(timed("2"));
  expect(timed("1.5")).toMatchObject([{ name: "adds" }]);
});

it("TEST-2a: unittest counts an expected failure as skipped", () => {
  const end = (verdict: string) => `${"-".repeat(70)}\nRan 2 tests in 0.001s\n\n${verdict}\n`;
  expect(readUnittest(end("OK (expected failures=1)"))).toMatchObject({ passed: 1, failed: 0, skipped: 1 });
  expect(readUnittest(end("FAILED (errors=1, expected failures=1)"))).toMatchObject({ failed: 1, skipped: 1 });
});

it("TEST-2a: the last summary is the runner's, whatever tests print before it", () => {
  expect(readSummary("Tests: 99 passed, 99 total\nTests:       1 failed, 2 passed, 3 total\n")).toMatchObject({
    ...{ passed: 2, failed: 1 },
  });
  expect(readSummary("  1 failed\n    a.spec.js\n  1 flaky\n  1 did not run\n  2 passed (1.1s)\n")).toEqual({
    ...{ passed: 3, failed: 1, skipped: 1, failures: [] },
  });
});

it("TEST-2a: a report on the line of what a test printed last is found there", () => {
  const mocha = JSON.stringify(
    { stats: { tests: 1 }, passes: [{ fullTitle: "a" }], failures: [], pending: [] },
    null,
    2,
  );
  expect(readMocha(`no line break${mocha}`)).toMatchObject({ passed: 1, failed: 0 });
  const json = `{"numFailedTestSuites":0,${jsonOf("passed").slice(1)}`;
  expect(readTestJson(`{ "a": 1 } no line break${json}\n`)).toMatchObject({ passed: 1, failed: 0 });
  const amid = "TAP version 13\nno line breaknot ok 1 - a\nok 9 - printed by a test\nok 2 - b\n1..2\n";
  expect(readTap(amid, { file: "a.js", ordered: true })).toMatchObject({
    passed: 1,
    failed: 1,
    failures: [{ name: "a" }],
  });
  expect(readTap("TAP version 13\nok 2 - b\n1..2\n", { file: "a.js", ordered: true })).toMatchObject({
    ...{ passed: 0, failed: 2, failures: [{ message: "The report has no result with the number 1." }, {}] },
  });
});

it("TEST-2a: a file of Jest 29 and later with skipped tests, which it calls focused, is no failure", () => {
  const results = [
    {
      name: "/work/a.test.js",
      status: "focused",
      message: "",
      assertionResults: [
        { fullName: "a", status: "passed" },
        { fullName: "b", status: "pending" },
      ],
    },
  ];
  const report = JSON.stringify({ numFailedTests: 0, numTotalTests: 2, testResults: results });
  expect(readTestJson(report)).toEqual({ passed: 1, failed: 0, skipped: 1, failures: [] });
});

it("TEST-2a: a test of Go whose subtests failed is not counted as well", () => {
  const event = (Action: string, Test: string) => JSON.stringify({ Action, Package: "shop", Test });
  const lines = ["A", "A/one", "A/one/deep", "B"].flatMap((name) => [event("run", name), event("fail", name)]);
  lines.push('{"Action":"fail","Package":"shop"}');
  const report = readGoTests(lines.join("\n"), "shop");
  expect(report?.failures.map(({ name }) => name)).toEqual(["A/one/deep", "B"]);
});
