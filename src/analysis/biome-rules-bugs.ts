import { type BiomeRule, bug, type Declared } from "./biome-rule.ts";
import { redefinesItself } from "./meant-code.ts";
import { isTestForNaN } from "./nan-test.ts";

/** Rules whose findings block. */
export const BUG_RULES: readonly BiomeRule[] = [
  bug(
    {
      name: "correctness/noConstAssign",
      title: "Assignment to constant",
      remedy: "Declare it with `let`, or give the new value another name.",
    },
    "The constant {} is assigned again.",
    "This line throws a TypeError when it runs.",
    {},
    0.98,
  ),
  bug(
    {
      name: "correctness/noEmptyCharacterClassInRegex",
      title: "Empty character class in a regular expression",
      remedy: "Put the characters to match between the brackets.",
    },
    "This regular expression holds an empty character class.",
    "`[]` matches nothing, so the expression never matches.",
    {},
    0.9,
  ),
  bug(
    {
      name: "correctness/noGlobalObjectCalls",
      title: "Namespace object called as a function",
      remedy: "Call one of its methods.",
    },
    "A namespace object such as Math or JSON is called like a function.",
    "This throws a TypeError when it runs.",
  ),
  bug(
    {
      name: "correctness/noInvalidBuiltinInstantiation",
      title: "Wrong use of new with a built-in",
      remedy: "Add or remove `new`.",
    },
    "This built-in is used with new although it must not be, or without although it must.",
    "It throws, or gives a wrapper object that is never equal to its value.",
  ),
  bug(
    {
      name: "correctness/noInvalidConstructorSuper",
      title: "Invalid super() call",
      remedy: "Call `super()` exactly in classes that extend another.",
    },
    "This constructor calls super() where it must not, or does not call it where it must.",
    "Creating an object throws a ReferenceError.",
  ),
  bug(
    {
      name: "correctness/noInvalidUseBeforeDeclaration",
      title: "Use before declaration",
      remedy: "Move the declaration above this use.",
    },
    "The name {} is used before the line that declares it.",
    "Until the declaration has run, reading it throws a ReferenceError.",
    { unless: ({ code, declared }) => isVariable(code, declared()) },
    0.8,
  ),
  bug(
    {
      name: "correctness/noPrecisionLoss",
      title: "Loss of precision in a number",
      cwe: 1339,
      remedy: "Use a BigInt or a string.",
    },
    "This number has more digits than a JavaScript number can hold.",
    "It silently becomes another number.",
    {},
    0.95,
  ),
  bug(
    {
      name: "correctness/noStringCaseMismatch",
      title: "Comparison with the wrong letter case",
      remedy: "Write both sides in the same case.",
    },
    "Text turned to one case is compared with text in the other case.",
    "The two can never be equal.",
    { fix: true },
  ),
  bug(
    {
      name: "correctness/noUnreachable",
      title: "Unreachable code",
      cwe: 561,
      remedy: "Remove it, or fix the statement before it that always leaves.",
    },
    "This code can never run.",
    "A statement before it leaves the block in every case, so what it was meant to do does not happen.",
    {},
    0.9,
  ),
  bug(
    {
      name: "correctness/noUnreachableSuper",
      title: "super() not called on every path",
      remedy: "Call `super()` once on each path.",
    },
    "super() is not called exactly once on every way through this constructor.",
    "Creating an object throws a ReferenceError on the other ways.",
  ),
  bug(
    {
      name: "correctness/noUnsafeOptionalChaining",
      title: "Unsafe optional chaining",
      cwe: 476,
      remedy: "Handle undefined before using the result.",
    },
    "The result of an optional chain is used where undefined throws.",
    "When the chain breaks off, this throws a TypeError: the `?.` protects nothing.",
    { unless: ({ before }) => isKnownToBeThere(before) },
    0.85,
  ),
  bug(
    { name: "correctness/useIsNan", title: "Comparison with NaN", remedy: "Use `Number.isNaN()`." },
    "A value is compared with NaN.",
    "NaN equals nothing, itself included, so the result is always the same.",
    { fix: true },
    0.97,
  ),
  bug(
    {
      name: "correctness/useValidForDirection",
      title: "Loop counter moves in the wrong direction",
      cwe: 835,
      remedy: "Count toward the limit.",
    },
    "The counter of this loop moves away from its limit.",
    "The loop ends at once or never.",
    {},
    0.95,
  ),
  bug(
    {
      name: "correctness/useValidTypeof",
      title: "Invalid typeof comparison",
      remedy: 'Compare with a name that typeof returns, such as "string".',
    },
    "typeof is compared with something that it never gives.",
    "The comparison always has the same result.",
    {},
    0.95,
  ),
  bug(
    {
      name: "correctness/noConstantMathMinMaxClamp",
      title: "Math.min and Math.max swapped",
      remedy: "Swap the two limits.",
    },
    "These limits of Math.min and Math.max are the wrong way round.",
    "The result is always the same number.",
    { fix: true },
    0.95,
  ),
  bug(
    {
      name: "correctness/noVoidElementsWithChildren",
      title: "Void element with children",
      remedy: "Remove the content, or use another element.",
    },
    "This element cannot have content.",
    "React throws when it renders it.",
    {},
    0.9,
  ),
  bug(
    {
      name: "suspicious/noAssignInExpressions",
      title: "Assignment in a condition",
      cwe: 481,
      remedy: "Use `===` to compare, or move the assignment before the condition.",
    },
    "A condition assigns a value instead of comparing it.",
    "The condition depends on the assigned value alone, and the variable is overwritten.",
    // Of `if (x = next(), x > 0)` the condition is what stands last.
    { after: /\bif\s*\($/, unless: ({ rest }) => /^\s*,/.test(rest) },
    0.85,
  ),
  bug(
    {
      name: "suspicious/noCompareNegZero",
      title: "Comparison with -0",
      remedy: "Use `Object.is` to tell 0 from -0, or compare with 0.",
    },
    "A value is compared with -0.",
    "It is equal to 0 as well.",
    { fix: true },
  ),
  bug(
    {
      name: "suspicious/noConstantBinaryExpressions",
      title: "Constant expression",
      cwe: 570,
      remedy: "Add parentheses, or correct the side that never changes.",
    },
    "The result of this expression does not depend on one of its sides.",
    "Operators bind differently than it was meant here, or a value can never be what it is compared with.",
    {},
    0.8,
  ),
  bug(
    { name: "suspicious/noDebugger", title: "Debugger statement", cwe: 489, remedy: "Remove it." },
    "A debugger statement was left in the code.",
    "It stops the program wherever a debugger is attached.",
    { fix: true },
    0.95,
  ),
  bug(
    {
      name: "suspicious/noDuplicateCase",
      title: "Duplicate case",
      cwe: 561,
      remedy: "Correct or remove one of the two cases.",
    },
    "The case {} is in this switch twice.",
    "The second one is never reached.",
    {},
    0.95,
  ),
  bug(
    {
      name: "suspicious/noDuplicateClassMembers",
      title: "Duplicate class member",
      remedy: "Rename or remove one of the two members.",
    },
    "The member {} is in this class twice.",
    "The later one replaces the earlier one.",
    {},
    0.95,
  ),
  bug(
    {
      name: "suspicious/noDuplicateElseIf",
      title: "Duplicate condition in else-if",
      cwe: 561,
      remedy: "Correct or remove one of the two conditions.",
    },
    "The same condition stands twice in this chain of ifs.",
    "The second branch is never taken.",
    {},
    0.95,
  ),
  bug(
    { name: "suspicious/noDuplicateJsxProps", title: "Duplicate JSX prop", remedy: "Keep one of the two props." },
    "The property {} is set twice on this element.",
    "The first one is lost.",
    {},
    0.95,
  ),
  bug(
    { name: "suspicious/noDuplicateObjectKeys", title: "Duplicate object key", remedy: "Keep one of the two keys." },
    "The key {} is in this object twice.",
    "The first value is lost.",
    {},
    0.95,
  ),
  bug(
    {
      name: "suspicious/noDuplicateParameters",
      title: "Duplicate parameter",
      remedy: "Rename one of the two parameters.",
    },
    "The parameter {} is declared twice.",
    "The first one cannot be reached.",
    {},
    0.95,
  ),
  bug(
    { name: "suspicious/noFocusedTests", title: "Focused test", remedy: "Remove `.only`." },
    "A test is marked to run alone.",
    "All other tests of the file are skipped, and the check stays green.",
    { fix: true, inTests: true },
    0.95,
  ),
  bug(
    {
      name: "suspicious/noFunctionAssign",
      title: "Assignment to a function",
      remedy: "Use another name for the new value.",
    },
    "The function {} is overwritten.",
    "Every later call reaches the new value.",
    { unless: redefinesItself },
    0.85,
  ),
  bug(
    { name: "suspicious/noGlobalAssign", title: "Assignment to a built-in", remedy: "Use another name." },
    "The built-in {} is overwritten.",
    "All code of the program sees the new value.",
    // `exports = module.exports = …` is how CommonJS modules begin.
    { unless: ({ code }) => /^(?:exports|module|require)$/.test(code) },
    0.9,
  ),
  bug(
    { name: "suspicious/noImportAssign", title: "Assignment to an import", remedy: "Use a local variable." },
    "The import {} is assigned.",
    "Imports are read-only: this throws a TypeError.",
    {},
    0.97,
  ),
  bug(
    {
      name: "suspicious/noMisrefactoredShorthandAssign",
      title: "Operand repeated in a shorthand assignment",
      remedy: "Remove the variable from the right side.",
    },
    "The variable stands on both sides of this shorthand assignment.",
    "It is counted twice: `a += a + b` is `a = a + a + b`.",
    { fix: true },
    0.9,
  ),
  bug(
    {
      name: "suspicious/noSelfCompare",
      title: "Self-comparison",
      remedy: "Compare with the value that was meant, or use `Number.isNaN`.",
    },
    "A value is compared with itself.",
    "The result is the same for every value but NaN.",
    { unless: isTestForNaN },
    0.9,
  ),
  bug(
    { name: "suspicious/noUnsafeNegation", title: "Unsafe negation", remedy: "Put the comparison in parentheses." },
    "The negation applies to the left side only.",
    '`!a in b` asks for the key "false" or "true".',
    { fix: true },
    0.95,
  ),
  bug(
    { name: "suspicious/useGetterReturn", title: "Getter without return", remedy: "Return a value." },
    "This getter returns nothing.",
    "Reading the property always gives undefined.",
    { unless: ({ code }) => /\breturn\b/.test(code) },
    0.85,
  ),
];

/** A name that `var` may declare is there from the beginning of its function, and may be declared again. */
function isVariable(name: string, { byVar, names }: Declared): boolean {
  return byVar && /^[\w$]+$/.test(name) && !names.has(name);
}

/** Compared before, in the same condition, or there in every program of Node: the chain does not break off at this name. */
function isKnownToBeThere(before: string): boolean {
  const name = /(?:^|[^\w$.])([\w$.]+)$/.exec(before.slice(-200))?.[1];
  if (name === undefined) return false;
  if (name === "process" || name === "globalThis" || name === "import.meta") return true;
  const tests = ["!== void 0", "!== undefined", "!= null", "!= undefined"].map((test) => `${name} ${test}`);
  const tested = Math.max(...tests.map((test) => before.lastIndexOf(test)));
  return tested !== -1 && !/\|\||:/.test(before.slice(tested));
}
