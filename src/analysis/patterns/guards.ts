import { defined } from "../../domain/defined.ts";
import { CUTTING } from "./known-calls.ts";
import { leaves, nameOf } from "./leaves.ts";
import { matchesCode } from "./match-code.ts";
import { bitsOfMatch, bitsOfMismatch } from "./matched-text.ts";
import { asNode, bare, isFunction, keyName, type Node, statementsOf } from "./node.ts";
import { schemaOfCall } from "./schemas.ts";
import { ALL_CLEAN, bitOf, bitsOf, type Values } from "./value.ts";
import { BEGINS_WITH_HOST, HOLDS_TEXT, NO_BACKSLASH, NO_SECOND_SLASH, ROOTED } from "./weak-guards.ts";

/** A check that everybody has passed who comes to a place. */
export interface Guard {
  /** Keys of the origins that were checked. */
  readonly keys: ReadonlySet<string>;
  /** Dangers that it takes away. */
  readonly bits: number;
  /** Only of what was made absolute before: `resolved.startsWith(root)`. */
  readonly resolvedOnly: boolean;
  /** Which says it of each member. */
  readonly schema?: Node;
}

/** What is known of a condition's subject. */
interface Fact {
  readonly subject: Node;
  readonly bits: number;
  readonly resolvedOnly?: true;
  readonly schema?: Node;
}

const MOST_GUARDS = 200;

/** The checks that lie between the beginning of the function (and of those around it) and a place. */
export function guardsAt(place: Node, flow: Values): readonly Guard[] {
  const guards: Guard[] = [];
  let child = place;
  for (let at = place.up; at !== undefined; at = at.up) {
    flow.names.budget.left -= 1;
    if (at.type === "IfStatement" || at.type === "ConditionalExpression") {
      if (child === at.consequent) add(factsOf(at.test, true, flow), guards, flow);
      else if (child === at.alternate) add(factsOf(at.test, false, flow), guards, flow);
    } else if (at.type === "LogicalExpression" && child === at.right && at.operator !== "??") {
      add(factsOf(at.left, at.operator === "&&", flow), guards, flow);
    } else if (at.type === "SwitchCase" && at.test && at.up?.discriminant) {
      add([{ subject: at.up.discriminant, bits: ALL_CLEAN }], guards, flow);
    } else if (at.type === "BlockStatement" || at.type === "Program" || at.type === "SwitchCase") {
      for (const check of checksOf(at, flow)) {
        if (check.end > child.start) break;
        add(factsAfter(check, flow), guards, flow);
      }
    }
    if (guards.length > MOST_GUARDS || flow.names.budget.spent) break;
    child = at;
  }
  return guards;
}

const checks = new WeakMap<Node, readonly Node[]>();

/** Statements of a block behind which something is known. */
function checksOf(block: Node, flow: Values): readonly Node[] {
  let known = checks.get(block);
  if (known === undefined) {
    const statements = statementsOf(block);
    flow.names.budget.left -= statements.length;
    known = statements
      .filter((each) =>
        each.type === "IfStatement"
          ? leaves(each.consequent as Node) || each.alternate != null || replacedIn(each).length > 0
          : isCheck(each),
      )
      .slice(0, 500);
    checks.set(block, known);
  }
  return known;
}

function isCheck(statement: Node): boolean {
  if (statement.type !== "ExpressionStatement" || !statement.expression) return false;
  const call = bare(statement.expression, true);
  if (call.type !== "CallExpression") return false;
  const name = nameOf(call.callee);
  return name !== undefined && CHECKING.test(name);
}

const CHECKING =
  /^(?:assert|ensure|validate|check|verify|require|invariant|guard|ok|equal|must|restrict)|(?:Valid|Allowed|Safe|Assert|Check)/;
const ASKING =
  /^(?:is|has|valid|check|verify|allow|ensure|can|matches|test|contains|permit|safe|trusted|known|whitelist)|valid|allowed|permitted|trusted|safe|whitelist/i;

function factsAfter(statement: Node, flow: Values): Fact[] {
  if (statement.type === "IfStatement") return factsAfterIf(statement, flow);
  const call = bare(statement.expression!, true);
  const local = flow.names.functionOf(call.callee);
  // It cannot be read here: taken by its name. A function of this file has to throw.
  if (local !== undefined && !/\bthrow\b|\bexit\s*\(/.test(flow.names.facts.text.slice(local.start, local.end)))
    return [];
  const [first] = call.arguments ?? [];
  if (first && /^(?:assert|ok|invariant)$/.test(nameOf(call.callee) ?? "")) {
    const facts = factsOf(first, true, flow);
    if (facts.length > 0) return facts;
  }
  return (call.arguments ?? []).map((subject) => ({ subject, bits: ALL_CLEAN }));
}

/** Behind both of its ways: what the test says where one of them leaves, and what each way checks by itself. */
function factsAfterIf(statement: Node, flow: Values, depth = 0): Fact[] {
  const { test, consequent, alternate } = statement;
  if (leaves(consequent as Node)) return factsOf(test, false, flow);
  if (!alternate) return factsAfterReplacing(statement, flow);
  if (depth > 3) return [];
  const [one, other] = [consequent as Node, alternate].map((way) => factsWithin(way, flow, depth + 1));
  if (leaves(alternate)) return [...factsOf(test, true, flow), ...(one ?? [])];
  return bothSay(one ?? [], other ?? [], flow);
}

/** `if (!isAllowed(to)) to = "/";`: behind it the name is what passed the test, or what was written for it. */
function factsAfterReplacing(statement: Node, flow: Values): Fact[] {
  const names = new Set(
    replacedIn(statement).flatMap(({ left }) => (left && isReplaced(left, statement, flow) ? [left.name] : [])),
  );
  if (names.size === 0) return [];
  return factsOf(statement.test, false, flow).filter(
    ({ subject }) => bare(subject).type === "Identifier" && names.has(bare(subject).name),
  );
}

/** Whether nothing else is written for the name on that way, however deep: `to = "/"; if (other) to = other;` is no check. */
function isReplaced(name: Node, statement: Node, flow: Values): boolean {
  const binding = flow.names.bindingOf(name);
  if (binding === undefined) return false;
  const way = statement.consequent as Node;
  const written = flow.names.assignmentsTo(binding).filter((each) => each.start >= way.start && each.end <= way.end);
  flow.names.budget.left -= written.length;
  return written.every(({ right }) => right !== undefined && flow.valueOf(right).length === 0);
}

/** Assignments of new values that happen whenever the test holds. */
function replacedIn({ consequent, alternate }: Node): Node[] {
  if (alternate != null) return [];
  const way = consequent as Node;
  return (way.type === "BlockStatement" ? statementsOf(way) : [way]).flatMap(({ type, expression }) =>
    type === "ExpressionStatement" &&
    expression?.type === "AssignmentExpression" &&
    expression.operator === "=" &&
    expression.left?.type === "Identifier"
      ? [expression]
      : [],
  );
}

function factsWithin(way: Node, flow: Values, depth: number): Fact[] {
  if (way.type === "IfStatement") return factsAfterIf(way, flow, depth);
  return way.type === "BlockStatement" ? checksOf(way, flow).flatMap((each) => factsAfter(each, flow)) : [];
}

/** What holds of which expressions when a condition is true, or false. */
function factsOf(test: Node | null | undefined, truth: boolean, flow: Values, depth = 0): Fact[] {
  if (!test || depth > 20 || flow.names.budget.spent) return [];
  flow.names.budget.left -= 1;
  const node = bare(test, true);
  switch (node.type) {
    case "UnaryExpression":
      return node.operator === "!" ? factsOf(node.argument, !truth, flow, depth + 1) : [];
    case "LogicalExpression":
      if ((node.operator === "&&") === truth)
        return [...factsOf(node.left, truth, flow, depth + 1), ...factsOf(node.right, truth, flow, depth + 1)];
      // One of the two holds: only what both say.
      return bothSay(factsOf(node.left, truth, flow, depth + 1), factsOf(node.right, truth, flow, depth + 1), flow);
    case "BinaryExpression":
      return compared(node, truth, flow);
    case "CallExpression":
      return asked(node, truth, flow);
    case "MemberExpression": {
      if (!truth) return nothing(node);
      // `TABLE[key]`, `schema.safeParse(x).success`
      if (node.computed && node.property) return [{ subject: node.property, bits: ALL_CLEAN }];
      const key = keyName(node.property, node.computed);
      const call = bare(node.object!, true);
      if (key === "success" && call.type === "CallExpression")
        return (call.arguments ?? []).map((subject) => ({
          ...{ subject, bits: ALL_CLEAN },
          ...defined({ schema: schemaOfCall(flow.names, call)?.schema }),
        }));
      return [];
    }
    case "Identifier": {
      const binding = flow.names.bindingOf(node);
      const value = binding && binding.access.length === 0 ? flow.names.valueOf(binding) : undefined;
      const facts = value === undefined ? [] : factsOf(value, truth, flow, depth + 1);
      return truth || facts.length > 0 ? facts : nothing(node);
    }
    default:
      return [];
  }
}

function bothSay(left: readonly Fact[], right: readonly Fact[], flow: Values): Fact[] {
  return left.flatMap((fact) => {
    const keys = keysOf(fact.subject, flow);
    const other = right.find(({ subject }) => [...keysOf(subject, flow)].some((key) => keys.has(key)));
    return other === undefined ? [] : [{ ...fact, bits: fact.bits & other.bits }];
  });
}

/** What is nothing does no harm: `if (next && !isAllowed(next)) throw …` leaves what is allowed, or nothing. */
function nothing(subject: Node): Fact[] {
  return [{ subject, bits: ALL_CLEAN }];
}

/** Members whose comparison says nothing of the whole. */
const PARTIAL = new Set([
  "length",
  "protocol",
  "type",
  "size",
  "status",
  "method",
  "port",
  "search",
  "hash",
  "pathname",
]);
/** Addresses of these kinds run nothing. */
const WEB = /^(?:https?|mailto|tel):$/;
const HOSTS = new Set(["hostname", "host", "origin", "href"]);
/** What an address cannot do whose host is known. */
const ADDRESS = bitsOf(["url", "redirect", "data", "browser", "html", "code"]);

/** The member that a text is: of `url.hostname`, of a name for it, and with what stands for a missing one. */
function hostOf(node: Node, flow: Values): Node | undefined {
  let at = answerOf(node, flow);
  if (at.type === "LogicalExpression" && at.operator !== "&&" && at.left && at.right) {
    if (flow.names.constant(at.right) !== "") return undefined;
    at = bare(at.left, true);
  }
  if (at.type === "CallExpression" && /^(?:toLowerCase|lower|casefold)$/.test(nameOf(at.callee) ?? ""))
    at = bare(at.callee?.object ?? at, true);
  return at.type === "MemberExpression" && HOSTS.has(keyName(at.property, at.computed) ?? "") ? at : undefined;
}

/** A check of where something lies, which answers with a word. */
const ANSWERING = /^(?:check|verify|validate)(?:[A-Z]\w*)?(?:Access|Path|File|Permission|Input)$/;

function compared(node: Node, truth: boolean, flow: Values): Fact[] {
  const { operator = "", left, right } = node;
  if (!left || !right) return [];
  if (operator === "in") return truth ? [{ subject: left, bits: ALL_CLEAN }] : [];
  if (operator === "instanceof") return [];
  const equal = /^={2,3}$/.test(operator);
  const unequal = /^!={1,2}$/.test(operator);
  const index = indexCall(left);
  if (index !== undefined) {
    const bound = flow.names.constant(right);
    const found =
      (bound === -1 && (operator === ">" || unequal)) || (bound === 0 && operator === ">=")
        ? truth
        : bound === -1 && equal
          ? !truth
          : bound === 0 && operator === "<"
            ? !truth
            : undefined;
    if (bound === 0 && (equal || unequal) && equal === truth) return startsWith(index, flow);
    return found === undefined ? [] : membership(index, found, flow);
  }
  if (!equal && !unequal) return [];
  const answer = flow.names.constant(right);
  const call = answerOf(left, flow);
  const begin = call.type === "CallExpression" && isBeginning(call, flow);
  // `file.slice(0, root.length) === root`
  if (begin) return equal === truth ? beginsWith(call.callee?.object, right, flow) : [];
  // `const access = checkAccess(file); if (access === "denied") return;`
  if (typeof answer === "string" && call.type === "CallExpression" && ANSWERING.test(nameOf(call.callee) ?? ""))
    return (call.arguments ?? []).map((subject) => ({ subject, bits: bitsOf(["path", "url", "redirect"]) }));
  const common = commonBeginning(left, right, flow) ?? commonBeginning(right, left, flow);
  if (common !== undefined) return equal === truth ? beginsWith(common, undefined, flow) : [];
  // `isIP(x) === 0`, `list.includes(x) === false`
  if (call.type === "CallExpression" && (answer === 0 || typeof answer === "boolean"))
    return asked(call, (answer === true) === (equal === truth), flow);
  const signs = signAt(left, answer, equal === truth, flow);
  if (signs !== undefined) return [signs];
  if (equal !== truth) return [];
  const hosts = [left, right].flatMap((each) => hostOf(each, flow) ?? []);
  if (hosts.length > 0) return hosts.map((subject) => ({ subject, bits: ADDRESS }));
  for (const [subject, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const inner = bare(subject);
    if (inner.type === "UnaryExpression" && inner.operator === "typeof") {
      const type = flow.names.constant(other);
      return inner.argument
        ? [
            {
              subject: inner.argument,
              bits:
                type === "string"
                  ? bitsOf(["nosql", "prototype"])
                  : type === "number" || type === "boolean"
                    ? ALL_CLEAN
                    : 0,
            },
          ]
        : [];
    }
    if (inner.type === "MemberExpression") {
      const key = keyName(inner.property, inner.computed) ?? "";
      if (key === "protocol" && inner.object && WEB.test(String(flow.names.constant(other))))
        return [{ subject: inner.object, bits: bitOf("browser") }];
      if (PARTIAL.has(key)) return [];
    }
    if (inner.type === "Literal" || flow.valueOf(subject).length === 0) continue;
    const fixed = flow.names.constant(other);
    if (fixed === "" || fixed === null) return nothing(subject);
    if (fixed === undefined) {
      if (
        !/^undefined$/.test(String(bare(other).name ?? "")) &&
        flow.valueOf(other).length === 0 &&
        bare(other).type !== "Literal"
      )
        return [{ subject, bits: ALL_CLEAN }];
      return [];
    }
    return [{ subject, bits: ALL_CLEAN }];
  }
  return [];
}

function indexCall(node: Node): Node | undefined {
  const inner = bare(node);
  return inner.type === "CallExpression" && /^(?:indexOf|search|findIndex)$/.test(nameOf(inner.callee) ?? "")
    ? inner
    : undefined;
}

/** `list.includes(x)`: x is one of a list; `x.includes(".."): x holds a text. */
function membership(call: Node, truth: boolean, flow: Values): Fact[] {
  const receiver = call.callee?.object;
  const [first] = call.arguments ?? [];
  if (!receiver || !first) return [];
  if (flow.names.constant(first) !== undefined) {
    const text = flow.names.constant(first);
    if (typeof text !== "string") return [];
    if (truth) return /[a-z]\.[a-z]/i.test(text) ? [{ subject: receiver, bits: HOLDS_TEXT }] : [];
    if (text.startsWith("..")) return [{ subject: receiver, bits: bitOf("path") }];
    return [{ subject: receiver, bits: text === "//" ? NO_SECOND_SLASH : text === "\\" ? NO_BACKSLASH : 0 }];
  }
  if (!truth) return [];
  // A host of a list says nothing of what stands behind it.
  const host = hostOf(first, flow);
  return [host === undefined ? { subject: first, bits: ALL_CLEAN } : { subject: host, bits: ADDRESS }];
}

/** `next[0] === "/"`, `next.charAt(1) !== "/"` */
function signAt(node: Node, sign: unknown, is: boolean, flow: Values): Fact | undefined {
  const inner = bare(node);
  const called = inner.type === "CallExpression" && /^(?:charAt|at)$/.test(nameOf(inner.callee) ?? "");
  const subject = called ? inner.callee?.object : inner.computed ? inner.object : undefined;
  const place = flow.names.constant(called ? inner.arguments?.[0] : inner.property);
  if (!subject || (place !== 0 && place !== 1) || (sign !== "/" && sign !== "\\")) return undefined;
  if (place === 0) return { subject, bits: is && sign === "/" ? ROOTED : 0 };
  return { subject, bits: is ? 0 : sign === "/" ? NO_SECOND_SLASH : NO_BACKSLASH };
}

/** The call by which a name got its only value. */
function answerOf(node: Node, flow: Values): Node {
  const inner = bare(node, true);
  const binding = inner.type === "Identifier" ? flow.names.bindingOf(inner) : undefined;
  const value = binding && binding.access.length === 0 ? flow.names.valueOf(binding) : undefined;
  return value === undefined ? inner : bare(value, true);
}

/** `text.slice(0, n)` and its like. */
function isBeginning({ callee, arguments: args }: Node, flow: Values): boolean {
  return CUTTING.has(nameOf(callee) ?? "") && args?.length === 2 && flow.names.constant(args[0]) === 0;
}

function startsWith(call: Node, flow: Values): Fact[] {
  const [first] = call.arguments ?? [];
  return first ? beginsWith(call.callee?.object, first, flow) : [];
}

/** The path of `commonpath([path, folder]) == folder`, which asks whether the path begins with the folder. */
function commonBeginning(asked: Node, folder: Node, flow: Values): Node | undefined {
  const call = answerOf(asked, flow);
  if (call.type !== "CallExpression" || !/^common(?:path|prefix)$/.test(nameOf(call.callee) ?? "")) return undefined;
  const parts = (call.arguments?.[0]?.elements ?? []).flatMap((each) => each ?? []);
  const [path] = parts.filter((each) => flow.label(each) !== flow.label(folder));
  return path;
}

function beginsWith(receiver: Node | undefined, first: Node | undefined, flow: Values): Fact[] {
  if (!receiver) return [];
  const text = first && flow.names.constant(first);
  if (typeof text === "string" && /^[a-z]+:\/\/[^/]+\//i.test(text))
    return [{ subject: receiver, bits: bitsOf(["url", "redirect", "browser"]) }];
  if (text === "/") return [{ subject: receiver, bits: ROOTED }];
  if (typeof text === "string" && /^https?:\/\//i.test(text)) {
    const isHost = /^https?:\/\/[^/]+$/i.test(text);
    return [{ subject: receiver, bits: bitOf("browser") | (isHost ? BEGINS_WITH_HOST : 0) }];
  }
  return [{ subject: receiver, bits: bitOf("path"), resolvedOnly: true }];
}

function asked(call: Node, truth: boolean, flow: Values): Fact[] {
  const name = nameOf(call.callee) ?? "";
  const args = call.arguments ?? [];
  const receiver = call.callee?.type === "MemberExpression" ? call.callee.object : undefined;
  switch (name) {
    case "includes":
    case "has":
    case "contains":
      return membership(call, truth, flow);
    case "some":
    case "every": {
      const fn = flow.names.functionOf(args[0]);
      const body = fn?.body as Node | undefined;
      if (!truth || !body || body.type === "BlockStatement") return [];
      return factsOf(body, true, flow, 5);
    }
    case "startsWith": {
      const [first] = args;
      const text = first && flow.names.constant(first);
      if (!truth) {
        const isRelative = receiver && /relative/.test(flow.names.pathOf(receiver));
        if (
          typeof text === "string" &&
          text.startsWith("..") &&
          receiver &&
          (isRelative || /^rel/.test(flow.label(receiver)))
        )
          return [{ subject: receiver, bits: bitOf("path") }];
        if (receiver && text === "//") return [{ subject: receiver, bits: NO_SECOND_SLASH }];
        return receiver && text === "/\\" ? [{ subject: receiver, bits: NO_BACKSLASH }] : [];
      }
      return startsWith(call, flow);
    }
    case "endsWith": {
      const text = args[0] && flow.names.constant(args[0]);
      if (!truth || !receiver || typeof text !== "string") return [];
      const host = hostOf(receiver, flow);
      if (host !== undefined && text.startsWith(".")) return [{ subject: host, bits: ADDRESS }];
      return /[a-z]\.[a-z]/i.test(text) ? [{ subject: bare(receiver), bits: HOLDS_TEXT }] : [];
    }
    case "hasOwn":
      return truth && args[1] ? [{ subject: args[1], bits: ALL_CLEAN }] : [];
    case "hasOwnProperty":
      return truth && args[0] ? [{ subject: args[0], bits: ALL_CLEAN }] : [];
    case "call":
      return truth && args[1] && /hasOwnProperty$/.test(flow.names.pathOf(call.callee!.object!))
        ? [{ subject: args[1], bits: ALL_CLEAN }]
        : [];
    case "test":
    case "exec":
    case "match": {
      const subject = name === "match" ? receiver : args[0];
      const pattern = name === "match" ? args[0] : receiver;
      if (!subject || !pattern) return [];
      if (truth) return matched(subject, pattern, flow);
      return [{ subject, bits: bitsOfMismatch(bare(pattern).regex?.pattern ?? "") }];
    }
    default:
  }
  if (!truth) return [];
  const local = flow.names.functionOf(call.callee);
  if (local !== undefined) return askedLocally(local, call, flow);
  if (!ASKING.test(name)) return [];
  return args.map((subject) => ({ subject, bits: ALL_CLEAN }));
}

/** A regular expression that the whole text has to match, of characters that do no harm. */
function matched(subject: Node, pattern: Node, flow: Values): Fact[] {
  let regex = bare(pattern).regex;
  if (!regex && bare(pattern).type === "Identifier") {
    const binding = flow.names.bindingOf(bare(pattern));
    const value = binding && flow.names.valueOf(binding);
    if (value === undefined) return [{ subject, bits: ALL_CLEAN }];
    const made = bare(value);
    regex = made.regex;
    // A folder, made into a pattern of how a path begins.
    const begin = made.callee?.name === "RegExp" ? flow.label(made.arguments?.[0] ?? made) : "";
    if (/^["'`]\^/.test(begin)) return [{ subject, bits: bitOf("path"), resolvedOnly: true }];
  }
  return regex ? [{ subject, bits: bitsOfMatch(regex) }] : [];
}

/** A function of this file that answers yes or no: what its answer says of its parameters. */
function askedLocally(fn: Node, call: Node, flow: Values): Fact[] {
  const { budget } = flow.names;
  if (budget.spent) return [];
  // A function that asks itself is asked a few times.
  budget.nesting += 50;
  const facts = factsOfAnswer(fn, call, flow);
  budget.nesting -= 50;
  return facts.length > 0 ? facts : factsOfName(fn, call, flow);
}

/** `isParentDirectory(root, file)` of this file, which looks how a way begins in more than one line. */
function factsOfName(fn: Node, call: Node, flow: Values): Fact[] {
  if (!/parent|inside|within|below|contain|under|subdir/i.test(nameOf(call.callee) ?? "")) return [];
  const { text } = flow.names.facts;
  if (!matchesCode(/\.starts[Ww]ith\(|\brelative\(|\.indexOf\(/, text, fn.start, fn.end)) return [];
  return (call.arguments ?? []).map((subject) => ({ subject, bits: bitOf("path"), resolvedOnly: true }));
}

function factsOfAnswer(fn: Node, call: Node, flow: Values): Fact[] {
  const body = fn.body as Node;
  const answers =
    body.type === "BlockStatement"
      ? (body.body as readonly Node[]).flatMap((each) =>
          each.type === "ReturnStatement" && each.argument ? [each.argument] : [],
        )
      : [body];
  const [answer] = answers.slice(-1);
  if (answer === undefined) return [];
  const facts = [
    ...factsOf(answer, true, flow, 10),
    ...(body.type === "BlockStatement" ? checksOf(body, flow).flatMap((each) => factsAfter(each, flow)) : []),
  ];
  return facts.flatMap((fact) => {
    const keys = keysOf(fact.subject, flow);
    return (fn.params ?? []).flatMap((parameter, index) => {
      const name = parameter.type === "Identifier" ? `${String(parameter.name)}@${fn.start}` : "";
      const argument = call.arguments?.[index];
      if (!keys.has(name) || !argument) return [];
      // What the function makes absolute itself need not come so.
      const { subject, bits } = fact;
      const isAbsolute = flow.valueOf(subject).some(({ key, resolved }) => key === name && resolved === true);
      return [isAbsolute ? { subject: argument, bits } : { ...fact, subject: argument }];
    });
  });
}

function add(facts: readonly Fact[], guards: Guard[], flow: Values): void {
  for (const { subject, bits, resolvedOnly, schema } of facts) {
    if (bits === 0) continue;
    const keys = keysOf(subject, flow);
    if (keys.size > 0) guards.push({ keys, bits, resolvedOnly: resolvedOnly === true, ...defined({ schema }) });
  }
}

function keysOf(subject: Node, flow: Values): ReadonlySet<string> {
  const inner = bare(subject);
  if (isFunction(inner)) return new Set();
  const host = hostOf(inner, flow);
  if (host?.object) return new Set([...flow.valueOf(host), ...flow.valueOf(host.object)].map(({ key }) => key));
  return new Set(flow.valueOf(asNode(inner)).map(({ key }) => key));
}
