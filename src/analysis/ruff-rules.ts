import { pythonBug, pythonDoubt, type RuffRule } from "./ruff-rule.ts";

/** Modules that put names into themselves while they run. */
const MAKES_NAMES =
  /\bglobals\(\)|\bvars\(\)|\blocals\(\)|\b_?(?:simple|global)_enum\b|\bexec\(|\bdef __getattr__\(name|^del \w/m;

/** Where the code raises, or a name does not exist. */
const RAISES: readonly RuffRule[] = [
  pythonBug("F821 undefined name", "Reading it raises a NameError.", { confidence: 0.85, unlessFile: MAKES_NAMES }),
  pythonBug("F822 undefined export", "`from … import *` raises an AttributeError.", {
    confidence: 0.85,
    unlessFile: MAKES_NAMES,
  }),
  pythonBug(
    "F823 undefined local",
    "The name is local to the function and has no value yet: this raises UnboundLocalError.",
  ),
  pythonBug("F501 percent format invalid", "Formatting raises a ValueError."),
  pythonBug("F502 percent format expected mapping", "Formatting raises a TypeError."),
  pythonBug("F503 percent format expected sequence", "Formatting raises a TypeError."),
  pythonBug("F505 percent format missing argument", "Formatting raises a KeyError."),
  pythonBug("F506 percent format mixed", "Formatting raises a TypeError or ValueError."),
  pythonBug("F507 percent format count", "Formatting raises a TypeError.", {
    message: "The number of placeholders and of values differ.",
  }),
  pythonBug("F508 percent format star", "Formatting raises a TypeError."),
  pythonBug("F509 percent format character", "Formatting raises a ValueError."),
  pythonBug("F521 string format invalid", "Formatting raises a ValueError."),
  pythonBug("F524 string format missing argument", "Formatting raises an IndexError or KeyError."),
  pythonBug("F525 string format mixed", "Formatting raises a ValueError."),
  pythonBug("F622 two starred expressions", "The interpreter refuses the file."),
  pythonBug("F633 print shift", "This is Python 2: it raises a TypeError now."),
  pythonBug("F701 break outside loop", "The interpreter refuses the file."),
  pythonBug("F702 continue outside loop", "The interpreter refuses the file."),
  pythonBug("F704 yield outside function", "The interpreter refuses the file."),
  pythonBug("F706 return outside function", "The interpreter refuses the file."),
  pythonBug("F707 default except not last", "The interpreter refuses the file."),
  pythonBug("F901 raise not implemented", "NotImplemented is no exception: this raises a TypeError.", {
    message: "NotImplemented is raised instead of NotImplementedError.",
    fix: true,
  }),
  pythonBug("PLE0117 nonlocal without binding", "The interpreter refuses the file."),
  pythonBug("PLE0118 used before global", "The interpreter refuses the file."),
  pythonBug("PLE0241 duplicate base", "Defining the class raises a TypeError."),
  pythonBug("PLE0302 special method signature", "Python calls it with other arguments: that raises a TypeError."),
  pythonBug("PLE0303 invalid length return", "`len()` raises a TypeError."),
  pythonBug("PLE0307 invalid str return", "`str()` raises a TypeError."),
  pythonBug("PLE1132 repeated keyword", "The interpreter refuses the file, or the call raises a TypeError."),
  pythonBug("PLE1205 logging too many arguments", "The line is not logged: logging prints an error instead."),
  pythonBug("PLE1206 logging too few arguments", "The line is not logged: logging prints an error instead."),
  pythonBug("PLE1307 percent format type", "Formatting raises a TypeError."),
  pythonBug("B002 double plus", "Python has no `++`: nothing is incremented.", {
    message: "`++` stands here, which Python reads as two signs.",
  }),
  pythonBug("B030 except non exception", "When something is raised here, the except clause raises a TypeError itself."),
  pythonBug("RUF016 invalid index type", "This raises a TypeError."),
];

/** Where the code runs and does something else. */
const DIFFERS: readonly RuffRule[] = [
  pythonBug("F631 assert on tuple", "A tuple that holds something is true: this never fails.", {
    message: "The assertion is about a tuple.",
  }),
  pythonBug("F634 if on tuple", "A tuple that holds something is true: the condition always holds.", {
    message: "The condition is a tuple.",
  }),
  pythonBug("F632 is with literal", "`is` compares objects and not values: the result depends on the interpreter.", {
    message: "A value is compared with a literal by `is`.",
    fix: true,
  }),
  pythonBug("PLW0133 exception not raised", "Nothing happens here: `raise` is missing.", {
    message: "An exception is created and not raised.",
    fix: true,
  }),
  pythonBug("PLW0711 binary or in except", "Only one of the two is caught: write a tuple.", {
    message: "Exceptions are joined by `or` or `and`.",
  }),
  pythonBug("PLE1310 strip with repeated characters", "strip() takes a set of characters, not a prefix."),
  pythonBug("T100 debugger", "The program stops here and waits for somebody at a terminal.", {
    message: "A debugger was left in the code.",
    unlessSaying: /^Import/,
    confidence: 0.93,
  }),
  pythonBug("B006 mutable default", "The default is made once: what one call puts in, the next one finds.", {
    message: "The default of this parameter can be changed.",
    severity: "warning",
    confidence: 0.7,
  }),
  pythonDoubt("B003 environ assigned", "The environment of the process stays as it was.", { confidence: 0.85 }),
  pythonDoubt(
    "B005 strip with several characters",
    "strip() takes a set of characters: removeprefix or removesuffix was probably meant.",
  ),
  pythonDoubt("B012 jump in finally", "What was raised in the try block is lost.", { confidence: 0.85 }),
  pythonDoubt("B015 useless comparison", "The result is not used: an assert or an assignment is missing.", {
    confidence: 0.8,
  }),
  pythonDoubt("B016 raise literal", "Only exceptions can be raised: this is a TypeError.", {
    severity: "error",
    confidence: 0.9,
  }),
  pythonDoubt("B021 docstring with placeholders", "It is no docstring then, and nobody sees it."),
  pythonDoubt("B022 useless suppress", "Without an exception it suppresses nothing.", { confidence: 0.85 }),
  pythonDoubt(
    "B023 function uses loop variable",
    "All of these functions see the value of the last round, if they are called later.",
    {
      severity: "info",
      confidence: 0.6,
    },
  ),
  pythonDoubt("B025 duplicate except", "The second one is never reached.", { confidence: 0.85 }),
  pythonDoubt("B029 except nothing", "An empty tuple catches nothing.", { confidence: 0.85 }),
  pythonDoubt("B031 group used twice", "A group of groupby() is empty after the first use."),
  pythonDoubt("B032 annotation instead of assignment", "A colon stands where `=` was probably meant.", {
    confidence: 0.85,
  }),
  pythonDoubt("B035 constant key in comprehension", "Every round overwrites the one before.", { confidence: 0.85 }),
  pythonDoubt("F402 import shadowed by loop", "After the loop the import means something else."),
  pythonDoubt("F601 repeated key literal", "The first value is lost."),
  pythonDoubt("F811 redefined while unused", "The first definition can never be used.", { confidence: 0.72 }),
  pythonDoubt("PLE0604 invalid all object", "Names in `__all__` must be strings."),
  pythonDoubt("PLE1507 invalid variable name type", "The name of an environment variable must be a string.", {
    severity: "error",
  }),
  pythonDoubt("PLE1519 singledispatch method", "It dispatches by `self`, not by the argument."),
  pythonDoubt("PLW0129 assert on string", "The result is always the same.", { confidence: 0.85 }),
  pythonDoubt("PLW1501 bad open mode", "open() raises a ValueError.", { severity: "error", confidence: 0.85 }),
  pythonDoubt(
    "RUF006 dangling task",
    "The task may be collected before it ends, and its error is lost: keep a reference.",
  ),
  pythonDoubt("RUF030 assert with print", "The message of the assertion is always None."),
  pythonDoubt("RUF034 useless condition", "Both sides are the same.", { confidence: 0.85 }),
  pythonDoubt("ASYNC210 blocking request", "All other tasks of the loop stand still meanwhile.", {
    category: "performance",
  }),
  pythonDoubt("ASYNC251 blocking sleep", "All other tasks of the loop stand still meanwhile: await asyncio.sleep().", {
    message: "An async function calls time.sleep().",
    category: "performance",
    confidence: 0.88,
  }),
];

/** Every rule of ruff in the static layer, by code. */
export const RUFF_RULES: ReadonlyMap<string, RuffRule> = new Map(
  [...RAISES, ...DIFFERS].map((rule) => [rule.code, rule]),
);
