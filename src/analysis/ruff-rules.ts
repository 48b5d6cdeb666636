import { pythonBug, pythonDoubt, type RuffRule } from "./ruff-rule.ts";

/** Modules that put names into themselves while they run. */
const MAKES_NAMES =
  /\bglobals\(\)|\bvars\(\)|\blocals\(\)|\b_?(?:simple|global)_enum\b|\bexec\(|\bdef __getattr__\(name|^del \w/m;

/** Where the code raises, or a name does not exist. */
const RAISES: readonly RuffRule[] = [
  pythonBug(
    { id: "F821 undefined name", title: "Undefined name", remedy: "Define or import the name." },
    "Reading it raises a NameError.",
    { confidence: 0.85, unlessFile: MAKES_NAMES },
  ),
  pythonBug(
    {
      id: "F822 undefined export",
      title: "Undefined name in __all__",
      remedy: "Define the name, or remove it from `__all__`.",
    },
    "`from … import *` raises an AttributeError.",
    {
      confidence: 0.85,
      unlessFile: MAKES_NAMES,
    },
  ),
  pythonBug(
    {
      id: "F823 undefined local",
      title: "Local variable used before assignment",
      cwe: 457,
      remedy: "Assign it first, or declare it `global`.",
    },
    "The name is local to the function and has no value yet: this raises UnboundLocalError.",
  ),
  pythonBug(
    { id: "F501 percent format invalid", title: "Invalid % format", remedy: "Correct the format." },
    "Formatting raises a ValueError.",
  ),
  pythonBug(
    { id: "F502 percent format expected mapping", title: "% format expects a mapping", remedy: "Pass a dict." },
    "Formatting raises a TypeError.",
  ),
  pythonBug(
    { id: "F503 percent format expected sequence", title: "% format expects a sequence", remedy: "Pass a tuple." },
    "Formatting raises a TypeError.",
  ),
  pythonBug(
    {
      id: "F505 percent format missing argument",
      title: "Missing argument for a % format",
      remedy: "Pass the missing value.",
    },
    "Formatting raises a KeyError.",
  ),
  pythonBug(
    {
      id: "F506 percent format mixed",
      title: "Mixed positional and named % format",
      remedy: "Use one kind of placeholder.",
    },
    "Formatting raises a TypeError or ValueError.",
  ),
  pythonBug(
    {
      id: "F507 percent format count",
      title: "Wrong number of values for a % format",
      remedy: "Pass as many values as there are placeholders.",
    },
    "Formatting raises a TypeError.",
    {
      message: "The number of placeholders and of values differ.",
    },
  ),
  pythonBug(
    { id: "F508 percent format star", title: "* in a % format with a mapping", remedy: "Write the width as a number." },
    "Formatting raises a TypeError.",
  ),
  pythonBug(
    {
      id: "F509 percent format character",
      title: "Unsupported % format character",
      remedy: "Use a format character that Python knows.",
    },
    "Formatting raises a ValueError.",
  ),
  pythonBug(
    { id: "F521 string format invalid", title: "Invalid str.format string", remedy: "Correct the format." },
    "Formatting raises a ValueError.",
  ),
  pythonBug(
    {
      id: "F524 string format missing argument",
      title: "Missing argument for str.format",
      remedy: "Pass the missing value.",
    },
    "Formatting raises an IndexError or KeyError.",
  ),
  pythonBug(
    {
      id: "F525 string format mixed",
      title: "Mixed automatic and manual numbering in str.format",
      remedy: "Use one kind of numbering.",
    },
    "Formatting raises a ValueError.",
  ),
  pythonBug(
    {
      id: "F622 two starred expressions",
      title: "Two starred expressions in an assignment",
      remedy: "Keep one of them.",
    },
    "The interpreter refuses the file.",
  ),
  pythonBug(
    { id: "F633 print shift", title: "print with >>", remedy: "Write `print(..., file=...)`." },
    "This is Python 2: it raises a TypeError now.",
  ),
  pythonBug(
    { id: "F701 break outside loop", title: "break outside a loop", remedy: "Remove it, or move it into the loop." },
    "The interpreter refuses the file.",
  ),
  pythonBug(
    {
      id: "F702 continue outside loop",
      title: "continue outside a loop",
      remedy: "Remove it, or move it into the loop.",
    },
    "The interpreter refuses the file.",
  ),
  pythonBug(
    { id: "F704 yield outside function", title: "yield outside a function", remedy: "Move it into a function." },
    "The interpreter refuses the file.",
  ),
  pythonBug(
    { id: "F706 return outside function", title: "return outside a function", remedy: "Move it into a function." },
    "The interpreter refuses the file.",
  ),
  pythonBug(
    { id: "F707 default except not last", title: "Bare except not last", remedy: "Move it to the end." },
    "The interpreter refuses the file.",
  ),
  pythonBug(
    { id: "F901 raise not implemented", title: "NotImplemented raised", remedy: "Raise `NotImplementedError`." },
    "NotImplemented is no exception: this raises a TypeError.",
    {
      message: "NotImplemented is raised instead of NotImplementedError.",
      fix: true,
    },
  ),
  pythonBug(
    {
      id: "PLE0117 nonlocal without binding",
      title: "nonlocal without binding",
      remedy: "Assign the name in the enclosing function.",
    },
    "The interpreter refuses the file.",
  ),
  pythonBug(
    {
      id: "PLE0118 used before global",
      title: "Name used before its global declaration",
      remedy: "Move the declaration above the first use.",
    },
    "The interpreter refuses the file.",
  ),
  pythonBug(
    { id: "PLE0241 duplicate base", title: "Duplicate base class", remedy: "Remove one of the two." },
    "Defining the class raises a TypeError.",
  ),
  pythonBug(
    {
      id: "PLE0302 special method signature",
      title: "Wrong signature of a special method",
      remedy: "Take the arguments that Python passes.",
    },
    "Python calls it with other arguments: that raises a TypeError.",
  ),
  pythonBug(
    {
      id: "PLE0303 invalid length return",
      title: "Invalid return value of __len__",
      remedy: "Return a non-negative integer.",
    },
    "`len()` raises a TypeError.",
  ),
  pythonBug(
    { id: "PLE0307 invalid str return", title: "Invalid return value of __str__", remedy: "Return a string." },
    "`str()` raises a TypeError.",
  ),
  pythonBug(
    { id: "PLE1132 repeated keyword", title: "Repeated keyword argument", remedy: "Remove one of the two." },
    "The interpreter refuses the file, or the call raises a TypeError.",
  ),
  pythonBug(
    {
      id: "PLE1205 logging too many arguments",
      title: "Too many logging arguments",
      remedy: "Add the missing placeholder, or remove the value.",
    },
    "The line is not logged: logging prints an error instead.",
  ),
  pythonBug(
    { id: "PLE1206 logging too few arguments", title: "Too few logging arguments", remedy: "Pass the missing value." },
    "The line is not logged: logging prints an error instead.",
  ),
  pythonBug(
    {
      id: "PLE1307 percent format type",
      title: "Wrong type for a % format",
      remedy: "Pass a value of the type that the placeholder expects.",
    },
    "Formatting raises a TypeError.",
  ),
  pythonBug(
    { id: "B002 double plus", title: "++ does not increment", remedy: "Write `+= 1`." },
    "Python has no `++`: nothing is incremented.",
    {
      message: "`++` stands here, which Python reads as two signs.",
    },
  ),
  pythonBug(
    {
      id: "B030 except non exception",
      title: "except clause without an exception class",
      remedy: "Name exception classes only.",
    },
    "When something is raised here, the except clause raises a TypeError itself.",
  ),
  pythonBug(
    { id: "RUF016 invalid index type", title: "Invalid index type", remedy: "Use an integer or a slice." },
    "This raises a TypeError.",
  ),
];

/** Where the code runs and does something else. */
const DIFFERS: readonly RuffRule[] = [
  pythonBug(
    { id: "F631 assert on tuple", title: "Assertion on a tuple", remedy: "Remove the parentheses." },
    "A tuple that holds something is true: this never fails.",
    {
      message: "The assertion is about a tuple.",
    },
  ),
  pythonBug(
    { id: "F634 if on tuple", title: "Tuple as a condition", remedy: "Remove the comma." },
    "A tuple that holds something is true: the condition always holds.",
    {
      message: "The condition is a tuple.",
    },
  ),
  pythonBug(
    { id: "F632 is with literal", title: "Comparison with a literal by is", cwe: 597, remedy: "Use `==`." },
    "`is` compares objects and not values: the result depends on the interpreter.",
    {
      message: "A value is compared with a literal by `is`.",
      fix: true,
    },
  ),
  pythonBug(
    { id: "PLW0133 exception not raised", title: "Exception created but not raised", cwe: 390, remedy: "Add `raise`." },
    "Nothing happens here.",
    {
      message: "An exception is created and not raised.",
      fix: true,
    },
  ),
  pythonBug(
    { id: "PLW0711 binary or in except", title: "Exceptions joined by or in except", remedy: "Write a tuple." },
    "Only one of the two is caught.",
    {
      message: "Exceptions are joined by `or` or `and`.",
    },
  ),
  pythonBug(
    {
      id: "PLE1310 strip with repeated characters",
      title: "str.strip with repeated characters",
      remedy: "Use `removeprefix` or `removesuffix`.",
    },
    "strip() takes a set of characters, not a prefix.",
  ),
  pythonBug(
    { id: "T100 debugger", title: "Debugger left in the code", cwe: 489, remedy: "Remove it." },
    "The program stops here and waits for somebody at a terminal.",
    {
      message: "A debugger was left in the code.",
      unlessSaying: /^Import/,
      confidence: 0.93,
    },
  ),
  pythonBug(
    {
      id: "B006 mutable default",
      title: "Mutable default argument",
      remedy: "Use `None` as the default, and create the value in the function.",
    },
    "The default is made once: what one call puts in, the next one finds.",
    {
      message: "The default of this parameter can be changed.",
      severity: "warning",
      confidence: 0.7,
    },
  ),
  pythonDoubt(
    { id: "B003 environ assigned", title: "Assignment to os.environ", remedy: "Change `os.environ` in place." },
    "The environment of the process stays as it was.",
    { confidence: 0.85 },
  ),
  pythonDoubt(
    {
      id: "B005 strip with several characters",
      title: "str.strip with several characters",
      remedy: "Use `removeprefix` or `removesuffix`.",
    },
    "strip() takes a set of characters.",
  ),
  pythonDoubt(
    {
      id: "B012 jump in finally",
      title: "Jump in a finally block",
      cwe: 584,
      remedy: "Move the jump out of the finally block.",
    },
    "What was raised in the try block is lost.",
    { confidence: 0.85 },
  ),
  pythonDoubt(
    { id: "B015 useless comparison", title: "Useless comparison", remedy: "Add `assert` or an assignment." },
    "The result is not used.",
    {
      confidence: 0.8,
    },
  ),
  pythonDoubt(
    { id: "B016 raise literal", title: "Raise of a literal", remedy: "Raise an exception." },
    "Only exceptions can be raised: this is a TypeError.",
    {
      severity: "error",
      confidence: 0.9,
    },
  ),
  pythonDoubt(
    { id: "B021 docstring with placeholders", title: "f-string as a docstring", remedy: "Remove the `f`." },
    "It is no docstring then, and nobody sees it.",
  ),
  pythonDoubt(
    { id: "B022 useless suppress", title: "Useless contextlib.suppress", remedy: "Name the exceptions, or remove it." },
    "Without an exception it suppresses nothing.",
    { confidence: 0.85 },
  ),
  pythonDoubt(
    {
      id: "B023 function uses loop variable",
      title: "Loop variable captured by a function",
      remedy: "Bind the variable as a default argument.",
    },
    "All of these functions see the value of the last round, if they are called later.",
    {
      severity: "info",
      confidence: 0.6,
    },
  ),
  pythonDoubt(
    { id: "B025 duplicate except", title: "Duplicate except clause", cwe: 561, remedy: "Merge the two clauses." },
    "The second one is never reached.",
    { confidence: 0.85 },
  ),
  pythonDoubt(
    { id: "B029 except nothing", title: "except with an empty tuple", remedy: "Name the exceptions." },
    "An empty tuple catches nothing.",
    { confidence: 0.85 },
  ),
  pythonDoubt(
    { id: "B031 group used twice", title: "groupby() group used twice", remedy: "Store the group in a list." },
    "A group of groupby() is empty after the first use.",
  ),
  pythonDoubt(
    { id: "B032 annotation instead of assignment", title: "Annotation instead of assignment", remedy: "Write `=`." },
    "A colon stands where `=` was probably meant.",
    {
      confidence: 0.85,
    },
  ),
  pythonDoubt(
    {
      id: "B035 constant key in comprehension",
      title: "Constant key in a dict comprehension",
      remedy: "Use the loop variable in the key.",
    },
    "Every round overwrites the one before.",
    { confidence: 0.85 },
  ),
  pythonDoubt(
    {
      id: "F402 import shadowed by loop",
      title: "Import shadowed by a loop variable",
      remedy: "Rename the loop variable.",
    },
    "After the loop the import means something else.",
  ),
  pythonDoubt(
    { id: "F601 repeated key literal", title: "Duplicate dictionary key", remedy: "Keep one of the two keys." },
    "The first value is lost.",
  ),
  pythonDoubt(
    {
      id: "F811 redefined while unused",
      title: "Redefinition of an unused name",
      remedy: "Rename or remove one of the two.",
    },
    "The first definition can never be used.",
    { confidence: 0.72 },
  ),
  pythonDoubt(
    { id: "PLE0604 invalid all object", title: "Invalid object in __all__", remedy: "Write the names as strings." },
    "Names in `__all__` must be strings.",
  ),
  pythonDoubt(
    {
      id: "PLE1507 invalid variable name type",
      title: "Invalid type for an environment variable",
      remedy: "Pass a string.",
    },
    "The name of an environment variable must be a string.",
    {
      severity: "error",
    },
  ),
  pythonDoubt(
    { id: "PLE1519 singledispatch method", title: "singledispatch on a method", remedy: "Use `singledispatchmethod`." },
    "It dispatches by `self`, not by the argument.",
  ),
  pythonDoubt(
    { id: "PLW0129 assert on string", title: "Assertion on a string", remedy: "Assert the condition." },
    "The result is always the same.",
    { confidence: 0.85 },
  ),
  pythonDoubt(
    { id: "PLW1501 bad open mode", title: "Invalid mode for open()", remedy: 'Use a mode such as "r", "w" or "rb".' },
    "open() raises a ValueError.",
    { severity: "error", confidence: 0.85 },
  ),
  pythonDoubt(
    { id: "RUF006 dangling task", title: "Dangling asyncio task", cwe: 755, remedy: "Keep a reference to the task." },
    "The task may be collected before it ends, and its error is lost.",
  ),
  pythonDoubt(
    { id: "RUF030 assert with print", title: "print() as an assertion message", remedy: "Write the message itself." },
    "The message of the assertion is always None.",
  ),
  pythonDoubt(
    { id: "RUF034 useless condition", title: "Useless if-else", remedy: "Correct one of the two sides." },
    "Both sides are the same.",
    { confidence: 0.85 },
  ),
  pythonDoubt(
    {
      id: "ASYNC210 blocking request",
      title: "Blocking HTTP call in an async function",
      remedy: "Use an async HTTP client.",
    },
    "All other tasks of the loop stand still meanwhile.",
    {
      category: "performance",
    },
  ),
  pythonDoubt(
    {
      id: "ASYNC251 blocking sleep",
      title: "time.sleep() in an async function",
      remedy: "Use `await asyncio.sleep()`.",
    },
    "All other tasks of the loop stand still meanwhile.",
    {
      message: "An async function calls time.sleep().",
      category: "performance",
      confidence: 0.88,
    },
  ),
];

/** Every rule of ruff in the static layer, by code. */
export const RUFF_RULES: ReadonlyMap<string, RuffRule> = new Map(
  [...RAISES, ...DIFFERS].map((rule) => [rule.code, rule]),
);
