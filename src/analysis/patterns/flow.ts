import type { Inlet, Outlet } from "./file-summary.ts";
import { guardsAt } from "./guards.ts";
import { filterCleans, positionIsSafe, replacementCleans, typedClean } from "./harmless.ts";
import {
  CARRIERS,
  HARMLESS,
  ITERATORS,
  isUnreadable,
  KNOWN_GLOBALS,
  PASSING,
  PLAIN_TEXT,
  SOUNDS_CLEANING,
} from "./known-calls.ts";
import { isLocalOnly } from "./local-only.ts";
import { lastOfPath, type NameTable, receiverOf } from "./name-pattern.ts";
import { cooked, type Names } from "./names.ts";
import { asNode, type Binding, bare, functionAround, isExported, isFunction, keyName, type Node } from "./node.ts";
import { dominates, inLoopWith, isWithin, returnedBy } from "./order.ts";
import type { Cleaner, Source } from "./row.ts";
import {
  ALL_CLEAN,
  appended,
  bitsOf,
  cleaned,
  FOREIGN,
  join,
  NOTHING,
  type Origin,
  PARAMETER,
  stepped,
  UNKNOWN,
  type Value,
} from "./value.ts";

const DEEPEST = 150;
const LONGEST_KEY = 200;
const MOST_CALLERS = 6;
const MOST_ASSIGNMENTS = 300;
const MOST_PARTS = 20_000;

export interface Tables {
  readonly sources: NameTable<Source>;
  readonly cleaners: NameTable<Cleaner>;
}

/** Follows values back to where they come from, each expression once. */
export class Flow {
  readonly names: Names;
  readonly tables: Tables;
  readonly #known = new Map<Node, Value>();
  readonly #busy = new Set<Node>();
  readonly #returns = new Map<Node, Value>();

  constructor(names: Names, tables: Tables) {
    this.names = names;
    this.tables = tables;
  }

  valueOf(node: Node | null | undefined, depth = 0): Value {
    if (!node) return NOTHING;
    const inner = bare(node, true);
    const known = this.#known.get(inner);
    if (known !== undefined) return known;
    if (depth > DEEPEST || this.names.budget.spent || this.#busy.has(inner)) return NOTHING;
    this.names.budget.left -= 1;
    this.names.budget.nesting += 1;
    this.#busy.add(inner);
    const value = this.#evaluate(inner, depth + 1);
    this.#busy.delete(inner);
    this.names.budget.nesting -= 1;
    this.#known.set(inner, value);
    return value;
  }

  #evaluate(node: Node, depth: number): Value {
    switch (node.type) {
      case "Identifier":
        return this.#name(node, depth);
      case "MemberExpression":
        return this.#member(node, depth);
      case "CallExpression":
      case "NewExpression":
        return this.#call(node, depth);
      case "TemplateLiteral":
        return this.#template(node, depth);
      case "BinaryExpression":
        return node.operator === "+" ? this.#sum(node, depth) : NOTHING;
      case "LogicalExpression":
        return join([this.valueOf(node.left, depth), this.valueOf(node.right, depth)]);
      case "ConditionalExpression":
        return join([
          this.guarded(this.valueOf(node.consequent as Node, depth), node.consequent as Node),
          this.guarded(this.valueOf(node.alternate, depth), node.alternate!),
        ]);
      case "AssignmentExpression":
        return this.valueOf(node.right, depth);
      case "SequenceExpression":
        return this.valueOf(node.expressions?.at(-1), depth);
      case "ArrayExpression":
        return join((node.elements ?? []).slice(0, MOST_PARTS).map((each) => this.valueOf(each, depth)));
      case "SpreadElement":
        return this.valueOf(node.argument, depth);
      case "ObjectExpression":
        return join(
          (node.properties ?? [])
            .slice(0, MOST_PARTS)
            .map((each) => this.valueOf(each.type === "SpreadElement" ? each.argument : asNode(each.value), depth)),
        );
      case "TaggedTemplateExpression": {
        const path = this.names.pathOf(node.tag!);
        const [cleaner] = this.tables.cleaners.find(path, lastOfPath(path), receiverOf(path));
        const value = this.#template(node.quasi!, depth);
        if (cleaner) return cleaned(value, bitsOf(cleaner.clean));
        return path === "String.raw" ? value : value.map((each) => ({ ...each, sure: false }));
      }
      case "JSXExpressionContainer":
        return this.valueOf(node.expression, depth);
      default:
        return NOTHING;
    }
  }

  // --- text that is put together

  #template(node: Node, depth: number): Value {
    const parts: Node[] = [];
    for (const [index, quasi] of (node.quasis ?? []).slice(0, MOST_PARTS).entries()) {
      parts.push(quasi);
      const expression = node.expressions?.[index];
      if (expression) parts.push(expression);
    }
    return this.#joinedText(parts, depth);
  }

  #sum(node: Node, depth: number): Value {
    const parts: Node[] = [];
    let left: Node | undefined = node;
    while (left?.type === "BinaryExpression" && left.operator === "+" && parts.length < MOST_PARTS) {
      parts.push(left.right!);
      left = left.left && bare(left.left);
    }
    if (left) parts.push(left);
    return this.#joinedText(parts.reverse(), depth);
  }

  #joinedText(parts: readonly Node[], depth: number): Value {
    let before = "";
    let values = 0;
    let clean = 0;
    const made: Value[] = [];
    for (const part of parts) {
      const text = part.type === "TemplateElement" ? cooked(part) : this.names.constant(part);
      if (text !== undefined) {
        before += text;
        continue;
      }
      values += 1;
      clean |= positionIsSafe(before, values > 1);
      const value = this.valueOf(part, depth);
      const alone = parts.length === 1 || (parts.length <= 3 && parts.every((each) => each === part || isEmpty(each)));
      made.push(value.map((each) => ({ ...each, joined: each.joined || !alone, clean: each.clean | clean })));
      before += "\0";
    }
    return join(made);
  }

  // --- names

  #name(node: Node, depth: number): Value {
    const binding = this.names.bindingOf(node);
    if (binding === undefined) return this.#global(node);
    switch (binding.kind) {
      case "import":
      case "function":
      case "class":
        return NOTHING;
      case "parameter":
        return this.#parameter(node, binding, depth);
      case "element":
        return stepped(this.valueOf(binding.node.right, depth), node);
      case "variable":
        return this.#variable(node, binding, depth);
      default:
        return NOTHING;
    }
  }

  #global(node: Node): Value {
    const name = node.name as string;
    const source = this.#sourceOf(node);
    if (source) return [this.#origin(node, source)];
    if (/^[A-Z_\d$]+$|^[A-Z]/.test(name) || KNOWN_GLOBALS.has(name)) return NOTHING;
    return [
      {
        reach: PARAMETER,
        node,
        label: name,
        key: `global ${name}`,
        clean: 0,
        steps: undefined,
        sure: true,
        joined: false,
      },
    ];
  }

  #parameter(node: Node, binding: Binding, depth: number): Value {
    const fn = binding.node;
    const source = this.#sourceWithin(node);
    if (source) return [this.#origin(node, source)];
    const role = this.names.roleOf(binding);
    if (role !== undefined) return NOTHING;
    const key = `${binding.name}@${fn.start}`;
    const own: Origin = {
      ...{ reach: PARAMETER, node: binding.pattern ?? node, label: binding.name, key, clean: typedClean(binding) },
      ...{ steps: undefined, sure: true, joined: false, parameter: binding },
    };
    const given = this.#given(binding, depth);
    return given ?? [own];
  }

  /** What callbacks of collections and promises are given. */
  #given(binding: Binding, depth: number): Value | undefined {
    const fn = binding.node;
    const call = fn.up;
    if (call?.type !== "CallExpression" || call.callee?.type !== "MemberExpression") return undefined;
    const name = keyName(call.callee.property, call.callee.computed);
    if (name === undefined || !ITERATORS.has(name) || binding.index === undefined) return undefined;
    const index = name === "reduce" || name === "reduceRight" ? 1 : 0;
    if (binding.index !== index) return NOTHING;
    return stepped(this.valueOf(call.callee.object, depth), binding.pattern!);
  }

  #variable(node: Node, binding: Binding, depth: number): Value {
    const definitions = this.#reaching(node, binding);
    const values = definitions.map((definition) => this.#defined(definition, binding, depth));
    const mutations = this.#mutations(node, binding, depth);
    return join([...values, ...mutations]);
  }

  #defined(definition: Node, binding: Binding, depth: number): Value {
    if (definition === binding.node) {
      const { init } = definition;
      if (!init) return NOTHING;
      const value = this.#taken(init, binding.access, binding, depth);
      const fallback = binding.fallback ? this.valueOf(binding.fallback, depth) : NOTHING;
      return stepped(this.guarded(join([value, fallback]), init), definition.id!);
    }
    const value = this.guarded(this.valueOf(definition.right, depth), definition);
    const added = definition.operator === "+=" ? value.map((each) => ({ ...each, joined: true })) : value;
    return stepped(added, definition.left!);
  }

  /** A member of a value, as a pattern takes it out. */
  #taken(init: Node, access: Binding["access"], binding: Binding, depth: number): Value {
    if (access.length === 0) return this.valueOf(init, depth);
    const base = this.names.pathOf(init);
    let path = base;
    for (const key of access) {
      path = path.endsWith(":") ? `${path}${key ?? "[]"}` : `${path}.${key ?? "[]"}`;
      const [source] = this.tables.sources.find(path, lastOfPath(path), receiverOf(path));
      if (source) return [this.#origin(binding.node.id ?? init, source, `${this.label(init)}.${access.join(".")}`)];
    }
    let object = this.names.objectOf(init);
    for (const key of access) {
      const property =
        object && key !== undefined
          ? (object.properties ?? []).find((each) => keyName(each.key, each.computed) === key)
          : undefined;
      if (!property) return this.#takenOut(init, access, depth);
      const value = asNode(property.value);
      object = value && this.names.objectOf(value);
      if (!object) return this.valueOf(value, depth);
    }
    return this.valueOf(object ?? init, depth);
  }

  #takenOut(init: Node, access: Binding["access"], depth: number): Value {
    const names = access.map((key) => key ?? "…").join(".");
    const inner = bare(init, true);
    return this.valueOf(init, depth).map((each) => {
      const key = `${each.key}.${names}`.slice(0, LONGEST_KEY);
      return each.node === inner ? { ...each, key, label: `${each.label}.${names}` } : { ...each, key };
    });
  }

  /** The values that a variable may have here: an assignment that is always passed replaces those before it. */
  #reaching(use: Node, binding: Binding): readonly Node[] {
    const all = this.names.assignmentsTo(binding);
    if (all.length === 0) return [binding.node];
    const assignments = all.slice(0, MOST_ASSIGNMENTS);
    this.names.budget.left -= assignments.length;
    const fn = functionAround(use);
    const near = assignments.filter((each) => each.end <= use.start || !isWithin(use, each));
    const before = near.filter((each) => functionAround(each) === fn && each.end <= use.start);
    const last = before.findLast((each) => each.operator === "=" && dominates(each, use));
    const kept =
      last === undefined
        ? near
        : near.filter(
            (each) =>
              each.start >= last.start &&
              (each.end <= use.start || inLoopWith(each, use) || functionAround(each) !== fn),
          );
    return (last === undefined ? [binding.node, ...kept] : kept).slice(0, 64);
  }

  /** What is put into an object or list that a variable holds. */
  #mutations(node: Node, binding: Binding, depth: number): Value[] {
    const values: Value[] = [];
    for (const write of this.names.writesTo(binding)) {
      this.names.budget.left -= 1;
      if (values.length > 64 || this.names.budget.spent) break;
      if (write.start > node.start && functionAround(write) === functionAround(node) && !inLoopWith(write, node))
        continue;
      values.push(this.valueOf(write.right, depth));
    }
    for (const call of this.names.additionsTo(binding)) {
      this.names.budget.left -= 1;
      if (values.length > 64 || this.names.budget.spent) break;
      for (const argument of (call.arguments ?? []).slice(0, 8)) values.push(this.valueOf(argument, depth));
    }
    return values;
  }

  // --- members

  #member(node: Node, depth: number): Value {
    const source = this.#sourceOf(node);
    if (source) return [this.#origin(node, source)];
    const key = this.names.keyOf(node);
    if (key !== undefined && (HARMLESS.has(key) || key === "size")) return NOTHING;
    const object = node.object!;
    if (object.type === "ThisExpression") {
      if (key === undefined) return NOTHING;
      return stepped(
        join(
          this.names.fieldValues(node, key).map((each) => (isFunction(each) ? NOTHING : this.#field(each, key, depth))),
        ),
        node,
      );
    }
    const literal = this.names.objectOf(object);
    if (literal !== undefined) {
      // A key of a table of constants picks one of them.
      const property =
        key === undefined
          ? undefined
          : (literal.properties ?? []).find((each) => keyName(each.key, each.computed) === key);
      if (property) {
        const inner = bare(object);
        const binding = inner.type === "Identifier" ? this.names.bindingOf(inner) : undefined;
        const written = binding ? this.#mutations(node, binding, depth) : [];
        return join([this.valueOf(asNode(property.value), depth), ...written]);
      }
    }
    return this.#memberOf(this.valueOf(object, depth), object, node, key);
  }

  /** The same input, more exactly: a check of one member says nothing of another. */
  #memberOf(value: Value, object: Node, node: Node, key: string | undefined): Value {
    return value.map((each) => {
      const direct = each.node === bare(object, true);
      const more = {
        key: each.key.length < LONGEST_KEY ? `${each.key}.${key ?? this.label(node.property ?? node)}` : each.key,
      };
      return direct ? { ...each, ...more, node, label: this.label(node) } : { ...each, ...more };
    });
  }

  #field(value: Node, name: string, depth: number): Value {
    if (value.type === "Identifier" && value.up?.type === "TSParameterProperty")
      return [
        {
          reach: UNKNOWN,
          node: value,
          label: `this.${name}`,
          key: `this.${name}`,
          clean: 0,
          steps: undefined,
          sure: true,
          joined: false,
        },
      ];
    return this.valueOf(value, depth);
  }

  // --- calls

  #call(node: Node, depth: number): Value {
    const source = this.#sourceOf(node);
    if (source) return [this.#origin(node, source)];
    const callee = bare(node.callee!);
    const args = node.arguments ?? [];
    const path = this.names.pathOf(callee);
    const last = lastOfPath(path);
    const [cleaner] = this.tables.cleaners.find(path, last, receiverOf(path));
    const isMember = callee.type === "MemberExpression";
    const name = isMember ? this.names.keyOf(callee) : undefined;
    if (cleaner) {
      // `value.toString()` is the value itself, in figures and letters where it says so.
      if (name !== "toString") return cleaned(this.#all(args, depth), bitsOf(cleaner.clean));
      const plain = PLAIN_TEXT.has(String(this.names.constant(args[0])));
      return cleaned(this.valueOf(callee.object, depth), plain ? ALL_CLEAN : bitsOf(cleaner.clean));
    }
    const local = this.names.functionOf(callee);
    if (local !== undefined) return this.#returned(local, node, depth);
    const imported = this.names.imports?.functionOf(path);
    if (imported !== undefined) return join(imported.returns.map((each) => this.#imported(each, node, depth)));
    if (CARRIERS.find(path, last, receiverOf(path)).length > 0) {
      const value = this.#all(args, depth);
      // A path of this site.
      if (last === "URL" && args.length === 2 && this.names.constant(args[0]) !== undefined)
        return cleaned(value, bitsOf(["redirect", "url"]));
      if (/^path[/:]/.test(path) && last !== "join") return value.map((each) => ({ ...each, resolved: true as const }));
      return /^path[/:]/.test(path) && args.length > 1
        ? value.map((each) => ({ ...each, joined: true, resolved: true as const }))
        : value;
    }
    if (isMember && name !== undefined && !/^[\w@/.-]+:$/.test(this.names.pathOf(callee.object!))) {
      if (HARMLESS.has(name) && !(name === "search" && args.length === 0)) return NOTHING;
      const receiver = this.valueOf(callee.object, depth);
      if (PASSING.has(name)) return this.#passed(name, node, receiver, args, depth);
      if (receiver.length > 0 && !isUnreadable(name)) return join([receiver, this.#unsure(this.#all(args, depth))]);
    }
    return this.#foreignCall(node, last, path, depth);
  }

  #passed(name: string, node: Node, receiver: Value, args: readonly Node[], depth: number): Value {
    const [first, second] = args;
    if (name === "replace" || name === "replaceAll") {
      const put = second && !isFunction(bare(second)) ? this.valueOf(second, depth) : NOTHING;
      return join([cleaned(receiver, replacementCleans(first, name, second)), put]);
    }
    if (name === "map" || name === "flatMap" || name === "then") {
      const fn = this.names.functionOf(first);
      if (fn) return this.#returned(fn, node, depth);
      const called = first ? this.names.pathOf(first) : "";
      const [cleaner] = this.tables.cleaners.find(called, lastOfPath(called), receiverOf(called));
      if (cleaner) return cleaned(receiver, bitsOf(cleaner.clean));
      return receiver;
    }
    if (
      name === "get" ||
      name === "find" ||
      name === "filter" ||
      name === "at" ||
      name === "item" ||
      name === "match"
    ) {
      const fn = this.names.functionOf(first);
      // Which one is taken is decided by the list, not by what is asked for.
      if (fn !== undefined && name === "filter") return cleaned(receiver, filterCleans(fn));
      return receiver;
    }
    return join([receiver, this.#all(args, depth)]);
  }

  /** What a function of this file gives back for a call, its parameters replaced by what the call hands over. */
  #returned(fn: Node, call: Node, depth: number): Value {
    const value = this.returnsOf(fn, depth);
    const results: Value[] = [];
    for (const origin of value) {
      const { parameter } = origin;
      if (parameter === undefined || parameter.node !== fn) {
        results.push([origin]);
        continue;
      }
      const index = parameter.index ?? 0;
      const callee = bare(call.callee!);
      // A callback that is handed to `map` or `then`.
      const inner =
        this.names.functionOf(callee) === fn
          ? this.valueOf(call.arguments?.[index], depth)
          : index === 0
            ? this.valueOf(callee.object, depth)
            : NOTHING;
      results.push(
        inner.map((each) => ({
          ...each,
          clean: each.clean | origin.clean,
          joined: each.joined || origin.joined,
          sure: each.sure && origin.sure,
          ...(origin.resolved ? { resolved: true as const } : {}),
          steps: { node: call, before: each.steps },
        })),
      );
    }
    return join(results);
  }

  /** A part of what a function of another file gives back. */
  #imported(outlet: Outlet, call: Node, depth: number): Value {
    const { parameter, label, source, clean, joined, sure, resolved, steps, access = [] } = outlet;
    if (parameter === undefined) {
      const key = `${steps[0]?.path ?? ""} ${label}`;
      const how = { clean, joined, sure, steps: undefined, ...(steps.length > 0 ? { came: steps } : {}) };
      if (source === undefined) return [{ reach: UNKNOWN, node: call, label, key, ...how }];
      return [{ reach: FOREIGN, source: { ...source, values: "" }, node: call, label, key, ...how }];
    }
    const value = this.#partOf(call.arguments?.[parameter], access, depth);
    return value.map((each) => ({
      ...each,
      clean: each.clean | clean,
      joined: each.joined || joined,
      sure: each.sure && sure,
      ...(resolved ? { resolved: true as const } : {}),
      steps: { node: call, before: each.steps },
    }));
  }

  /** What a function that takes a part of an argument gets. */
  #partOf(argument: Node | undefined, access: Binding["access"], depth: number): Value {
    if (argument === undefined) return NOTHING;
    const object = access[0] === undefined ? undefined : this.names.objectOf(argument);
    const property = object?.properties?.find((each) => keyName(each.key, each.computed) === access[0]);
    return property ? this.valueOf(asNode(property.value), depth) : this.valueOf(argument, depth);
  }

  /** What a call hands to a function of another file, with the checks before the call. */
  handed(call: Node, { parameter, access = [] }: Pick<Inlet, "parameter" | "access">): Value {
    return this.expand(this.guarded(this.#partOf(call.arguments?.[parameter], access, 0), call));
  }

  /** What a function gives back, in terms of its parameters. */
  returnsOf(fn: Node, depth: number): Value {
    const known = this.#returns.get(fn);
    if (known !== undefined) return known;
    this.#returns.set(fn, NOTHING);
    const body = fn.body as Node;
    const results = body.type === "BlockStatement" ? returnedBy(body) : [body];
    const value = join(results.map((each) => this.guarded(this.valueOf(each, depth), each)));
    this.#returns.set(fn, value);
    return value;
  }

  /** A function that nobody here can read: what goes in may come out. */
  #foreignCall(node: Node, last: string, path: string, depth: number): Value {
    if (isLocalOnly(path, last)) return NOTHING;
    const args = (node.arguments ?? []).filter((each) => !isFunction(each));
    const value = this.#all(args.slice(0, 20), depth);
    if (SOUNDS_CLEANING.test(last)) return cleaned(value, ALL_CLEAN);
    const label = `${this.label(node.callee!)}()`;
    const own: Origin = {
      ...{
        reach: UNKNOWN,
        node,
        label,
        key: `call ${node.start}`,
        clean: 0,
        steps: undefined,
        sure: false,
        joined: false,
      },
    };
    if (value.length === 0 || isUnreadable(last)) return node.type === "NewExpression" ? NOTHING : [own];
    return node.type === "NewExpression" ? NOTHING : this.#unsure(value);
  }

  #unsure(value: Value): Value {
    return value.map((each) => ({ ...each, sure: false }));
  }

  #all(args: readonly Node[], depth: number): Value {
    return join(args.slice(0, 1_000).map((each) => this.valueOf(each, depth)));
  }

  // --- sources

  #sourceOf(node: Node): Source | undefined {
    const path = this.names.pathOf(node);
    const plain = path.replace(/(?:\(\))+$/, "");
    const [source] = this.tables.sources.find(plain, lastOfPath(plain), receiverOf(plain));
    return source;
  }

  /** Also where the name is of something below the source: `({ query: { name } }) => …`. */
  #sourceWithin(node: Node): Source | undefined {
    let path = this.names.pathOf(node);
    for (let depth = 0; path.startsWith("@") && depth < 6; depth += 1) {
      const [source] = this.tables.sources.find(path, lastOfPath(path), receiverOf(path));
      if (source) return source;
      const dot = path.lastIndexOf(".");
      if (dot === -1) return undefined;
      path = path.slice(0, dot);
    }
    return undefined;
  }

  #origin(node: Node, source: Source, label = this.label(node)): Origin {
    return {
      ...{ reach: FOREIGN, source, node, label, key: label, clean: bitsOf(source.clean ?? []) },
      ...{ steps: undefined, sure: true, joined: false },
    };
  }

  label(node: Node): string {
    const text = this.names.facts.text.slice(node.start, Math.min(node.end, node.start + 80)).replace(/\s+/g, " ");
    return text.length > 60 ? `${text.slice(0, 57)}…` : text;
  }

  /** Without the origins that a check on the way to this place makes harmless. */
  guarded(value: Value, at: Node): Value {
    if (value.length === 0) return value;
    const guards = guardsAt(at, this);
    if (guards.length === 0) return value;
    return value.map((origin) => {
      let { clean } = origin;
      for (const guard of guards)
        if (covers(guard.keys, origin.key) && (!guard.resolvedOnly || origin.resolved)) clean |= guard.bits;
      return clean === origin.clean ? origin : { ...origin, clean };
    });
  }

  /** Parameters replaced by what callers in this file hand over; those that others call stay. */
  expand(value: Value, depth = 0): Value {
    if (depth > MOST_CALLERS || !value.some(({ parameter }) => parameter !== undefined)) return value;
    return join(
      value.map((origin): Value => {
        const { parameter } = origin;
        const given = parameter === undefined ? undefined : this.#handedOver(parameter, depth);
        if (given === undefined) return [origin];
        const foreign = given.some(({ reach }) => reach === FOREIGN);
        // A helper that is only ever called with constants is no way in.
        if (!foreign && parameter !== undefined && isExported(parameter.node))
          return [origin, ...given.filter((each) => each.parameter !== undefined).map((each) => behind(origin, each))];
        const passed = given.map((each) => behind(origin, each));
        return parameter !== undefined && isExported(parameter.node) ? [...passed, origin] : passed;
      }),
    );
  }

  /** What all calls in this file give a parameter, each parameter once; undefined where nobody calls. */
  #handedOver(parameter: Binding, depth: number): Value | undefined {
    if (parameter.index === undefined) return undefined;
    const known = this.#handed.get(parameter);
    if (known !== undefined) return known;
    const calls = this.names.callsOf(parameter.node);
    this.names.budget.left -= calls.length;
    if (calls.length === 0) return undefined;
    // A function that calls itself adds nothing by that.
    this.#handed.set(parameter, NOTHING);
    const given = calls.map((call) => {
      const argument = call.arguments?.[parameter.index ?? 0];
      const inner = this.#partOf(argument, parameter.access, 0);
      return stepped(this.expand(this.guarded(inner, call), depth + 1), call);
    });
    const value = join(given);
    this.#handed.set(parameter, value);
    return value;
  }

  readonly #handed = new Map<Binding, Value>();
}

/** What a caller hands over, with what happens to it in the function. */
function behind(origin: Origin, given: Origin): Origin {
  return {
    ...given,
    clean: given.clean | origin.clean,
    joined: given.joined || origin.joined,
    sure: given.sure && origin.sure,
    ...(given.steps === undefined ? {} : { steps: appended(origin.steps, given.steps) }),
  };
}

/** What was checked whole was checked in each of its members. */
function covers(keys: ReadonlySet<string>, key: string): boolean {
  if (keys.has(key)) return true;
  for (let dot = key.lastIndexOf("."); dot > 0; dot = key.lastIndexOf(".", dot - 1))
    if (keys.has(key.slice(0, dot))) return true;
  return false;
}

function isEmpty(node: Node): boolean {
  return node.type === "TemplateElement" && cooked(node) === "";
}
