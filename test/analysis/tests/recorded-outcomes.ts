/** What each recorded output says of the projects in recorded/projects.txt. A failure is its file and its name. */
export interface Expected {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly string[];
}

export const JEST = {
  27: {
    passed: 3,
    failed: 6,
    skipped: 4,
    failures: [
      "after.test.js | the file itself",
      "empty.test.js | the file itself",
      "hooks.test.js | before never starts",
      "my dir/calc.test.js | calc [a - b] is wrong: [x] - y",
      "my dir/calc.test.js | calc [a - b] times out",
      "syntax.test.js | the file itself",
    ],
  },
  30: {
    passed: 4,
    failed: 7,
    skipped: 2,
    failures: [
      "after.test.js | the file itself",
      "empty.test.js | the file itself",
      "expected.test.js | passes though it should fail",
      "hooks.test.js | before never starts",
      "my dir/calc.test.js | calc [a - b] is wrong: [x] - y",
      "my dir/calc.test.js | calc [a - b] times out",
      "syntax.test.js | the file itself",
    ],
  },
};

export const VITEST: Expected = {
  passed: 5,
  failed: 7,
  skipped: 3,
  failures: [
    "after.test.js | the file itself",
    "empty.test.js | the file itself",
    "hooks.test.js | the file itself",
    "my dir/calc.test.js | calc [a - b] is wrong: [x] - y",
    "my dir/calc.test.js | calc [a - b] passes though it should fail",
    "my dir/calc.test.js | calc [a - b] times out",
    "syntax.test.js | the file itself",
  ],
};

export const MOCHA: Expected = {
  passed: 3,
  failed: 4,
  skipped: 3,
  failures: [
    'hooks.test.js | after "after all" hook for "passes before"',
    'hooks.test.js | before "before all" hook for "never starts"',
    "my dir/calc.test.js | calc [a - b] is wrong: [x] - y",
    "my dir/calc.test.js | calc [a - b] times out",
  ],
};

/** Node 20 and 22 cancel a subtest that is not awaited; Node 24 and 26 wait for it. Both pass a file without tests. */
export const NODE = {
  20: {
    passed: 4,
    failed: 9,
    skipped: 3,
    failures: [
      "cancelled.test.mjs | outer > is not awaited",
      "exits.test.mjs | the file itself",
      "hooks.test.mjs | after",
      "hooks.test.mjs | before",
      "hooks.test.mjs | before > never starts",
      "my dir/calc.test.mjs | calc [a - b] > is wrong: [x] - y",
      "my dir/calc.test.mjs | calc [a - b] > times out",
      "my dir/calc.test.mjs | with # a hash and \\ a backslash",
      "syntax.test.mjs | the file itself",
    ],
  },
  24: {
    passed: 6,
    failed: 8,
    skipped: 3,
    failures: [
      "exits.test.mjs | the file itself",
      "hooks.test.mjs | after",
      "hooks.test.mjs | before",
      "hooks.test.mjs | before > never starts",
      "my dir/calc.test.mjs | calc [a - b] > is wrong: [x] - y",
      "my dir/calc.test.mjs | calc [a - b] > times out",
      "my dir/calc.test.mjs | with # a hash and \\ a backslash",
      "syntax.test.mjs | the file itself",
    ],
  },
};

export const AVA: Expected = {
  passed: 2,
  failed: 9,
  skipped: 2,
  failures: [
    "? | /box/syntax.test.js:1",
    "? | Error: nobody catches this",
    '? | No tests found in empty.test.js, make sure to import "ava" at the top of your test file',
    "? | hooks › before hook",
    "? | my dir › calc › is wrong: [x] - y",
    "? | my dir › calc › passes though it should fail",
    "? | slow › times out",
    "? | syntax.test.js exited with a non-zero exit code: 1",
    "? | throws.test.js exited with a non-zero exit code: 1",
  ],
};

export const TAPE: Expected = {
  passed: 4,
  failed: 4,
  skipped: 2,
  failures: [
    "exits.test.js | test exited without ending: ends the process",
    "my dir/calc.test.js | is wrong: [x] - y",
    "my dir/calc.test.js | times out timed out after 50ms",
    "plan.test.js | plan != count",
  ],
};

export const TAP: Expected = {
  passed: 5,
  failed: 4,
  skipped: 2,
  failures: [
    "bail.test.js | the file itself",
    "my dir/calc.test.js | calc [a - b] > is wrong: [x] - y > one is two [really] - yes",
    "my dir/calc.test.js | calc [a - b] > times out > test unfinished",
    "syntax.test.js | the file itself",
  ],
};

export const PYTEST: Expected = {
  passed: 3,
  failed: 15,
  skipped: 3,
  failures: [
    "tests/my dir/test_b.py | test_b",
    "tests/test_calc.py | TestCart::TestDeep::test_total",
    "tests/test_calc.py | TestCart::test_xpass_strict",
    "tests/test_calc.py | test_both",
    "tests/test_calc.py | test_both",
    "tests/test_calc.py | test_eval[4 - 1]",
    "tests/test_calc.py | test_path[a::b]",
    "tests/test_calc.py | test_path[x] - y]",
    "tests/test_calc.py | test_setup",
    "tests/test_calc.py | test_teardown",
    "tests/test_gone.py | the file itself",
    "tests/test_syntax.py | the file itself",
    "tests/test_unit.py | Broken::test_never",
    "tests/test_unit.py | Sub::test_subs",
    "tests/test_unit.py | Sub::test_unexpected",
  ],
};

export const PYTEST_PRINTED = {
  7: {
    passed: 4,
    failed: 15,
    skipped: 3,
    failures: [
      "tests/my dir/test_b.py | test_b",
      "tests/test_calc.py | TestCart::TestDeep::test_total",
      "tests/test_calc.py | TestCart::test_xpass_strict",
      "tests/test_calc.py | test_both",
      "tests/test_calc.py | test_both",
      "tests/test_calc.py | test_eval[4 - 1]",
      "tests/test_calc.py | test_path[a::b]",
      "tests/test_calc.py | test_path[x] - y]",
      "tests/test_calc.py | test_setup",
      "tests/test_calc.py | test_teardown",
      "tests/test_gone.py | the file itself",
      "tests/test_syntax.py | the file itself",
      "tests/test_unit.py | Broken::test_never",
      "tests/test_unit.py | Sub::test_subs",
      "tests/test_unit.py | Sub::test_unexpected",
    ],
  },
  9: {
    passed: 5,
    failed: 16,
    skipped: 3,
    failures: [
      "tests/my dir/test_b.py | test_b",
      "tests/test_calc.py | TestCart::TestDeep::test_total",
      "tests/test_calc.py | TestCart::test_xpass_strict",
      "tests/test_calc.py | test_both",
      "tests/test_calc.py | test_both",
      "tests/test_calc.py | test_eval[4 - 1]",
      "tests/test_calc.py | test_path[a::b]",
      "tests/test_calc.py | test_path[x] - y]",
      "tests/test_calc.py | test_setup",
      "tests/test_calc.py | test_teardown",
      "tests/test_gone.py | the file itself",
      "tests/test_syntax.py | the file itself",
      "tests/test_unit.py | Broken::test_never",
      "tests/test_unit.py | Sub::test_subs (i=0)",
      "tests/test_unit.py | Sub::test_subs (i=2)",
      "tests/test_unit.py | Sub::test_unexpected",
    ],
  },
};

export const UNITTEST = {
  8: {
    passed: 2,
    failed: 7,
    skipped: 2,
    failures: [
      "? | test_unexpected (test_calc.Calc)",
      "test_calc.py | setUpClass (test_calc.Broken)",
      "test_calc.py | test_subs (test_calc.Calc) [part [x] - y] (i=0)",
      "test_calc.py | test_subs (test_calc.Calc) [part [x] - y] (i=2)",
      "test_calc.py | test_wrong (test_calc.Calc)",
      "test_gone.py | the file itself",
      "test_syntax.py | the file itself",
    ],
  },
  13: {
    passed: 2,
    failed: 7,
    skipped: 2,
    failures: [
      "? | test_unexpected (test_calc.Calc.test_unexpected)",
      "test_calc.py | setUpClass (test_calc.Broken)",
      "test_calc.py | test_subs (test_calc.Calc.test_subs) [part [x] - y] (i=0)",
      "test_calc.py | test_subs (test_calc.Calc.test_subs) [part [x] - y] (i=2)",
      "test_calc.py | test_wrong (test_calc.Calc.test_wrong)",
      "test_gone.py | the file itself",
      "test_syntax.py | the file itself",
    ],
  },
};

/** Tests that print without a line break before Go 1.20: the beginning of `TestSub/y_z` is lost, and is not counted. */
export const GO_AMID: Expected = {
  passed: 7,
  failed: 1,
  skipped: 1,
  failures: ["a/a_test.go | TestLate/fails"],
};

export const GO: Expected = {
  passed: 6,
  failed: 7,
  skipped: 1,
  failures: [
    "? | ExampleAdd",
    "? | TestExits",
    "? | TestHangs",
    "? | TestPanics",
    "cart/cart_test.go | TestTotal/with_a_space_[x]_-_y",
    "mail | the file itself",
    "main | the file itself",
  ],
};

export const CARGO: Expected = {
  passed: 5,
  failed: 7,
  skipped: 1,
  failures: [
    "? | tests::does_not_panic",
    "? | tests::result",
    "? | the file itself",
    "? | the file itself",
    "src/lib.rs | src/lib.rs - add (line 5)",
    "src/lib.rs | tests::writes_past_the_capture_and_fails",
    "src/lib.rs | tests::wrong",
  ],
};

export const SUREFIRE = {
  calc: { passed: 2, failed: 2, skipped: 2, failures: ["? | shop.CalcTest > error", "? | shop.CalcTest > wrong"] },
  broken: { passed: 0, failed: 1, skipped: 0, failures: ["? | shop.BrokenTest"] },
};

export const PHPUNIT: Expected = {
  passed: 2,
  failed: 7,
  skipped: 2,
  failures: [
    "tests/CalcTest.php | CalcTest > testError",
    "tests/CalcTest.php | CalcTest > testRisky",
    'tests/CalcTest.php | CalcTest > testSets with data set "with "quotes" & <tags>"',
    "tests/CalcTest.php | CalcTest > testWarning",
    "tests/CalcTest.php | CalcTest > testWrong",
    "tests/CalcTest.php | Error",
    "tests/OtherTest.php | OtherTest > testNever",
  ],
};

export const RSPEC: Expected = {
  passed: 1,
  failed: 3,
  skipped: 3,
  failures: [
    "spec/my dir/calc_spec.rb | spec.my dir.calc_spec > calc [a - b] before never starts",
    "spec/my dir/calc_spec.rb | spec.my dir.calc_spec > calc [a - b] is wrong: [x] - y",
    "spec/my dir/calc_spec.rb | spec.my dir.calc_spec > calc [a - b] passes though it should fail",
  ],
};

export const GTEST: Expected = {
  passed: 2,
  failed: 3,
  skipped: 3,
  failures: ["main.cpp | My/Sets > Length/1", "main.cpp | Paint > Throws", "main.cpp | Paint > Wrong"],
};

export const PLAYWRIGHT: Expected = {
  passed: 3,
  failed: 4,
  skipped: 3,
  failures: [
    "? | calc.spec.js > before › never starts",
    "? | calc.spec.js > calc [a - b] › is wrong: [x] - y",
    "? | calc.spec.js > calc [a - b] › passes though it should fail",
    "? | calc.spec.js > calc [a - b] › times out",
  ],
};
