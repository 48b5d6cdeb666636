/** What runners print, written down from runs of small projects; paths are those of the sandbox. */

export const GO = [
  { Action: "start", Package: "shop/cart" },
  { Action: "run", Package: "shop/cart", Test: "TestAdd" },
  { Action: "output", Package: "shop/cart", Test: "TestAdd", Output: "=== RUN   TestAdd\n" },
  { Action: "pass", Package: "shop/cart", Test: "TestAdd", Elapsed: 0 },
  { Action: "run", Package: "shop/cart", Test: "TestTotal" },
  { Action: "run", Package: "shop/cart", Test: "TestTotal/empty" },
  { Action: "output", Package: "shop/cart", Test: "TestTotal/empty", Output: "=== RUN   TestTotal/empty\n" },
  { Action: "output", Package: "shop/cart", Test: "TestTotal/empty", Output: "    cart_test.go:14: got 1, want 0\n" },
  {
    Action: "output",
    Package: "shop/cart",
    Test: "TestTotal/empty",
    Output: "    --- FAIL: TestTotal/empty (0.00s)\n",
  },
  { Action: "fail", Package: "shop/cart", Test: "TestTotal/empty", Elapsed: 0 },
  { Action: "fail", Package: "shop/cart", Test: "TestTotal", Elapsed: 0 },
  { Action: "run", Package: "shop/cart", Test: "TestLater" },
  { Action: "skip", Package: "shop/cart", Test: "TestLater", Elapsed: 0 },
  { Action: "output", Package: "shop/cart", Output: "FAIL\n" },
  { Action: "fail", Package: "shop/cart", Elapsed: 0.1 },
  { Action: "build-output", ImportPath: "shop/mail [shop/mail.test]", Output: "mail/mail.go:3:9: undefined: sender\n" },
  { Action: "build-fail", ImportPath: "shop/mail [shop/mail.test]" },
  { Action: "output", Package: "shop/mail", Output: "FAIL\tshop/mail [build failed]\n" },
  { Action: "fail", Package: "shop/mail", Elapsed: 0 },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

export const CARGO = `
running 3 tests
test tests::later ... ignored
test tests::adds ... ok
test tests::wrong ... FAILED

failures:

---- tests::wrong stdout ----

thread 'tests::wrong' (780) panicked at src/lib.rs:8:18:
assertion \`left == right\` failed
  left: 3
 right: 4
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace


failures:
    tests::wrong

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.06s


running 1 test
test whole ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
`;

export const UNITTEST = `test_bad (test_u.T.test_bad) ... FAIL
test_ok (test_u.T.test_ok) ... ok
test_s (test_u.T.test_s) ... skipped 'later'
test_v (unittest.loader._FailedTest.test_v) ... ERROR

======================================================================
ERROR: test_v (unittest.loader._FailedTest.test_v)
----------------------------------------------------------------------
ImportError: Failed to import test module: test_v
ModuleNotFoundError: No module named 'nothere'


======================================================================
FAIL: test_bad (test_u.T.test_bad)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/box/test_u.py", line 4, in test_bad
    def test_bad(self): self.assertEqual(1, 2)
AssertionError: 1 != 2

----------------------------------------------------------------------
Ran 4 tests in 0.000s

FAILED (failures=1, errors=1, skipped=1)
`;

export const PYTEST = `.Fs                                                                      [100%]
==================================== ERRORS ====================================
_________________________ ERROR collecting test_gone.py _________________________
test_gone.py:1: in <module>
    import gone
E   ModuleNotFoundError: No module named 'gone'
=================================== FAILURES ===================================
_________________________________ Cart.test_bad _________________________________
test_a.py:3: in test_bad
    assert total() == 2
E   assert 1 == 2
=========================== short test summary info ============================
FAILED test_a.py::Cart::test_bad - assert 1 == 2
ERROR test_gone.py
1 failed, 1 passed, 1 skipped, 1 error in 0.49s
`;

export const JUNIT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="shop.CartTest" tests="4" failures="1" errors="1" skipped="1">
    <testcase name="adds" classname="shop.CartTest" time="0.01"/>
    <testcase name="later" classname="shop.CartTest"><skipped message="not yet"/></testcase>
    <testcase name="total &lt;0&gt;" classname="shop.CartTest">
      <failure message="expected: &lt;0&gt; but was: &lt;1&gt;" type="AssertionError">AssertionError: at CartTest.java:14</failure>
    </testcase>
    <testcase name="mails" classname="shop.CartTest" file="/box/src/test/CartTest.java"><error type="IOException">no route</error></testcase>
  </testsuite>
</testsuites>
`;

export const TAP = `TAP version 13
# Subtest: cart
    # Subtest: adds \\# one
    ok 1 - adds \\# one
      ---
      duration_ms: 0.5
      type: 'test'
      ...
    # Subtest: total
    not ok 2 - total
      ---
      duration_ms: 0.6
      type: 'test'
      location: '/box/test/cart.test.js:3:25'
      failureType: 'testCodeFailure'
      error: '1 == 2'
      stack: |-
        TestContext.<anonymous> (file:///box/test/cart.test.js:3:52)
        Test.run (node:internal/test_runner/test:796:25)
      ...
    1..2
not ok 1 - cart
  ---
  type: 'suite'
  location: '/box/test/cart.test.js:2:1'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
# Subtest: later
not ok 2 - later # TODO
  ---
  location: '/box/test/cart.test.js:9:1'
  failureType: 'testCodeFailure'
  ...
# Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from /box/test/b.test.js
# Node.js v24.21.0
# Subtest: test/b.test.js
not ok 3 - test/b.test.js
  ---
  type: 'test'
  location: '/box/test/b.test.js:1:1'
  failureType: 'testCodeFailure'
  error: 'test failed'
  ...
1..3
`;

export const TAP_SUMMARY = "# tests 4\n# suites 1\n# pass 1\n# fail 2\n# cancelled 0\n# skipped 0\n# todo 1\n";

export const LCOV = `TN:
SF:src/cart.js
FN:1,total
FNDA:2,total
FNF:2
FNH:1
BRF:3
BRH:2
DA:1,1
DA:2,2
DA:3,0
LH:2
LF:3
end_of_record
SF:/box/src/other.js
DA:1,0
end_of_record
SF:../outside.js
DA:1,1
end_of_record
`;

export const ISTANBUL = JSON.stringify({
  "/box/src/cart.js": {
    path: "/box/src/cart.js",
    statementMap: {
      0: { start: { line: 2, column: 0 }, end: { line: 2, column: 9 } },
      1: { start: { line: 2, column: 10 }, end: { line: 2, column: 19 } },
      2: { start: { line: 3, column: 0 }, end: { line: 4, column: 1 } },
    },
    s: { 0: 2, 1: 0, 2: 0 },
    f: { 0: 1, 1: 0 },
    fnMap: {},
    branchMap: {},
    b: { 0: [1, 0], 1: [1] },
  },
});

export const COBERTURA = `<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage line-rate="0.5" version="7.4">
  <sources><source>/box/shop</source></sources>
  <packages><package name="."><classes>
    <class name="cart.py" filename="cart.py">
      <methods/>
      <lines>
        <line number="1" hits="1"/>
        <line number="2" hits="1" branch="true" condition-coverage="50% (1/2)"/>
        <line number="3" hits="0"/>
      </lines>
    </class>
  </classes></package></packages>
</coverage>
`;
