import type { Outlet } from "./file-summary.ts";
import { filterCleans, replacementCleans } from "./harmless.ts";
import {
  CARRIERS,
  CHOOSING,
  CUTTING,
  HARMLESS,
  isLocalOnly,
  isUnreadable,
  PASSING,
  PLAIN_TEXT,
  SOUNDS_CLEANING,
} from "./known-calls.ts";
import { lastOfPath, receiverOf } from "./name-pattern.ts";
import { asNode, type Binding, bare, isFunction, isWithin, keyName, type Node } from "./node.ts";
import { bitsOfSchema, schemaOfCall } from "./schemas.ts";
import {
  ALL_CLEAN,
  beginning,
  bitsOf,
  cleaned,
  FOREIGN,
  type Following,
  join,
  NOTHING,
  through,
  UNKNOWN,
  type Value,
} from "./value.ts";

/** What a call gives: of a function of this file, of another file, of a package that is known, of anybody. */
export function valueOfCall(flow: Following, node: Node, depth: number): Value {
  const source = flow.sourceOf(node);
  if (source) return [flow.originOf(node, source)];
  const callee = bare(node.callee!);
  const args = node.arguments ?? [];
  const path = flow.names.pathOf(callee);
  const last = lastOfPath(path);
  const cleaner = flow.cleanerAt(path);
  const isMember = callee.type === "MemberExpression";
  const name = isMember ? flow.names.keyOf(callee) : undefined;
  if (cleaner) {
    // `value.toString()` is the value itself, in figures and letters where it says so.
    if (name !== "toString") {
      const schema = schemaOfCall(flow.names, node)?.schema;
      const bits = schema && bitsOfSchema(flow.names, schema, []);
      return cleaned(allOf(flow, args, depth), bits ?? bitsOf(cleaner.clean));
    }
    const plain = PLAIN_TEXT.has(String(flow.names.constant(args[0])));
    return cleaned(flow.valueOf(callee.object, depth), plain ? ALL_CLEAN : bitsOf(cleaner.clean));
  }
  if (path === "Promise") return resolvedBy(flow, args[0], depth);
  const local = flow.names.functionOf(callee);
  if (local !== undefined) return returned(flow, local, node, depth);
  const imported = flow.names.imports?.functionOf(path);
  if (imported !== undefined) return join(imported.returns.map((each) => givenBack(flow, each, node, depth)));
  if (CARRIERS.find(path, last, receiverOf(path)).length > 0) {
    const value = last === "URL" ? addressOf(flow, args, depth) : allOf(flow, args, depth);
    // A path of this site.
    if (last === "URL" && args.length === 2 && flow.names.constant(args[0]) !== undefined)
      return cleaned(value, bitsOf(["redirect", "url"]));
    if (/^path[/:]/.test(path) && last !== "join") return value.map((each) => ({ ...each, resolved: true as const }));
    return /^path[/:]/.test(path) && args.length > 1
      ? value.map((each) => ({ ...each, joined: true, resolved: true as const }))
      : value;
  }
  if (isMember && name !== undefined && !/^[\w@/.-]+:$/.test(flow.names.pathOf(callee.object!))) {
    if (HARMLESS.has(name) && !(name === "search" && args.length === 0)) return NOTHING;
    const receiver = flow.valueOf(callee.object, depth);
    if (PASSING.has(name)) return passedOn(flow, name, node, receiver, args, depth);
    if (receiver.length > 0 && !isUnreadable(name)) return join([receiver, unsure(allOf(flow, args, depth))]);
  }
  return foreignCall(flow, node, last, path, depth);
}

/** What `new URL(path, base)` is made of. The address of the request, as base, leads to this site: where else, the path alone says. */
function addressOf(flow: Following, args: readonly Node[], depth: number): Value {
  const [path, base] = args;
  if (path === undefined || base === undefined || args.length > 2) return allOf(flow, args, depth);
  const value = flow.valueOf(base, depth);
  const isOwn = /^@request(?:~[a-z\d]+)?\.(?:url|nextUrl)\b/.test(flow.names.pathOf(base));
  return join([flow.valueOf(path, depth), isOwn ? cleaned(value, bitsOf(["redirect"])) : value]);
}

function passedOn(
  flow: Following,
  name: string,
  node: Node,
  receiver: Value,
  args: readonly Node[],
  depth: number,
): Value {
  const [first, second] = args;
  if (name === "replace" || name === "replaceAll") {
    const put = second && !isFunction(bare(second)) ? flow.valueOf(second, depth) : NOTHING;
    return join([cleaned(receiver, replacementCleans(first, name, second)), put]);
  }
  if (name === "map" || name === "flatMap" || name === "then") {
    const fn = flow.names.functionOf(first);
    if (fn) return returned(flow, fn, node, depth);
    const cleaner = flow.cleanerAt(first ? flow.names.pathOf(first) : "");
    if (cleaner) return cleaned(receiver, bitsOf(cleaner.clean));
    return receiver;
  }
  // Which one is taken is decided by the list, not by what is asked for.
  if (CHOOSING.has(name)) {
    const fn = name === "filter" ? flow.names.functionOf(first) : undefined;
    return fn === undefined ? receiver : cleaned(receiver, filterCleans(fn));
  }
  if (CUTTING.has(name)) {
    // Where it begins was looked for: slashes at the beginning are gone.
    return isSought(first, flow) ? cleaned(receiver, bitsOf(["redirect"])) : receiver;
  }
  return join([receiver, allOf(flow, args, depth)]);
}

/** `text.slice(text.search(/[^/]/))`, also through a name. */
function isSought(start: Node | undefined, flow: Following): boolean {
  let at = start && bare(start);
  const binding = at?.type === "Identifier" ? flow.names.bindingOf(at) : undefined;
  if (binding !== undefined && binding.access.length === 0) at = bare(flow.names.valueOf(binding) ?? at!);
  if (at?.type !== "CallExpression" || at.callee === undefined) return false;
  const callee = bare(at.callee);
  return callee.type === "MemberExpression" && flow.names.keyOf(callee) === "search";
}

/** What a function of this file gives back for a call. */
function returned(flow: Following, fn: Node, call: Node, depth: number): Value {
  return inPlaceOf(flow, flow.returnsOf(fn, depth), fn, call, depth);
}

/** A value of a function, its parameters replaced by what a call hands over. */
export function inPlaceOf(flow: Following, value: Value, fn: Node, call: Node, depth: number): Value {
  const results = value.map((origin): Value => {
    const { parameter } = origin;
    if (parameter === undefined || parameter.node !== fn) return [origin];
    const index = parameter.index ?? 0;
    const callee = bare(call.callee!);
    if (flow.names.functionOf(callee) === fn)
      return through(flow.valueOf(call.arguments?.[index], depth), origin, call);
    // A callback that is handed to `map` or `then`.
    return index === 0 ? through(flow.valueOf(callee.object, depth), origin, call) : NOTHING;
  });
  return join(results);
}

/** What a promise is made of: what its function hands to the first of its parameters. */
function resolvedBy(flow: Following, executor: Node | undefined, depth: number): Value {
  const resolve = executor && flow.names.functionOf(executor)?.params?.[0];
  if (executor === undefined || resolve?.type !== "Identifier") return NOTHING;
  const calls = flow.names.facts.callsByName.get(String(resolve.name)) ?? [];
  const own = calls.filter((each) => isWithin(each, executor)).slice(0, MOST_RESOLUTIONS);
  return join(own.map((each) => flow.valueOf(each.arguments?.[0], depth)));
}

const MOST_RESOLUTIONS = 20;

/** A part of what a function of another file gives back. */
function givenBack(flow: Following, outlet: Outlet, call: Node, depth: number): Value {
  const { parameter, label, source, clean, joined, sure, steps, access = [] } = outlet;
  if (parameter !== undefined) return through(partOf(flow, call.arguments?.[parameter], access, depth), outlet, call);
  const input = { node: call, label, key: `${steps[0]?.path ?? ""} ${label}` };
  const how = { clean, joined, sure, ...(steps.length > 0 ? { came: steps } : {}) };
  if (source === undefined) return [beginning({ reach: UNKNOWN, ...input }, how)];
  return [beginning({ reach: FOREIGN, ...input }, { ...how, source: { ...source, values: "" } })];
}

/** What a function that takes a part of an argument gets. */
export function partOf(flow: Following, argument: Node | undefined, access: Binding["access"], depth: number): Value {
  if (argument === undefined) return NOTHING;
  const object = access[0] === undefined ? undefined : flow.names.objectOf(argument);
  const property = object?.properties?.find((each) => keyName(each.key, each.computed) === access[0]);
  return property ? flow.valueOf(asNode(property.value), depth) : flow.valueOf(argument, depth);
}

/** A function that cannot be read here: what goes in may come out. */
function foreignCall(flow: Following, node: Node, last: string, path: string, depth: number): Value {
  if (isLocalOnly(path, last)) return NOTHING;
  const args = (node.arguments ?? []).filter((each) => !isFunction(each));
  const value = allOf(flow, args.slice(0, 20), depth);
  if (SOUNDS_CLEANING.test(last)) return cleaned(value, ALL_CLEAN);
  if (node.type === "NewExpression") return NOTHING;
  if (value.length > 0 && !isUnreadable(last)) return unsure(value);
  const label = `${flow.label(node.callee!)}()`;
  return [beginning({ reach: UNKNOWN, node, label, key: `call ${node.start}` }, { sure: false })];
}

function unsure(value: Value): Value {
  return value.map((each) => ({ ...each, sure: false }));
}

function allOf(flow: Following, args: readonly Node[], depth: number): Value {
  return join(args.slice(0, 1_000).map((each) => flow.valueOf(each, depth)));
}
