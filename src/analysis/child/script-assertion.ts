import type { OutlinedAssertion } from "../tests/test-outline.ts";

/** The parts of oxc's nodes that are read here. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Matchers that only say that there is something, or something true of many values. */
const WEAK_MATCHERS =
  /^(?:toBeDefined|toBeTruthy|toBeFalsy|toBeInstanceOf|toBeTypeOf|toHaveBeenCalled|toBeCalled|exist|ok|defined|toExist)$/;
/** Negated, these leave nearly every value. */
const WEAK_NEGATED =
  /^(?:toBe|toEqual|toStrictEqual|toBeNull|toBeUndefined|toBeNaN|toBeFalsy|toContain|null|undefined)$/;
const WEAK_ASSERTS =
  /^(?:ok|notEqual|notStrictEqual|notDeepEqual|notDeepStrictEqual|isDefined|exists|isOk|isNotNull|isObject|isArray|isString|isNumber|doesNotThrow)$/;
const EXPECTING = /^(?:expect|expectTypeOf)$/;
const ASSERTING = /^(?:assert|t|should|strict)$/;

/** A call of an assertion library, or undefined: `expect(a).not.toBe(b)`, `assert.equal(a, b)`, `t.assert.ok(a)`, `t.is(a, b)`. */
export function scriptAssertion(node: Node, text: string): OutlinedAssertion | undefined {
  const parts: string[] = [];
  let at = node.callee as Node;
  for (let depth = 0; depth < 20; depth += 1) {
    if (at.type === "MemberExpression") {
      parts.unshift(String((at.property as Node).name ?? ""));
      at = at.object as Node;
      continue;
    }
    break;
  }
  const given = (node.arguments as readonly Node[]) ?? [];
  const whole = text.slice(node.start, node.end);
  if (at.type === "CallExpression" && parts.length > 0) {
    const callee = at.callee as Node;
    // `expect.soft(a)` and the like.
    const base = callee.type === "MemberExpression" ? (callee.object as Node) : callee;
    if (base.type !== "Identifier" || !EXPECTING.test(String(base.name))) return undefined;
    return expectation(parts, (at.arguments as readonly Node[])[0], given, whole, text);
  }
  if (at.type !== "Identifier") return undefined;
  const base = String(at.name);
  if (!ASSERTING.test(base)) return undefined;
  const name = parts.at(-1) ?? "";
  // `t` is a context as well, on which tests are started.
  if (
    base === "t" &&
    !(parts.includes("assert") || /^(?:is|not|true|truthy|deepEqual|like|throws|throwsAsync)$/.test(name))
  )
    return undefined;
  return assertion(name, given, whole, text);
}

function expectation(
  parts: readonly string[],
  subject: Node | undefined,
  given: readonly Node[],
  whole: string,
  text: string,
): OutlinedAssertion {
  const matcher = parts.at(-1) ?? "";
  const negated = parts.includes("not");
  const empty = subject !== undefined && isLiteral(subject) && given.every(isLiteral);
  const weak = negated ? WEAK_NEGATED.test(matcher) : WEAK_MATCHERS.test(matcher) || isAnything(given[0], text);
  return {
    text: squeezed(whole),
    subject: subject === undefined ? "" : squeezed(text.slice(subject.start, subject.end)),
    strength: empty ? "empty" : weak ? "weak" : "strong",
  };
}

function assertion(name: string, given: readonly Node[], whole: string, text: string): OutlinedAssertion {
  const [first, second] = given;
  const subject = first === undefined ? "" : squeezed(text.slice(first.start, first.end));
  if (given.length > 0 && isLiteral(first!) && (second === undefined || isLiteral(second)))
    return { text: squeezed(whole), subject, strength: "empty" };
  const loose = name === "" || name === "truthy" || name === "true" || WEAK_ASSERTS.test(name);
  // A comparison in a loose assertion pins its left side.
  const compared = first?.type === "BinaryExpression" && /^(?:[=!]==?|[<>]=?)$/.test(String(first.operator));
  if (loose && compared) {
    const left = first.left as Node;
    const exact = /^===?$/.test(String(first.operator));
    return {
      text: squeezed(whole),
      subject: squeezed(text.slice(left.start, left.end)),
      strength: exact ? "strong" : "weak",
    };
  }
  return { text: squeezed(whole), subject, strength: loose ? "weak" : "strong" };
}

function isAnything(node: Node | undefined, text: string): boolean {
  return node !== undefined && /^expect\.any(?:thing)?\(/.test(text.slice(node.start, node.end));
}

function isLiteral(node: Node): boolean {
  return node.type === "Literal";
}

function squeezed(code: string): string {
  return code
    .replace(/\s+/g, "")
    .replace(/,(?=[)\]}])/g, "")
    .slice(0, 2_000);
}

export function squeeze(code: string): string {
  return code.replace(/\s+/g, "").slice(0, 20_000);
}
