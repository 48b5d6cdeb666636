import { parseSync } from "oxc-parser";
import { scriptImports } from "../imports/script-modules.ts";
import type { Dialect } from "../languages.ts";
import { findLineStarts, placeOf } from "../source-file.ts";
import type { OutlinedAssertion, OutlinedTest, TestOutline } from "../tests/test-outline.ts";
import { outlinePythonTests } from "./outline-python-tests.ts";
import type { ChildFile, TestsResult } from "./protocol.ts";
import { readings } from "./readings.ts";
import { type Node, scriptAssertion, squeeze } from "./script-assertion.ts";

/** The tests of both sides of a changed file; null for a side that is not there, is not read or does not parse. */
export function outlineTests({ dialect, text, oldText }: ChildFile): TestsResult {
  if (dialect === undefined) return { before: null, after: null };
  const outline = (source: string) =>
    dialect === "py" ? outlinePythonTests(source) : outlineScriptTests(source, dialect);
  return {
    before: oldText === undefined ? null : (outline(oldText) ?? null),
    after: text === "" ? null : (outline(text) ?? null),
  };
}

const MOST_TESTS = 5_000;
const DEEPEST = 500;
const TEST = new Set(["it", "test", "specify", "fit", "xit", "xtest", "ftest"]);
const GROUP = new Set(["describe", "suite", "context", "fdescribe", "xdescribe", "xcontext"]);

interface OutlineContext {
  readonly names: readonly string[];
  readonly skipped: OutlinedTest["skipped"];
  readonly test: { readonly assertions: OutlinedAssertion[]; skipped: OutlinedTest["skipped"] } | undefined;
  readonly depth: number;
  /** Inside of a loop, a test is as many as it is run. */
  readonly loop: boolean;
}

/** The tests of a script in the style of Jest, Vitest, Mocha and node:test; undefined where it does not parse. */
function outlineScriptTests(text: string, dialect: Dialect): TestOutline | undefined {
  const parsed = readings(dialect)
    .map((options) => parseSync("file", text, options))
    .find(({ errors }) => !errors.some(({ severity }) => severity === "Error"));
  if (parsed === undefined) return undefined;
  const starts = findLineStarts(text);
  const tests: OutlinedTest[] = [];
  let assertions = 0;

  const walk = (node: Node, place: OutlineContext): void => {
    if (place.depth > DEEPEST) return;
    const below = { ...place, depth: place.depth + 1 };
    // `expect(a).to.be.true;` asserts without a call.
    const bare = node.type === "ExpressionStatement" ? (node.expression as Node) : undefined;
    const asserted = bare?.type === "MemberExpression" ? { ...node, callee: bare, arguments: [] } : node;
    if (node.type === "CallExpression" || asserted !== node) {
      const call = asserted === node ? testCall(node) : undefined;
      if (call !== undefined) {
        enter(node, call, below);
        return;
      }
      const assertion = scriptAssertion(asserted, text);
      if (assertion !== undefined) {
        assertions += 1;
        place.test?.assertions.push(assertion);
        return;
      }
      if (place.test !== undefined && skipsItself(asserted)) place.test.skipped = "unclear";
    }
    const loop = place.loop || /^(?:For|While|DoWhile)/.test(node.type) || isForEach(node);
    for (const child of childrenOf(node)) walk(child, { ...below, loop });
  };

  const enter = (node: Node, call: TestCall, place: OutlineContext): void => {
    const skipped = place.skipped === "yes" ? "yes" : call.skipped === "no" ? place.skipped : call.skipped;
    const names = [...place.names, call.name];
    if (call.group) {
      walk(call.body, { ...place, names, skipped });
      return;
    }
    const test = { assertions: [], skipped } as NonNullable<OutlineContext["test"]>;
    walk(call.body, { ...place, names, skipped, test });
    if (tests.length >= MOST_TESTS) return;
    const code = text.slice(call.body.start, call.body.end);
    tests.push({
      name: names.join(" > "),
      line: placeOf(starts, node.start).line,
      skipped: test.skipped,
      only: call.only,
      table: call.table || place.loop,
      assertions: test.assertions,
      body: squeeze(code),
      words: [...new Set(code.match(/[A-Za-z_$][\w$]*/g))],
    });
  };

  walk(parsed.program as unknown as Node, { names: [], skipped: "no", test: undefined, depth: 0, loop: false });
  const imports = scriptImports(parsed, text).map(({ specifier }) => specifier);
  return { tests, assertions, imports };
}

interface TestCall {
  readonly group: boolean;
  readonly name: string;
  readonly skipped: OutlinedTest["skipped"];
  readonly only: boolean;
  readonly table: boolean;
  readonly body: Node;
}

/** `test("name", ...)`, `it.skip(...)`, `describe.each(table)(...)`: a call with a name and a function. */
function testCall(node: Node): TestCall | undefined {
  const { base, parts } = calleeOf(node.callee as Node);
  if (base === undefined || !(TEST.has(base) || GROUP.has(base))) return undefined;
  const given = (node.arguments as readonly Node[] | undefined) ?? [];
  const name = textOf(given[0]);
  const body = given.find(({ type }) => type === "ArrowFunctionExpression" || type === "FunctionExpression");
  if (name === undefined || body === undefined) return undefined;
  const options = given.find(({ type }) => type === "ObjectExpression");
  // What hangs on a condition is skipped here and run there.
  const unclear = parts.some((part) => part === "skipIf" || part === "runIf") || isSet(options, "skip") === "unclear";
  const skipped =
    /^x/.test(base) ||
    parts.includes("skip") ||
    parts.includes("todo") ||
    isSet(options, "skip") === "yes" ||
    isSet(options, "todo") === "yes";
  return {
    group: GROUP.has(base),
    name,
    skipped: unclear ? "unclear" : skipped ? "yes" : "no",
    only: /^f(?:it|test|describe)$/.test(base) || parts.includes("only") || isSet(options, "only") === "yes",
    table: parts.includes("each") || parts.includes("for"),
    body,
  };
}

/** `a.b.c(...)(...)` and `` a.b`...`(...) `` as its first name and the names behind it. */
function calleeOf(callee: Node): { readonly base: string | undefined; readonly parts: readonly string[] } {
  const parts: string[] = [];
  let at: Node | undefined = callee;
  for (let depth = 0; at !== undefined && depth < 20; depth += 1) {
    if (at.type === "Identifier") return { base: String(at.name), parts };
    if (at.type === "MemberExpression") {
      const property = at.property as Node;
      if (property.type === "Identifier") parts.unshift(String(property.name));
      at = at.object as Node;
    } else if (at.type === "CallExpression") at = at.callee as Node;
    else if (at.type === "TaggedTemplateExpression") at = at.tag as Node;
    else return { base: undefined, parts };
  }
  return { base: undefined, parts };
}

function isSet(options: Node | undefined, name: string): "yes" | "no" | "unclear" {
  const properties = (options?.properties as readonly Node[] | undefined) ?? [];
  const found = properties.find((each) => ((each.key as Node | undefined)?.name ?? "") === name);
  const value = found?.value as Node | undefined;
  if (value === undefined) return "no";
  if (value.type !== "Literal") return "unclear";
  return value.value === false ? "no" : "yes";
}

/** `t.skip()` and `ctx.skip()`, mostly behind a condition. */
function skipsItself(node: Node): boolean {
  const callee = node.callee as Node;
  return callee.type === "MemberExpression" && ((callee.property as Node).name as string) === "skip";
}

function isForEach(node: Node): boolean {
  const callee = node.type === "CallExpression" ? (node.callee as Node) : undefined;
  return callee?.type === "MemberExpression" && /^(?:forEach|map)$/.test(String((callee.property as Node).name));
}

function textOf(node: Node | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type !== "TemplateLiteral") return undefined;
  const quasis = node.quasis as readonly { readonly value: { readonly cooked?: string } }[];
  return quasis.map(({ value }) => value.cooked ?? "").join("$");
}

function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const each of value) if (isNode(each)) yield each;
    } else if (isNode(value)) yield value;
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}
