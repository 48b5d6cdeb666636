import { ClassMembers, isSuper } from "./class-members.ts";
import { DeclaredTypes } from "./declared-types.ts";
import type { Facts } from "./facts.ts";
import { lastName, lookup, moduleName } from "./facts.ts";
import type { Imports } from "./file-summary.ts";
import { LONGEST_CODE, matchesCode, matchesSomewhere } from "./match-code.ts";
import { asNode, type Binding, bare, isFunction, keyName, type Node, returnedBy } from "./node.ts";

const DEEPEST = 40;
const MOST_NESTED = 200;
const DEEPEST_TYPE = 6;
const LONGEST = 300;

/** Work that a file may cost before it is left, in looks at nodes: 4 MB of ordinary code stay far below. */
export class Budget {
  left: number;
  constructor(left: number) {
    this.left = left;
  }
  /** Questions that wait for the answers to others: each is some frames of the stack. */
  nesting = 0;
  get spent(): boolean {
    return this.left <= 0 || this.nesting > MOST_NESTED;
  }
}

/** What names and members mean: packages, roles of handlers' parameters, constants. */
export class Names {
  readonly facts: Facts;
  readonly budget: Budget;
  /** The role of a parameter, `@request`, where a table gives it one. */
  roleOf: (binding: Binding) => string | undefined = () => undefined;
  /** What is known of files that this one imports. */
  imports: Imports | undefined;
  readonly classes: ClassMembers;
  readonly #types: DeclaredTypes;
  readonly #paths = new Map<Node, string>();
  readonly #lookups = new Map<Node, Binding | null>();
  readonly #single = new Map<Binding, Node | null>();

  constructor(facts: Facts, budget: Budget) {
    this.facts = facts;
    this.budget = budget;
    this.#types = new DeclaredTypes(facts.program);
    this.classes = new ClassMembers(this);
  }

  bindingOf(identifier: Node): Binding | undefined {
    let known = this.#lookups.get(identifier);
    if (known === undefined) {
      known = lookup(identifier.name as string, identifier) ?? null;
      this.#lookups.set(identifier, known);
    }
    return known ?? undefined;
  }

  /** The modules that the file imports or requires. */
  modules(): ReadonlySet<string> {
    const modules = new Set(this.facts.modules);
    for (const call of (this.facts.callsByName.get("require") ?? []).slice(0, MOST_MODULES)) {
      const module = requiredModule(call);
      if (module !== undefined) modules.add(module);
    }
    return modules;
  }

  /** Assignments to a variable beside its declaration. */
  assignmentsTo(binding: Binding): readonly Node[] {
    return this.#ofBinding(this.#assignments, this.facts.assignments.get(binding.name), binding);
  }

  /** Assignments to members of what a variable holds. */
  writesTo(binding: Binding): readonly Node[] {
    return this.#ofBinding(this.#writes, this.facts.memberWrites.get(binding.name), binding);
  }

  /** Calls that put something into the list or map that a variable holds. */
  additionsTo(binding: Binding): readonly Node[] {
    return this.#ofBinding(this.#additions, this.facts.additions.get(binding.name), binding);
  }

  readonly #assignments = new Map<string, Map<Binding | undefined, Node[]>>();
  readonly #writes = new Map<string, Map<Binding | undefined, Node[]>>();
  readonly #additions = new Map<string, Map<Binding | undefined, Node[]>>();

  /** All nodes of a name are told apart by what they mean once: in minified code every third variable is called `e`. */
  #ofBinding(
    known: Map<string, Map<Binding | undefined, Node[]>>,
    nodes: readonly Node[] | undefined,
    binding: Binding,
  ): readonly Node[] {
    if (nodes === undefined) return [];
    let groups = known.get(binding.name);
    if (groups === undefined) {
      this.budget.left -= 10 * nodes.length;
      groups = Map.groupBy(nodes, (each) => lookup(binding.name, each));
      known.set(binding.name, groups);
    }
    return groups.get(binding) ?? [];
  }

  /** The one value that a variable ever has, where there is only one. */
  valueOf(binding: Binding): Node | undefined {
    const known = this.#single.get(binding);
    if (known !== undefined) return known ?? undefined;
    const value = this.#valueOf(binding);
    this.#single.set(binding, value ?? null);
    return value;
  }

  #valueOf(binding: Binding): Node | undefined {
    if (binding.kind !== "variable") return undefined;
    const assignments = this.assignmentsTo(binding);
    const init = binding.node.init ?? undefined;
    if (init !== undefined && assignments.length === 0) return init;
    const [only] = assignments;
    if (init === undefined && assignments.length === 1 && only?.operator === "=" && only.left?.type === "Identifier")
      return only.right;
    return undefined;
  }

  /**
   * Where a value comes from, in words of packages: `child_process:exec`, `express:().use`, `@request.query.name`, `document.write` of
   * globals, `?name.member` of unknown values.
   */
  pathOf(node: Node, depth = 0): string {
    const inner = bare(node, true);
    const known = this.#paths.get(inner);
    if (known !== undefined) return known;
    if (depth > DEEPEST || this.budget.spent) return "?";
    this.budget.left -= 1;
    this.#paths.set(inner, "?");
    const own = this.#pathOf(inner, depth + 1).slice(0, LONGEST);
    const path = this.imports?.canonical(own) ?? own;
    this.#paths.set(inner, path);
    return path;
  }

  #pathOf(node: Node, depth: number): string {
    switch (node.type) {
      case "Identifier":
        return this.#pathOfName(node, depth);
      case "MemberExpression": {
        const key = this.keyOf(node);
        if (node.object?.type === "ThisExpression") {
          const [value] = key === undefined ? [] : this.fieldValues(node, key);
          if (value !== undefined) return this.#pathOfField(value, depth);
          return `${this.#inherited(node, depth) ?? "?this"}.${key ?? "[]"}`;
        }
        if (isSuper(node.object)) return `${this.#inherited(node, depth) ?? "?super"}.${key ?? "[]"}`;
        const object = this.pathOf(node.object!, depth);
        const path = member(object, key);
        return object.startsWith("?") ? (this.#types.pathOf(this.#typeOf(node)) ?? path) : path;
      }
      case "CallExpression":
      case "NewExpression": {
        const required = requiredModule(node);
        if (required !== undefined) return `${required}:`;
        const [first] = node.arguments ?? [];
        const callee = this.pathOf(node.callee!, depth);
        // What is made of a function that calls back is that function.
        if (first !== undefined && /^util:promisify$|^promisify$/.test(callee)) return this.pathOf(first, depth);
        return this.#madeBy(node, depth) ?? `${callee}()`;
      }
      case "ImportExpression": {
        const source = node.source;
        return typeof source?.value === "string" ? `${moduleName(source.value)}:` : "?";
      }
      case "SequenceExpression":
        return this.pathOf(node.expressions!.at(-1)!, depth);
      case "LogicalExpression":
        return node.operator === "&&" ? "?" : this.pathOf(node.left!, depth);
      case "ThisExpression":
        return "?this";
      case "Literal":
        return typeof node.value === "string" ? "''" : "?";
      case "TemplateLiteral":
        return "''";
      case "ArrayExpression":
        return "[]";
      default:
        return "?";
    }
  }

  /** What makes the object of a method, where its class extends one of a package or of another file: `./store:Store()`. */
  #inherited(from: Node, depth: number): string | undefined {
    const base = this.classes.foreignBase(from);
    const path = base === undefined ? "?" : this.pathOf(base, depth);
    return /^[\w@./~-]+:/.test(path) ? `${path}()` : undefined;
  }

  /** What a function of this file gives back, where that is of a package: `const pool = connect();` */
  #madeBy({ callee }: Node, depth: number): string | undefined {
    const inner = callee && bare(callee);
    const fn = inner?.type === "Identifier" ? this.functionOf(inner) : undefined;
    const body = asNode(fn?.body);
    if (body === undefined) return undefined;
    const results = body.type === "BlockStatement" ? returnedBy(body) : [body];
    const paths = new Set(results.slice(0, MOST_RESULTS).map((each) => this.pathOf(each, depth)));
    const [only] = paths;
    return paths.size === 1 && only !== undefined && /^[\w@]/.test(only) && only.includes(":") ? only : undefined;
  }

  #pathOfField(value: Node, depth: number): string {
    if (value.type === "TSParameterProperty" || value.type === "Identifier" || value.type === "AssignmentPattern") {
      const typed = this.typePath(value);
      if (typed !== undefined) return typed;
    }
    if (value.type === "PropertyDefinition") return this.typePath(value) ?? "?";
    return this.pathOf(value, depth);
  }

  #pathOfName(node: Node, depth: number): string {
    const binding = this.bindingOf(node);
    const name = node.name as string;
    if (binding === undefined)
      return GLOBALS.has(name) ? "globalThis" : name === "$" || name === "jQuery" ? "jquery:" : name;
    switch (binding.kind) {
      case "import":
        return binding.member === "" ? `${binding.module}:` : `${binding.module}:${binding.member}`;
      case "variable": {
        const value = this.valueOf(binding);
        if (value !== undefined && value !== node) {
          const base = this.pathOf(value, depth);
          const path = binding.access.reduce<string>((path, key) => member(path, key), base);
          if (path !== "?") return path;
        }
        return this.#types.pathOf(this.#types.of(binding.node.id, binding.access)) ?? `?${name}`;
      }
      case "element":
        return `?${name}`;
      case "parameter": {
        const role = this.roleOf(binding);
        if (role !== undefined) return binding.access.reduce<string>((path, key) => member(path, key), role);
        return this.#types.pathOf(this.#types.of(binding.pattern, binding.access)) ?? `?${name}`;
      }
      case "function":
      case "class":
      case "other":
        return `?${name}`;
    }
  }

  /** Of an annotated name: what its type's class makes, `@nestjs/axios:HttpService()`. */
  typePath(pattern: Node | undefined): string | undefined {
    return this.#types.pathOf(this.#types.of(pattern));
  }

  /** The type that is declared for a value: of a name, or of a member of what has one. */
  #typeOf(node: Node, depth = 0): Node | undefined {
    const inner = bare(node);
    if (depth > DEEPEST_TYPE || this.budget.spent) return undefined;
    this.budget.left -= 1;
    if (inner.type === "Identifier") {
      const binding = this.bindingOf(inner);
      if (binding?.kind === "parameter") return this.#types.of(binding.pattern, binding.access);
      if (binding?.kind !== "variable") return undefined;
      const declared = this.#types.of(binding.node.id, binding.access);
      const value = declared === undefined ? this.valueOf(binding) : undefined;
      let type = value === undefined ? declared : this.#typeOf(value, depth + 1);
      if (value !== undefined) for (const key of binding.access) type = this.#types.member(type, key);
      return type;
    }
    if (inner.type !== "MemberExpression" || inner.object === undefined) return undefined;
    const key = this.keyOf(inner);
    if (inner.object.type !== "ThisExpression") return this.#types.member(this.#typeOf(inner.object, depth + 1), key);
    const [value] = key === undefined ? [] : this.fieldValues(inner, key);
    if (value === undefined) return undefined;
    return this.#types.of(value) ?? (value.type === "Identifier" ? this.#typeOf(value, depth + 1) : undefined);
  }

  typeName(pattern: Node | undefined): Node | undefined {
    let at = pattern;
    if (at?.type === "TSParameterProperty") at = at.parameter;
    if (at?.type === "AssignmentPattern") at = at.left;
    const type = at?.typeAnnotation?.typeAnnotation ?? at?.typeAnnotation;
    return type?.type === "TSTypeReference" ? type.typeName : undefined;
  }

  /** The name of a member, folded where it is computed from a constant. */
  keyOf(node: Node): string | undefined {
    const plain = keyName(node.property, node.computed);
    if (plain !== undefined || !node.property) return plain;
    const folded = this.constant(node.property);
    return folded === undefined ? undefined : String(folded);
  }

  /** As `ClassMembers.valuesOf`, of the class around a node. */
  fieldValues(from: Node, name: string): Node[] {
    return this.classes.valuesOf(from, name);
  }

  /** The value of an expression that is the same every time. */
  constant(node: Node | null | undefined, depth = 0): string | number | boolean | null | undefined {
    if (!node || depth > DEEPEST || this.budget.spent) return undefined;
    this.budget.left -= 1;
    const inner = bare(node);
    switch (inner.type) {
      case "Literal":
        return inner.regex ? undefined : (inner.value as string | number | boolean | null);
      case "TemplateLiteral": {
        if ((inner.expressions ?? []).length > 20) return undefined;
        let text = "";
        for (const [index, quasi] of (inner.quasis ?? []).entries()) {
          text += cooked(quasi);
          const expression = inner.expressions?.[index];
          if (expression === undefined) continue;
          const value = this.constant(expression, depth + 1);
          if (value === undefined) return undefined;
          text += String(value);
        }
        return text;
      }
      case "UnaryExpression": {
        const value = this.constant(inner.argument, depth + 1);
        if (inner.operator === "!" && value !== undefined) return !value;
        return inner.operator === "-" && typeof value === "number" ? -value : undefined;
      }
      case "BinaryExpression": {
        const left = this.constant(inner.left, depth + 1);
        const right = left === undefined ? undefined : this.constant(inner.right, depth + 1);
        if (left === undefined || right === undefined || left === null || right === null) return undefined;
        if (inner.operator === "+")
          return typeof left === "number" && typeof right === "number" ? left + right : `${left}${right}`;
        if (typeof left !== "number" || typeof right !== "number") return undefined;
        if (inner.operator === "*") return left * right;
        return inner.operator === "-" ? left - right : undefined;
      }
      case "Identifier": {
        const binding = this.bindingOf(inner);
        if (binding === undefined || binding.access.length > 0) return undefined;
        const value = this.valueOf(binding);
        return value === undefined ? undefined : this.constant(value, depth + 1);
      }
      case "MemberExpression": {
        const key = keyName(inner.property, inner.computed);
        const object = key === undefined ? undefined : this.objectOf(inner.object);
        const value = object === undefined ? undefined : propertyOf(object, key!);
        return value === undefined ? undefined : this.constant(value, depth + 1);
      }
      default:
        return undefined;
    }
  }

  /** The object literal that an expression is, through names that have one value. */
  objectOf(node: Node | null | undefined, depth = 0): Node | undefined {
    if (!node || depth > 10) return undefined;
    const inner = bare(node);
    if (inner.type === "ObjectExpression") return inner;
    if (inner.type === "Identifier") {
      const binding = this.bindingOf(inner);
      const value = binding !== undefined && binding.access.length === 0 ? this.valueOf(binding) : undefined;
      return value === undefined ? undefined : this.objectOf(value, depth + 1);
    }
    if (inner.type === "CallExpression" && /^Object\.(?:freeze|seal)$/.test(this.pathOf(inner.callee!)))
      return this.objectOf(inner.arguments?.[0], depth + 1);
    if (inner.type === "MemberExpression") {
      const key = keyName(inner.property, inner.computed);
      const object = key === undefined ? undefined : this.objectOf(inner.object, depth + 1);
      return object === undefined ? undefined : this.objectOf(propertyOf(object, key!), depth + 1);
    }
    return undefined;
  }

  /** The function that an expression is, where it stands in this file. */
  functionOf(node: Node | null | undefined, depth = 0): Node | undefined {
    if (!node || depth > 10) return undefined;
    const inner = bare(node);
    if (isFunction(inner)) return inner;
    if (inner.type === "Identifier") {
      const binding = this.bindingOf(inner);
      if (binding?.kind === "function") return binding.node;
      if (binding === undefined || binding.kind !== "variable") return undefined;
      const value = this.valueOf(binding);
      if (value === undefined) return undefined;
      if (binding.access.length === 0) return this.functionOf(value, depth + 1);
      const object = this.objectOf(value);
      const key = binding.access[0];
      return object && key !== undefined && binding.access.length === 1
        ? this.functionOf(propertyOf(object, key), depth + 1)
        : undefined;
    }
    if (inner.type === "MemberExpression") {
      const key = keyName(inner.property, inner.computed);
      if (key === undefined) return undefined;
      if (inner.object?.type === "ThisExpression") return this.fieldValues(inner, key).find(isFunction);
      if (isSuper(inner.object)) return this.classes.valuesOf(inner, key, true).find(isFunction);
      const object = this.objectOf(inner.object);
      return object === undefined ? undefined : this.functionOf(propertyOf(object, key), depth + 1);
    }
    if (inner.type === "CallExpression") {
      // Wrappers: `asyncHandler(async (req, res) => …)`, `useCallback(() => …)`, `f.bind(this)`.
      if (lastName(inner.callee) === "bind") return this.functionOf(inner.callee?.object, depth + 1);
      const [first] = inner.arguments ?? [];
      return first && isFunction(bare(first)) ? bare(first) : undefined;
    }
    return undefined;
  }

  /** Calls of a function by its names in this file. */
  callsOf(fn: Node): readonly Node[] {
    let calls = this.#callsOf.get(fn);
    if (calls === undefined) {
      calls = this.#findCalls(fn);
      this.#callsOf.set(fn, calls);
    }
    return calls;
  }

  readonly #callsOf = new Map<Node, readonly Node[]>();

  #findCalls(fn: Node): readonly Node[] {
    const name = nameOfFunction(fn);
    const all = name === undefined ? [] : (this.facts.callsByName.get(name) ?? []);
    this.budget.left -= all.length;
    const calls: Node[] = [];
    for (const call of all) {
      if (calls.length >= MOST_CALLS) break;
      if (call.callee && call !== fn.up && this.functionOf(call.callee) === fn) calls.push(call);
    }
    return calls;
  }

  readonly #matches = new Map<RegExp, boolean>();

  /** Whether the text of the file matches, looked up once. */
  fileMatches(pattern: RegExp): boolean {
    let known = this.#matches.get(pattern);
    if (known === undefined) {
      known = matchesSomewhere(pattern, this.facts.text);
      this.#matches.set(pattern, known);
    }
    return known;
  }

  /** A value was longer than what a pattern looks at. */
  isCut = false;

  /** Whether the value matches: its first LONGEST_CODE characters, and that there were more is noted in `isCut`. */
  valueMatches(pattern: RegExp, value: string): boolean {
    if (value.length > LONGEST_CODE) this.isCut = true;
    return matchesCode(pattern, value);
  }
}

const MOST_CALLS = 40;
const MOST_MODULES = 300;
const MOST_RESULTS = 4;
const GLOBALS = new Set(["window", "globalThis", "self", "global", "top", "parent"]);

/** The name by which the rest of the file calls a function. */
export function nameOfFunction(fn: Node): string | undefined {
  if (fn.id) return fn.id.name as string;
  let up = fn.up;
  if (up?.type === "CallExpression") up = up.up;
  if (up?.type === "VariableDeclarator" && up.id?.type === "Identifier") return up.id.name as string;
  if (up?.type === "AssignmentExpression") return lastName(up.left);
  if (up?.type === "Property" || up?.type === "MethodDefinition" || up?.type === "PropertyDefinition")
    return keyName(up.key, up.computed);
  return undefined;
}

function member(path: string, key: string | undefined): string {
  if (path === "globalThis") {
    if (key === undefined) return "globalThis.[]";
    return GLOBALS.has(key) ? "globalThis" : key;
  }
  if (key === "default" && path.endsWith(":")) return path;
  if (path.endsWith(":")) return `${path}${key ?? "[]"}`;
  return `${path}.${key ?? "[]"}`;
}

export function cooked(quasi: Node): string {
  const value = quasi.value as { cooked?: string | null; raw?: string } | undefined;
  return value?.cooked ?? value?.raw ?? "";
}

function requiredModule(node: Node): string | undefined {
  if (node.type !== "CallExpression" || node.callee?.type !== "Identifier" || node.callee.name !== "require")
    return undefined;
  const [first] = node.arguments ?? [];
  return typeof first?.value === "string" ? moduleName(first.value) : undefined;
}

/** The value of a property of an object literal, the last of that name. */
export function propertyOf(object: Node, key: string): Node | undefined {
  let found: Node | undefined;
  for (const property of object.properties ?? [])
    if (property.type === "Property" && keyName(property.key, property.computed) === key)
      found = asNode(property.value);
  return found;
}
