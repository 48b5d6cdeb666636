import { expect, it } from "vitest";
import { readCargoTests } from "../../../src/analysis/tests/read-cargo-tests.ts";
import { readGoTests } from "../../../src/analysis/tests/read-go-tests.ts";
import { readJunitInChild } from "../../../src/analysis/tests/read-in-child.ts";
import { readJunit } from "../../../src/analysis/tests/read-junit.ts";
import { readPytest } from "../../../src/analysis/tests/read-pytest.ts";
import { readTap } from "../../../src/analysis/tests/read-tap.ts";
import { readUnittest } from "../../../src/analysis/tests/read-unittest.ts";
import { CARGO, GO, JUNIT, PYTEST, TAP, TAP_SUMMARY, UNITTEST } from "./runner-output.ts";

it("TEST-2: reads TAP and node:test: nested names, files that cannot be loaded with what they printed, nothing that is to do", () => {
  const expected = {
    failures: [
      { name: "cart > total", file: "test/cart.test.js", message: expect.stringContaining("error: '1 == 2'") },
      { name: "the file itself", file: "test/b.test.js", message: expect.stringContaining("package 'left-pad'") },
    ],
  };
  expect(readTap(TAP + TAP_SUMMARY)).toEqual({ ...expected, passed: 1, failed: 2, skipped: 1 });
  // What stands around a failed test is no test that failed.
  const around = "    not ok 1 - inner\n      ---\n      failureType: 'testCodeFailure'\n      ...\n";
  const outer = "not ok 1 - outer\n  ---\n  failureType: 'subtestsFailed'\n  ...\n1..1\n# pass 4\n# fail 2\n";
  expect(readTap(`# Subtest: outer\n${around}${outer}`)).toMatchObject({ passed: 0, failed: 1 });
  // Other writers of TAP count nothing themselves.
  expect(readTap(TAP)).toEqual({ ...expected, passed: 1, failed: 2, skipped: 1 });
  expect(readTap(TAP.replace("1..3\n", ""))).toBeUndefined();
  expect(readTap("not ok 1 stolen\nok 2 - fine\n1..2\n")?.failures).toEqual([
    { name: "stolen", file: undefined, message: "" },
  ]);
});

it("TEST-2: reads megabytes of hostile TAP", () => {
  const hostile = `${"not ok 1 - x\n  ---\n  a: 1\n".repeat(50_000)}1..1\n`;
  expect(readTap(hostile)?.failed).toBeUndefined();
  expect(readTap(`${"not ok 1 - x\n  ---\n  a: 1\n  ...\n".repeat(50_000)}1..1\n`)).toMatchObject({ failed: 50_000 });
});

it("TEST-2: reads pytest and unittest with the trace of each failure", () => {
  expect(readPytest(PYTEST)).toEqual({
    passed: 1,
    failed: 2,
    skipped: 1,
    failures: [
      { name: "Cart::test_bad", file: "test_a.py", message: expect.stringContaining("assert total() == 2") },
      { name: "the file itself", file: "test_gone.py", message: expect.stringContaining("No module named 'gone'") },
    ],
  });
  expect(readPytest("python3: No module named pytest\n")).toBeUndefined();
  expect(readUnittest(UNITTEST)).toEqual({
    passed: 1,
    failed: 2,
    skipped: 1,
    failures: [
      { name: "the file itself", file: "test_v.py", message: expect.stringContaining("No module named 'nothere'") },
      { name: "test_bad (test_u.T.test_bad)", file: "test_u.py", message: expect.stringContaining("1 != 2") },
    ],
  });
  expect(readUnittest("Traceback\n")).toBeUndefined();
});

it("TEST-2: reads go test -json: subtests for their parents, and packages that do not build", () => {
  expect(readGoTests(GO, "shop")).toEqual({
    passed: 1,
    failed: 2,
    skipped: 1,
    failures: [
      { name: "TestTotal/empty", file: "cart/cart_test.go", message: "cart_test.go:14: got 1, want 0" },
      { name: "the file itself", file: "mail", message: expect.stringContaining("undefined: sender") },
    ],
  });
  expect(readGoTests("go: cannot find main module\n", "shop")).toBeUndefined();
});

it("TEST-2: reads cargo test, all programs together", () => {
  expect(readCargoTests(CARGO)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 1,
    failures: [{ name: "tests::wrong", file: "src/lib.rs", message: expect.stringContaining("left: 3") }],
  });
  expect(readCargoTests("error[E0308]: mismatched types\n")).toBeUndefined();
});

it("TEST-2: reads JUnit's XML, and nothing that only looks like it", () => {
  const expected = {
    passed: 1,
    failed: 2,
    skipped: 1,
    failures: [
      {
        name: "shop.CartTest > total <0>",
        file: undefined,
        message: "expected: <0> but was: <1>\nAssertionError: at CartTest.java:14",
      },
      { name: "shop.CartTest > mails", file: "src/test/CartTest.java", message: "no route" },
    ],
  };
  expect(readJunit(JUNIT)).toEqual(expected);
  expect(readJunit('<testsuite name="a" tests="0"/>')).toMatchObject({ passed: 0, failed: 0 });
  expect(readJunit(JUNIT.slice(0, -20))).toBeUndefined();
  expect(readJunit(`<!DOCTYPE a [<!ENTITY b "c">]>${JUNIT}`)).toBeUndefined();
  expect(readJunit("<checkstyle></checkstyle>")).toBeUndefined();
});

it("TEST-2: reads foreign XML in a process of its own, which may die of it, and counts what nobody can read as failed", async () => {
  const { signal } = new AbortController();
  const deep = `<testsuites>${"<testsuite>".repeat(200_000)}</testsuites>`;
  const texts = [JUNIT, deep, "<testsuites>", JUNIT];
  const read = await readJunitInChild(
    texts.map((text, at) => ({ name: `TEST-${at}.xml`, text })),
    { signal },
  );
  expect(read).toMatchObject({ passed: 2, failed: 6, skipped: 2 });
  const unread = { file: undefined, message: "Forge cannot read this report of the runner." };
  expect(read?.failures.slice(4)).toEqual([
    { name: "TEST-1.xml", ...unread },
    { name: "TEST-2.xml", ...unread },
  ]);
});
