import { type BiomeRule, doubt } from "./biome-rule.ts";
import { isHabitualEquality, isHarmlessEquality } from "./loose-equality.ts";
import { isLeftLying, isWrittenInNumbers } from "./meant-code.ts";

/** Rules whose findings advise. */
export const DOUBT_RULES: readonly BiomeRule[] = [
  doubt(
    {
      name: "correctness/noConstantCondition",
      title: "Constant condition",
      cwe: 570,
      remedy: "Correct the condition, or remove it.",
    },
    "This condition always has the same result.",
    "One branch never runs.",
    0.7,
    // `while (1)` is `while (true)`.
    { unless: ({ code, before }) => code === "1" && /\bwhile\s*\($/.test(before) },
  ),
  doubt(
    { name: "correctness/noConstructorReturn", title: "Return in a constructor", remedy: "Remove the returned value." },
    "This constructor returns a value.",
    "new then gives that value instead of the object, or ignores it.",
    0.8,
  ),
  doubt(
    {
      name: "correctness/noEmptyPattern",
      title: "Empty destructuring pattern",
      remedy: "Name what should be taken, or remove the pattern.",
    },
    "This pattern takes nothing out of its value.",
    "It was probably meant to name something.",
    0.8,
  ),
  doubt(
    {
      name: "correctness/noNestedComponentDefinitions",
      title: "Component defined inside a component",
      remedy: "Move the inner component to the top level.",
    },
    "A component is defined inside another one.",
    "It is a new component at every render: its state is lost and it is mounted again.",
    0.75,
    { jsx: true },
  ),
  doubt(
    { name: "correctness/noSelfAssign", title: "Self-assignment", remedy: "Correct one side, or remove the line." },
    "A value is assigned to itself.",
    "This does nothing; one side was probably meant to be something else.",
    0.9,
  ),
  doubt(
    { name: "correctness/noSetterReturn", title: "Return in a setter", remedy: "Remove the returned value." },
    "This setter returns a value.",
    "Nobody can receive it.",
    0.8,
  ),
  doubt(
    {
      name: "correctness/noUnsafeFinally",
      title: "Jump in a finally block",
      cwe: 584,
      remedy: "Move the jump out of the finally block.",
    },
    "A jump out of a finally block hides what happened before it.",
    "Errors and return values of the try block are lost.",
    0.9,
  ),
  doubt(
    {
      name: "correctness/useHookAtTopLevel",
      title: "Conditional React hook",
      remedy: "Call the hook at the top level of the component.",
    },
    "A hook is called conditionally or inside a function that is no component.",
    "React tells hooks apart by their order: the next render mixes them up.",
    0.75,
    { jsx: true },
  ),
  doubt(
    {
      name: "correctness/useJsxKeyInIterable",
      title: "Missing key in a list",
      remedy: "Give each element a stable `key`.",
    },
    "An element of a list has no key.",
    "React cannot tell the elements apart when the list changes.",
    0.75,
    { jsx: true },
  ),
  doubt(
    {
      name: "correctness/useYield",
      title: "Generator without yield",
      remedy: "Yield the values, or make it a plain function.",
    },
    "This generator never yields.",
    "It gives no values at all.",
    0.75,
  ),
  doubt(
    {
      name: "suspicious/noAsyncPromiseExecutor",
      title: "Async promise executor",
      cwe: 755,
      remedy: "Make the executor synchronous, or use an async function instead of a new Promise.",
    },
    "The executor of this promise is an async function.",
    "An error that it throws is lost, and the promise stays pending.",
    0.85,
  ),
  doubt(
    { name: "suspicious/noCatchAssign", title: "Caught error overwritten", cwe: 390, remedy: "Use another variable." },
    "The caught error {} is overwritten.",
    "What went wrong is lost.",
    0.75,
  ),
  doubt(
    { name: "suspicious/noClassAssign", title: "Assignment to a class", remedy: "Use another name for the new value." },
    "The class {} is overwritten.",
    "Every later use reaches the new value.",
    0.8,
  ),
  doubt(
    {
      name: "suspicious/noCommentText",
      title: "Comment shown as text",
      remedy: "Put the comment in braces: `{/* … */}`.",
    },
    "This comment is text inside an element.",
    "People see it on the page.",
    0.8,
  ),
  doubt(
    { name: "suspicious/noDoubleEquals", title: "Loose equality (== or !=)", cwe: 597, remedy: "Use `===` or `!==`." },
    "Values are compared after conversion (`==` or `!=`).",
    '`0 == ""` and `1 == "1"` are true: `===` compares what is there.',
    0.75,
    { unless: isHarmlessEquality, habit: isHabitualEquality },
  ),
  doubt(
    { name: "suspicious/noDuplicatedSpreadProps", title: "Duplicate spread of props", remedy: "Spread them once." },
    "The same properties are spread twice into this element.",
    "The second spread undoes what stands between the two.",
    0.8,
  ),
  doubt(
    { name: "suspicious/noDuplicateTestHooks", title: "Duplicate test hook", remedy: "Merge the two hooks." },
    "The same hook stands twice in this block of tests.",
    "Both run, which is rarely meant.",
    0.7,
    { inTests: true },
  ),
  // No more than a remark: `catch {}` is mostly meant, and only the comment is missing.
  {
    ...doubt(
      {
        name: "suspicious/noEmptyBlockStatements",
        title: "Empty catch block",
        cwe: 390,
        remedy: "Handle the error, or say in a comment why it does not matter.",
      },
      "An error is caught and dropped.",
      "Nobody learns that something failed.",
      0.7,
      { after: /\bcatch\s*(?:\([^()]*\)\s*)?$/ },
    ),
    severity: "info",
  },
  doubt(
    {
      name: "suspicious/noFallthroughSwitchClause",
      title: "Switch case fallthrough",
      cwe: 484,
      remedy: "Add `break`, or a comment if the fallthrough is intended.",
    },
    "This case runs on into the next one.",
    "The code of the next case runs as well.",
    0.75,
    { atEnd: true, unless: ({ rest }) => /^[\s}]*\/[/*]/.test(rest) },
  ),
  doubt(
    {
      name: "suspicious/noIrregularWhitespace",
      title: "Irregular whitespace",
      remedy: "Replace it with an ordinary space.",
    },
    "An invisible or irregular space stands in the code.",
    "It looks like a space and is none for some readers and tools.",
    0.8,
  ),
  doubt(
    {
      name: "suspicious/noMisleadingCharacterClass",
      title: "Misleading character class",
      remedy: "Use the `v` flag, or match the whole character outside of the class.",
    },
    "A character class holds a character made of several code points.",
    "It matches the parts one by one and not the character.",
    0.85,
    { unless: isWrittenInNumbers },
  ),
  doubt(
    {
      name: "suspicious/noMisleadingInstantiator",
      title: "Misleading constructor declaration",
      remedy: "Use `constructor` in a class and `new` in an interface.",
    },
    "A class declares new(), or an interface a constructor().",
    "Neither creates anything in TypeScript.",
    0.8,
  ),
  doubt(
    {
      name: "suspicious/noNonNullAssertedOptionalChain",
      title: "Non-null assertion on an optional chain",
      cwe: 476,
      remedy: "Remove the `!`, or the `?.`.",
    },
    "An optional chain is asserted never to be undefined.",
    "`?.` expects that it may be, `!` says that it is not: one of them is wrong.",
    0.8,
  ),
  doubt(
    {
      name: "suspicious/noRedeclare",
      title: "Duplicate function declaration",
      remedy: "Rename or remove one of the two.",
    },
    "This function is declared twice in the same scope.",
    "The second declaration replaces the first one.",
    0.75,
    // A `var` that stands twice is the same variable.
    { after: /\bfunction\s*(?:\*\s*)?$/ },
  ),
  doubt(
    { name: "suspicious/noShadowRestrictedNames", title: "Shadowed built-in", remedy: "Use another name." },
    "A declaration hides a built-in such as undefined or NaN.",
    "Code below it reads the new meaning.",
    0.7,
    // Other names of the library, `escape` or `Promise`, are taken on purpose.
    // `var undefined;` means what it hides.
    {
      unless: ({ code, before, rest }) =>
        !/^(?:undefined|NaN|Infinity|eval|arguments)$/.test(code) ||
        (code === "undefined" && /\bvar\s+$/.test(before) && /^\s*;/.test(rest)),
    },
  ),
  doubt(
    {
      name: "suspicious/noSparseArray",
      title: "Sparse array",
      remedy: "Remove the extra comma, or write `undefined`.",
    },
    "This array has a hole.",
    "Two commas in a row leave an element out, and methods skip it.",
    0.85,
  ),
  doubt(
    { name: "suspicious/noSuspiciousSemicolonInJsx", title: "Stray semicolon in JSX", remedy: "Remove the semicolon." },
    "A semicolon stands between elements.",
    "People see it on the page.",
    0.8,
  ),
  doubt(
    {
      name: "suspicious/noTemplateCurlyInString",
      title: "Template placeholder in a plain string",
      remedy: "Use backquotes.",
    },
    "A template placeholder stands in an ordinary string.",
    "The text shows the placeholder, not the value.",
    0.7,
  ),
  doubt(
    {
      name: "suspicious/noUnassignedVariables",
      title: "Unassigned variable",
      cwe: 457,
      remedy: "Assign a value, or remove the variable.",
    },
    "The variable {} is read and never assigned.",
    "It is always undefined.",
    0.8,
    { unless: ({ code }) => code === "undefined" },
  ),
  doubt(
    {
      name: "suspicious/noUnsafeDeclarationMerging",
      title: "Unsafe declaration merging",
      remedy: "Rename the interface or the class.",
    },
    "An interface and a class of the same name are merged.",
    "The compiler does not check that the members exist.",
    0.7,
  ),
  doubt(
    {
      name: "suspicious/noUselessRegexBackrefs",
      title: "Useless regular expression backreference",
      remedy: "Move the reference behind its group, or remove it.",
    },
    "This back reference can only match nothing.",
    "The group that it means has not matched there.",
    0.8,
  ),
  doubt(
    { name: "correctness/noUnknownUnit", title: "Unknown CSS unit", remedy: "Use a unit that CSS knows." },
    "CSS does not know this unit.",
    "Browsers drop the whole declaration.",
    0.8,
  ),
  doubt(
    {
      name: "correctness/noUnmatchableAnbSelector",
      title: "Selector that matches nothing",
      remedy: "Use a positive step or offset.",
    },
    "This selector matches no element.",
    "The rule never applies.",
    0.85,
  ),
  doubt(
    {
      name: "correctness/noInvalidDirectionInLinearGradient",
      title: "Invalid gradient direction",
      remedy: "Write `to top`, `to left`, or an angle.",
    },
    "This gradient has a direction that CSS does not know.",
    "Browsers drop the whole declaration.",
    0.85,
  ),
  doubt(
    {
      name: "correctness/noInvalidPositionAtImportRule",
      title: "Misplaced @import",
      remedy: "Move it above all other rules.",
    },
    "This @import stands below other rules.",
    "Browsers ignore it there.",
    0.9,
  ),
  doubt(
    {
      name: "suspicious/noDuplicateCustomProperties",
      title: "Duplicate custom property",
      remedy: "Keep one of the two declarations.",
    },
    "The same custom property stands twice in this block.",
    "The first value is lost.",
    0.85,
  ),
  doubt(
    { name: "suspicious/noImportantInKeyframe", title: "!important in keyframes", remedy: "Remove `!important`." },
    "!important stands inside keyframes.",
    "Browsers drop the declaration there.",
    0.9,
  ),
  doubt(
    {
      name: "suspicious/noShorthandPropertyOverrides",
      title: "Shorthand property override",
      remedy: "Put the shorthand above the longhand property.",
    },
    "A shorthand overrides a property above it.",
    "The earlier declaration has no effect.",
    0.85,
  ),
  // A warning only: map() is also called for its effect, and Biome does not see every way that throws.
  doubt(
    {
      name: "suspicious/useIterableCallbackReturn",
      title: "Callback does not return on every path",
      remedy: "Return a value on every path, or use `forEach` for side effects.",
    },
    "This callback does not return a value on every way.",
    "The method uses the returned value: a missing value counts as undefined.",
    0.65,
    // What `map` gives is left lying there: people write it for `forEach`.
    { saying: /should always return/, habit: isLeftLying },
  ),
];
