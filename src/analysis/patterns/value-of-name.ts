import { typedClean } from "./harmless.ts";
import { HARMLESS, ITERATORS, KNOWN_GLOBALS } from "./known-calls.ts";
import {
  asNode,
  type Binding,
  bare,
  dominates,
  functionAround,
  inLoopWith,
  isFunction,
  isWithin,
  keyName,
  type Node,
} from "./node.ts";
import type { Source } from "./row.ts";
import {
  beginning,
  bitOf,
  type Following,
  join,
  NOTHING,
  type Origin,
  PARAMETER,
  stepped,
  UNKNOWN,
  type Value,
} from "./value.ts";

import { inPlaceOf } from "./value-of-call.ts";

const LONGEST_KEY = 200;
const MOST_ASSIGNMENTS = 300;

/** What a name stands for where it is used. */
export function valueOfName(flow: Following, node: Node, depth: number): Value {
  const binding = flow.names.bindingOf(node);
  if (binding === undefined) return ofGlobal(flow, node);
  switch (binding.kind) {
    case "import":
    case "function":
    case "class":
      return NOTHING;
    case "parameter":
      return ofParameter(flow, node, binding, depth);
    case "element":
      return stepped(flow.valueOf(binding.node.right, depth), node);
    case "variable":
      return ofVariable(flow, node, binding, depth);
    case "other":
      return NOTHING;
  }
}

function ofGlobal(flow: Following, node: Node): Value {
  const name = node.name as string;
  const source = flow.sourceOf(node);
  if (source) return [flow.originOf(node, source)];
  if (/^[A-Z_\d$]+$|^[A-Z]/.test(name) || KNOWN_GLOBALS.has(name)) return NOTHING;
  return [beginning({ reach: PARAMETER, node, label: name, key: `global ${name}` })];
}

function ofParameter(flow: Following, node: Node, binding: Binding, depth: number): Value {
  const source = sourceWithin(flow, node);
  if (source) {
    const origin = flow.originOf(node, source);
    return [takesOwnName(binding.access) ? namedByServer(origin) : origin];
  }
  const role = flow.names.roleOf(binding);
  if (role !== undefined) return NOTHING;
  const given = givenTo(flow, binding, depth);
  if (given !== undefined) return given;
  const input = { node: binding.pattern ?? node, label: binding.name, key: `${binding.name}@${binding.node.start}` };
  return [beginning({ reach: PARAMETER, ...input }, { clean: typedClean(binding), parameter: binding })];
}

const MOST_CALLS = 6;

/** What a function is given that is handed to a collection, a promise or a function of this file. */
function givenTo(flow: Following, binding: Binding, depth: number): Value | undefined {
  const { node: fn, index } = binding;
  const call = fn.up;
  if (call?.type !== "CallExpression" || call.callee === undefined || index === undefined) return undefined;
  const callee = bare(call.callee);
  const name = callee.type === "MemberExpression" ? keyName(callee.property, callee.computed) : undefined;
  if (name !== undefined && ITERATORS.has(name)) {
    if (index !== (name === "reduce" || name === "reduceRight" ? 1 : 0)) return NOTHING;
    return stepped(flow.valueOf(callee.object, depth), binding.pattern!);
  }
  const local = flow.names.functionOf(callee);
  const taken = local?.params?.[(call.arguments ?? []).indexOf(fn)];
  if (local === undefined || local === fn || taken?.type !== "Identifier") return undefined;
  const uses = (flow.names.facts.callsByName.get(String(taken.name)) ?? []).filter(
    (each) => each.callee?.type === "Identifier" && isWithin(each, local),
  );
  if (uses.length === 0) return undefined;
  const values = uses.slice(0, MOST_CALLS).map((each) => flow.valueOf(each.arguments?.[index], depth));
  return stepped(inPlaceOf(flow, join(values), local, call, depth), binding.pattern!);
}

function ofVariable(flow: Following, node: Node, binding: Binding, depth: number): Value {
  const definitions = reaching(flow, node, binding);
  const values = definitions.map((definition) => defined(flow, definition, binding, depth));
  return join([...values, ...mutations(flow, node, binding, depth)]);
}

function defined(flow: Following, definition: Node, binding: Binding, depth: number): Value {
  if (definition === binding.node) {
    const { init } = definition;
    if (!init) return NOTHING;
    const value = takenBy(flow, init, binding.access, binding, depth);
    const fallback = binding.fallback ? flow.valueOf(binding.fallback, depth) : NOTHING;
    return stepped(flow.guarded(join([value, fallback]), init), definition.id!);
  }
  const value = flow.guarded(flow.valueOf(definition.right, depth), definition);
  const added = definition.operator === "+=" ? value.map((each) => ({ ...each, joined: true })) : value;
  return stepped(added, definition.left!);
}

/** A member of a value, as a pattern takes it out. */
function takenBy(flow: Following, init: Node, access: Binding["access"], binding: Binding, depth: number): Value {
  if (access.length === 0) return flow.valueOf(init, depth);
  const base = flow.names.pathOf(init);
  let path = base;
  for (const key of access) {
    path = path.endsWith(":") ? `${path}${key ?? "[]"}` : `${path}.${key ?? "[]"}`;
    const source = flow.sourceAt(path);
    if (source) {
      const origin = flow.originOf(binding.node.id ?? init, source, `${flow.label(init)}.${access.join(".")}`, path);
      return [takesOwnName(access) ? namedByServer(origin) : origin];
    }
  }
  let object = flow.names.objectOf(init);
  for (const key of access) {
    const property =
      object && key !== undefined
        ? (object.properties ?? []).find((each) => keyName(each.key, each.computed) === key)
        : undefined;
    if (!property) return takenOut(flow, init, access, depth);
    const value = asNode(property.value);
    object = value && flow.names.objectOf(value);
    if (!object) return flow.valueOf(value, depth);
  }
  return flow.valueOf(object ?? init, depth);
}

function takenOut(flow: Following, init: Node, access: Binding["access"], depth: number): Value {
  const names = access.map((key) => key ?? "…").join(".");
  const inner = bare(init, true);
  return flow.valueOf(init, depth).map((origin) => {
    const each = takesOwnName(access) ? namedByServer(origin) : origin;
    const key = `${each.key}.${names}`.slice(0, LONGEST_KEY);
    return each.node === inner ? { ...each, key, label: `${each.label}.${names}` } : { ...each, key };
  });
}

/** The values that a variable may have here: an assignment that is always passed replaces those before it. */
function reaching(flow: Following, use: Node, binding: Binding): readonly Node[] {
  const all = flow.names.assignmentsTo(binding);
  if (all.length === 0) return [binding.node];
  const assignments = all.slice(0, MOST_ASSIGNMENTS);
  flow.names.budget.left -= assignments.length;
  const fn = functionAround(use);
  const near = assignments.filter((each) => each.end <= use.start || !isWithin(use, each));
  const before = near.filter((each) => functionAround(each) === fn && each.end <= use.start);
  const last = before.findLast((each) => each.operator === "=" && dominates(each, use));
  const kept =
    last === undefined
      ? near
      : near.filter(
          (each) =>
            each.start >= last.start && (each.end <= use.start || inLoopWith(each, use) || functionAround(each) !== fn),
        );
  return (last === undefined ? [binding.node, ...kept] : kept).slice(0, 64);
}

/** What is put into an object or list that a variable holds. */
function mutations(flow: Following, node: Node, binding: Binding, depth: number): Value[] {
  const values: Value[] = [];
  for (const write of flow.names.writesTo(binding)) {
    flow.names.budget.left -= 1;
    if (values.length > 64 || flow.names.budget.spent) break;
    if (write.start > node.start && functionAround(write) === functionAround(node) && !inLoopWith(write, node))
      continue;
    values.push(flow.valueOf(write.right, depth));
  }
  for (const call of flow.names.additionsTo(binding)) {
    flow.names.budget.left -= 1;
    if (values.length > 64 || flow.names.budget.spent) break;
    for (const argument of (call.arguments ?? []).slice(0, 8)) values.push(flow.valueOf(argument, depth));
  }
  return values;
}

/** What a member of a value is, or of the object around. */
export function valueOfMember(flow: Following, node: Node, depth: number): Value {
  const source = flow.sourceOf(node);
  if (source) return [flow.originOf(node, source)];
  const key = flow.names.keyOf(node);
  if (key !== undefined && (HARMLESS.has(key) || key === "size")) return NOTHING;
  const object = node.object!;
  if (object.type === "ThisExpression") {
    if (key === undefined) return NOTHING;
    return stepped(
      join(
        flow.names.fieldValues(node, key).map((each) => (isFunction(each) ? NOTHING : ofField(flow, each, key, depth))),
      ),
      node,
    );
  }
  const literal = flow.names.objectOf(object);
  if (literal !== undefined) {
    // A key of a table of constants picks one of them.
    const property =
      key === undefined
        ? undefined
        : (literal.properties ?? []).find((each) => keyName(each.key, each.computed) === key);
    if (property) {
      const inner = bare(object);
      const binding = inner.type === "Identifier" ? flow.names.bindingOf(inner) : undefined;
      const written = binding ? mutations(flow, node, binding, depth) : [];
      return join([flow.valueOf(asNode(property.value), depth), ...written]);
    }
  }
  return memberOf(flow, flow.valueOf(object, depth), object, node, key);
}

/** Files that a parser of uploads keeps. What a call such as `request.file()` gives still has the name that the client chose. */
export const UPLOAD = /^@(?:request|context)(?:~[a-z\d]+)?\.(?:request\.|req\.)?files?(?![\w(])/;
/** What multer and its like call an upload, and where they put it. */
const OWN_NAMES = new Set(["path", "filepath", "filename", "newFilename", "tempFilePath", "destination"]);

/** Whether this is what a parser of uploads calls a file of its own. @param key as of an origin, the member last */
export function isOwnName(key: string): boolean {
  return OWN_NAMES.has(key.slice(key.lastIndexOf(".") + 1)) && key.includes(".");
}

/** The same of what a pattern takes out: `const { path } = req.file`. */
export function takesOwnName(access: Binding["access"]): boolean {
  return OWN_NAMES.has(access.at(-1) ?? "");
}

/** Where the server put an upload is its own choice. The end of the name may still be the client's, so a shell is not safe from it. */
export function namedByServer(origin: Origin): Origin {
  return origin.upload ? { ...origin, clean: origin.clean | bitOf("path") } : origin;
}

/** The same input, more exactly: a check of one member says nothing of another. */
function memberOf(flow: Following, value: Value, object: Node, node: Node, key: string | undefined): Value {
  const isOwn = key !== undefined && OWN_NAMES.has(key);
  return value.map((origin) => {
    const each = isOwn ? namedByServer(origin) : origin;
    const direct = each.node === bare(object, true);
    const more = {
      key: each.key.length < LONGEST_KEY ? `${each.key}.${key ?? flow.label(node.property ?? node)}` : each.key,
    };
    return direct ? { ...each, ...more, node, label: flow.label(node) } : { ...each, ...more };
  });
}

function ofField(flow: Following, value: Node, name: string, depth: number): Value {
  if (value.type === "Identifier" && value.up?.type === "TSParameterProperty")
    return [beginning({ reach: UNKNOWN, node: value, label: `this.${name}`, key: `this.${name}` })];
  return flow.valueOf(value, depth);
}

/** Also where the name is of something below the source: `({ query: { name } }) => …`. */
function sourceWithin(flow: Following, node: Node): Source | undefined {
  let path = flow.names.pathOf(node);
  for (let depth = 0; path.startsWith("@") && depth < 6; depth += 1) {
    const source = flow.sourceAt(path);
    if (source) return source;
    const dot = path.lastIndexOf(".");
    if (dot === -1) return undefined;
    path = path.slice(0, dot);
  }
  return undefined;
}
