import { bitsOfMatch } from "./matched-text.ts";
import { type Names, propertyOf } from "./names.ts";
import { asNode, bare, isFunction, type Node } from "./node.ts";
import { ALL_CLEAN, bitOf, bitsOf } from "./value.ts";

/** Members by which a part is taken out of a value; undefined: not known which. */
type Access = readonly (string | undefined)[];

interface Step {
  readonly name: string;
  readonly args: readonly Node[];
}

const ZOD = /\bzod\b/;
const MOST_STEPS = 30;
const DEEPEST = 12;

/** What is a number, a date, or one of a few. */
const CHOSEN =
  /^(?:number|int|int32|uint32|int64|uint64|float32|float64|bigint|boolean|stringbool|date|enum|nativeEnum|literal|null|undefined|void|never|nan)$/;
/** Texts of letters and figures. */
const PLAIN = /^(?:uuid|uuidv[467]|guid|cuid2?|ulid|nanoid|xid|ksuid|datetime|date|time|duration|ipv[46]|ip|hex)$/;
/** Texts that may hold what they like. */
const ANY_TEXT = /^(?:string|url|httpUrl|email|emoji|base64|base64url|jwt|hostname)$/;
/** Leaves the kind of value as it is. */
const KEEPING =
  /^(?:min|max|length|nonempty|trim|toLowerCase|toUpperCase|normalize|optional|nullable|nullish|default|prefault|catch|describe|meta|brand|readonly|strict|strip|partial|required|deepPartial|pick|omit|email|url|startsWith|endsWith|includes|lowercase|uppercase|positive|nonnegative|negative|finite|safe|gt|gte|lt|lte|multipleOf|step|register|unwrap)$/;

/** An object or text that a schema of text let pass is no object with operators. */
const TEXT = bitsOf(["nosql", "prototype"]);

/**
 * What a schema of zod, if this file has it, leaves of a value.
 * @param access to the part that is asked for
 * @returns bits of the dangers that the part cannot be; undefined where the schema cannot be read here
 */
export function bitsOfSchema(names: Names, schema: Node | undefined, access: Access, depth = 0): number | undefined {
  const chain = schema === undefined || depth > DEEPEST ? undefined : chainOf(names, schema);
  const [root, ...others] = chain ?? [];
  if (root === undefined) return undefined;
  const part = (each: Node | undefined, rest: Access = access) => bitsOfSchema(names, each, rest, depth + 1);
  let bits = bitsOfKind(root, access, part);
  for (const { name, args } of others) {
    if (bits === undefined) return undefined;
    if (name === "array") bits = part(chainEnd(schema!), access.slice(1)) ?? bits;
    else if (PLAIN.test(name)) bits = ALL_CLEAN;
    else if (name === "regex") bits |= bitsOfMatch(patternOf(names, args[0]) ?? ANY_PATTERN);
    else if (name === "extend" || name === "merge" || name === "safeExtend" || name === "and") {
      const object = names.objectOf(args[0]);
      bits &= (object === undefined ? part(args[0]) : ofProperties(object, access, part)) ?? ALL_CLEAN;
    } else if (name === "passthrough" || name === "loose" || name === "catchall") {
      if (access.length === 0) bits = 0;
    } else if (name === "or") bits = both(bits, part(args[0]));
    else if (name === "pipe") bits = part(args[0]);
    else if (!KEEPING.test(name)) return undefined;
  }
  return bits;
}

const ANY_PATTERN = { pattern: "", flags: "" };

function bitsOfKind(
  { name, args }: Step,
  access: Access,
  part: (schema: Node | undefined, rest?: Access) => number | undefined,
): number | undefined {
  const [first, second] = args;
  if (CHOSEN.test(name) || PLAIN.test(name)) return ALL_CLEAN;
  if (ANY_TEXT.test(name)) return TEXT;
  switch (name) {
    case "any":
    case "unknown":
      return 0;
    case "object":
    case "strictObject":
    case "looseObject":
    case "interface": {
      const bits = ofProperties(first && bare(first), access, part);
      return name === "looseObject" && access.length === 0 ? 0 : bits;
    }
    case "array":
    case "set":
      return part(first, access.slice(1));
    case "optional":
    case "nullable":
    case "nullish":
      return part(first);
    case "record": {
      const bits = part(second ?? first, access.slice(1));
      return bits === undefined ? undefined : bits & ~bitOf("prototype");
    }
    case "union":
    case "discriminatedUnion": {
      const [options] = args.slice(-1);
      const list = (options && bare(options).elements) ?? [];
      return list.reduce<number | undefined>(
        (bits, each) => both(bits, part(each ?? undefined)),
        list.length === 0 ? undefined : ALL_CLEAN,
      );
    }
    default:
      return undefined;
  }
}

/** What both leave. */
function both(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one & other;
}

function ofProperties(
  object: Node | undefined,
  access: Access,
  part: (schema: Node | undefined, rest?: Access) => number | undefined,
): number | undefined {
  if (object?.type !== "ObjectExpression") return undefined;
  const [key, ...rest] = access;
  const properties = object.properties ?? [];
  if (key === undefined) {
    // Any of them: what cannot be read here is taken for a check.
    return properties.reduce((bits, each) => bits & (part(asNode(each.value), rest) ?? ALL_CLEAN), ALL_CLEAN);
  }
  const value = propertyOf(object, key);
  if (value !== undefined) return part(value, rest);
  return properties.some(({ type }) => type !== "Property") ? undefined : ALL_CLEAN;
}

function patternOf(names: Names, node: Node | undefined) {
  if (node === undefined) return undefined;
  const inner = bare(node);
  if (inner.type !== "Identifier") return inner.regex ?? undefined;
  const binding = names.bindingOf(inner);
  const value = binding && names.valueOf(binding);
  return value === undefined ? undefined : (bare(value).regex ?? undefined);
}

/** The calls that make a schema, from `z.string()` on; undefined where it begins with something else. */
function chainOf(names: Names, schema: Node): readonly Step[] | undefined {
  const steps: Step[] = [];
  let at: Node | undefined = resolved(names, schema);
  while (at?.type === "CallExpression" && at.callee !== undefined && steps.length < MOST_STEPS) {
    const callee: Node = bare(at.callee);
    const name = callee.type === "MemberExpression" ? names.keyOf(callee) : undefined;
    if (name === undefined || callee.object === undefined) return undefined;
    steps.unshift({ name, args: at.arguments ?? [] });
    names.budget.left -= 1;
    if (/^zod(?:\/v?[34]|\/mini)?:(?:z|z\.coerce|coerce|z\.iso|iso)?$/.test(names.pathOf(callee.object))) return steps;
    at = resolved(names, callee.object);
  }
  return undefined;
}

/** What a list is made of by `.array()`: the schema before it. */
function chainEnd(schema: Node): Node | undefined {
  const inner = bare(schema);
  return inner.callee?.object;
}

function resolved(names: Names, node: Node): Node {
  const inner = bare(node);
  const binding = inner.type === "Identifier" ? names.bindingOf(inner) : undefined;
  const value = binding && binding.access.length === 0 ? names.valueOf(binding) : undefined;
  return value === undefined ? inner : bare(value);
}

const PARSING = /^(?:safeParse|parse)(?:Async)?$/;

/** The schema of `schema.parse(value)` that can be read here. */
export function schemaOfCall(names: Names, call: Node): { readonly schema: Node; readonly safe: boolean } | undefined {
  const callee = call.type === "CallExpression" && call.callee ? bare(call.callee) : undefined;
  if (callee?.type !== "MemberExpression" || callee.object === undefined) return undefined;
  const name = names.keyOf(callee) ?? "";
  if (!PARSING.test(name) || chainOf(names, callee.object) === undefined) return undefined;
  return { schema: callee.object, safe: name.startsWith("safe") };
}

/** What a schema leaves of this value, where the value came out of `schema.parse`: `checked.data.name`. */
export function bitsOfParsed(names: Names, node: Node): number {
  if (!names.fileMatches(ZOD)) return 0;
  const access: (string | undefined)[] = [];
  let at = bare(node, true);
  for (let steps = 0; steps < DEEPEST; steps += 1) {
    names.budget.left -= 1;
    if (at.type === "MemberExpression" && at.object) {
      access.unshift(names.keyOf(at));
      at = bare(at.object, true);
      continue;
    }
    if (at.type === "Identifier") {
      const binding = names.bindingOf(at);
      const value = binding && names.valueOf(binding);
      if (binding === undefined || value === undefined) return 0;
      access.unshift(...binding.access);
      at = bare(value, true);
      continue;
    }
    const found = schemaOfCall(names, at);
    if (found === undefined || (found.safe && access[0] !== "data")) return 0;
    return bitsOfSchema(names, found.schema, found.safe ? access.slice(1) : access) ?? ALL_CLEAN;
  }
  return 0;
}

/** What a router checks before it calls the function around: `.input(schema)` of tRPC, `zValidator("json", schema)` of Hono. */
export function bitsOfHandled(names: Names, node: Node, path: string): number {
  const [, role = "", members = ""] = /^@(trpc\.input|context(?:~hono)?\.req\.valid)(?:\(\))?\.?(.*)$/.exec(path) ?? [];
  if (role === "") return 0;
  const access = members === "" ? [] : members.split(".").map((each) => (each === "[]" ? undefined : each));
  for (let at = node.up; at !== undefined; at = at.up) {
    names.budget.left -= 1;
    if (!isFunction(at) || at.up?.type !== "CallExpression") continue;
    const schema = role === "trpc.input" ? inputOf(names, at.up) : validatorOf(names, at.up, node);
    if (schema !== undefined) return bitsOfSchema(names, schema, access) ?? 0;
  }
  return 0;
}

/** The schema of the last `.input(…)` before `.query(…)`. */
function inputOf(names: Names, call: Node): Node | undefined {
  let at: Node | undefined = call;
  for (let steps = 0; at?.type === "CallExpression" && steps < MOST_STEPS; steps += 1) {
    const callee: Node | undefined = at.callee && bare(at.callee);
    if (callee?.type !== "MemberExpression") return undefined;
    if (names.keyOf(callee) === "input") return at.arguments?.[0];
    at = callee.object && bare(callee.object);
  }
  return undefined;
}

/** Of the handlers before this one, the check of what is asked for: `valid("json")`. */
function validatorOf(names: Names, call: Node, node: Node): Node | undefined {
  const asked = validCall(names, node)?.arguments?.[0];
  const part = names.constant(asked);
  for (const each of call.arguments ?? []) {
    const [target, schema] = each.type === "CallExpression" ? (each.arguments ?? []) : [];
    const name = each.callee?.name;
    if (/^(?:z|s)Validator$|^validator$/.test(String(name)) && part !== undefined && names.constant(target) === part)
      return schema;
  }
  return undefined;
}

/** `c.req.valid("json")`, of which this is a member, or by which the name got its value. */
function validCall(names: Names, node: Node): Node | undefined {
  let at: Node | undefined = node;
  for (let steps = 0; at !== undefined && steps < DEEPEST; steps += 1) {
    const inner = bare(at, true);
    if (inner.type === "CallExpression") return inner;
    if (inner.type === "MemberExpression") at = inner.object;
    else if (inner.up?.type === "VariableDeclarator" || /Pattern$|^Property$/.test(inner.up?.type ?? "")) {
      let up: Node | undefined = inner;
      while (up !== undefined && up.type !== "VariableDeclarator") up = up.up;
      at = up?.init ?? undefined;
    } else {
      const binding = inner.type === "Identifier" ? names.bindingOf(inner) : undefined;
      at = binding && names.valueOf(binding);
    }
  }
  return undefined;
}
