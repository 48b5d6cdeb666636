import { lastName } from "./facts.ts";
import type { Names } from "./names.ts";
import { asNode, bare, functionAround, isWithin, keyName, type Node } from "./node.ts";

/** What the code says an answer is. */
type ContentType = "html" | "other";
/** It is said by a value that is not constant: whatever was said before no longer counts. */
type Said = ContentType | "unknown";

const HTML = /html|svg|xml/i;
const HEADER = /^content-type$/i;
/** Calls that say it: the type itself, a name and a value, or an object of headers. */
const BY_VALUE = ["type", "contentType"];
const BY_HEADER = ["set", "header", "setHeader", "append", "appendHeader", "setResponseHeader", "Header"];
const BY_OBJECT = ["set", "header", "headers", "writeHead", "setHeaders", "setResponseHeaders", "body", "newResponse"];
/** The type of the answer itself: fields of schemas and sessions have types too. */
const OF_ANSWER =
  /^@(?:response|context(?:~[a-z\d]+)?\.response|context)(?:~[a-z\d]+)?(?:\.\w+\(\))*\.(?:type|contentType)$/;
const MOST = 100;

/** The content type that is said before an answer is sent, in the function around it or in the chain of calls it ends. */
export function contentTypeOf(node: Node, names: Names): ContentType | undefined {
  const around = functionAround(node) ?? names.facts.program;
  let said: { readonly at: number; readonly type: Said } | undefined;
  const hear = (at: number, type: Said | undefined) => {
    if (type !== undefined && (said === undefined || at >= said.at)) said = { at, type };
  };
  for (const name of new Set([...BY_VALUE, ...BY_HEADER, ...BY_OBJECT])) {
    for (const call of (names.facts.callsByName.get(name) ?? []).slice(0, MOST)) {
      names.budget.left -= 1;
      if (!isBefore(call, node, around)) continue;
      if (BY_VALUE.includes(name) && !OF_ANSWER.test(names.pathOf(call.callee!))) continue;
      hear(call.end, saidBy(name, call.arguments ?? [], names));
    }
  }
  for (const write of names.facts.writes) {
    if (write.start > node.end) break;
    names.budget.left -= 1;
    if (!isBefore(write, node, around) || !/^(?:type|contentType)$/.test(lastName(write.left) ?? "")) continue;
    if (OF_ANSWER.test(names.pathOf(write.left!))) hear(write.end, typeSaid(write.right, names));
  }
  const type = said?.type ?? saidByDecorator(around, names);
  return type === "unknown" ? undefined : type;
}

function isBefore(each: Node, node: Node, around: Node): boolean {
  return each.start <= node.end && isWithin(each, around) && (each.end <= node.end || each.start >= node.start);
}

function saidBy(name: string, args: readonly Node[], names: Names): Said | undefined {
  const [first, second] = args;
  if (BY_VALUE.includes(name) && args.length === 1) return typeSaid(first, names);
  const header = first && names.constant(first);
  if (BY_HEADER.includes(name) && typeof header === "string" && HEADER.test(header)) return typeSaid(second, names);
  // h3: the event first.
  const later = second && names.constant(second);
  if (typeof later === "string" && HEADER.test(later)) return typeSaid(args[2], names);
  return BY_OBJECT.includes(name) ? saidByHeaders(args.at(-1), names) : undefined;
}

/** `{ "Content-Type": "text/html" }` */
export function saidByHeaders(headers: Node | undefined, names: Names): Said | undefined {
  for (const { key, computed, value } of names.objectOf(headers)?.properties ?? [])
    if (HEADER.test(keyName(key, computed) ?? "")) return typeSaid(asNode(value), names);
  return undefined;
}

function typeSaid(value: Node | undefined, names: Names): Said | undefined {
  if (value === undefined) return undefined;
  const type = names.constant(value);
  if (typeof type === "string") return HTML.test(type) ? "html" : "other";
  const text = bare(value);
  const [begin] = text.type === "TemplateLiteral" ? (text.quasis ?? []) : [];
  const said = String((begin?.value as { cooked?: string } | undefined)?.cooked ?? "");
  return said.includes("/") ? (HTML.test(said) ? "html" : "other") : "unknown";
}

/** `@Header("Content-Type", "text/plain")` of a method of NestJS. */
function saidByDecorator(fn: Node, names: Names): Said | undefined {
  for (const { expression } of fn.up?.decorators ?? [])
    if (expression?.type === "CallExpression" && lastName(expression.callee) === "Header")
      return saidBy("Header", expression.arguments ?? [], names);
  return undefined;
}
