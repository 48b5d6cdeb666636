import type { Inlet } from "./file-summary.ts";
import { type Guard, guardsAt } from "./guards.ts";
import { positionIsSafe } from "./harmless.ts";
import { lastOfPath, type NameTable, receiverOf, withoutCalls } from "./name-pattern.ts";
import { cooked, type Names } from "./names.ts";
import { asNode, type Binding, bare, isExported, type Node, returnedBy } from "./node.ts";
import type { Cleaner, Source } from "./row.ts";
import { bitsOfHandled, bitsOfParsed, bitsOfSchema } from "./schemas.ts";
import {
  appended,
  beginning,
  bitsOf,
  cleaned,
  FOREIGN,
  type Following,
  join,
  NOTHING,
  type Origin,
  stepped,
  type Value,
} from "./value.ts";
import { partOf, valueOfCall } from "./value-of-call.ts";
import { isOwnName, namedByServer, takesOwnName, UPLOAD, valueOfMember, valueOfName } from "./value-of-name.ts";

const DEEPEST = 150;
const MOST_CALLERS = 6;
const MOST_PARTS = 20_000;

export interface Tables {
  readonly sources: NameTable<Source>;
  readonly cleaners: NameTable<Cleaner>;
}

/** Follows values back to where they come from, each expression once. */
export class Flow implements Following {
  readonly names: Names;
  readonly #tables: Tables;
  readonly #known = new Map<Node, Value>();
  readonly #busy = new Set<Node>();
  readonly #returns = new Map<Node, Value>();

  constructor(names: Names, tables: Tables) {
    this.names = names;
    this.#tables = tables;
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
        return this.#checked(valueOfName(this, node, depth), node);
      case "MemberExpression":
        return this.#checked(valueOfMember(this, node, depth), node);
      case "CallExpression":
      case "NewExpression":
        return valueOfCall(this, node, depth);
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
        const cleaner = this.cleanerAt(path);
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

  /** Without what a schema let not pass. */
  #checked(value: Value, node: Node): Value {
    return value.length === 0 ? value : cleaned(value, bitsOfParsed(this.names, node));
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

  // --- calls

  /** What a call hands to a function of another file, with the checks before the call. */
  handed(call: Node, { parameter, access = [] }: Pick<Inlet, "parameter" | "access">): Value {
    return this.expand(this.guarded(partOf(this, call.arguments?.[parameter], access, 0), call));
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

  // --- sources

  sourceOf(node: Node): Source | undefined {
    return this.sourceAt(withoutCalls(this.names.pathOf(node)));
  }

  sourceAt(path: string): Source | undefined {
    return this.#tables.sources.find(path, lastOfPath(path), receiverOf(path))[0];
  }

  cleanerAt(path: string): Cleaner | undefined {
    return this.#tables.cleaners.find(path, lastOfPath(path), receiverOf(path))[0];
  }

  originOf(node: Node, source: Source, label = this.label(node), path = this.names.pathOf(node)): Origin {
    return beginning(
      { reach: FOREIGN, node, label, key: label },
      {
        ...{ source, clean: bitsOf(source.clean ?? []) | bitsOfHandled(this.names, node, path), sure: !source.unsure },
        ...(UPLOAD.test(path) ? { upload: true as const } : {}),
      },
    );
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
      for (const guard of guards) {
        const rest = guard.resolvedOnly && !origin.resolved ? undefined : behindKey(guard.keys, origin.key);
        if (rest !== undefined) clean |= this.#bitsOf(guard, rest);
      }
      return clean === origin.clean ? origin : { ...origin, clean };
    });
  }

  #bitsOf({ bits, schema }: Guard, rest: string): number {
    if (schema === undefined) return bits;
    const access = rest === "" ? [] : rest.split(".");
    return bitsOfSchema(this.names, schema, access[0] === "data" ? access.slice(1) : access) ?? bits;
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
        const isOwn = isOwnName(origin.key) || takesOwnName(parameter?.access ?? []);
        const passed = given.map((each) => behind(origin, isOwn ? namedByServer(each) : each));
        return parameter !== undefined && isExported(parameter.node) ? [...passed, origin] : passed;
      }),
    );
  }

  /** What all calls in this file give a parameter, each parameter once; undefined where there are no calls. */
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
      const inner = partOf(this, argument, parameter.access, 0);
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

/** What was checked whole was checked in each of its members: the members of the key behind a checked one. */
function behindKey(keys: ReadonlySet<string>, key: string): string | undefined {
  if (keys.has(key)) return "";
  for (let dot = key.lastIndexOf("."); dot > 0; dot = key.lastIndexOf(".", dot - 1))
    if (keys.has(key.slice(0, dot))) return key.slice(dot + 1);
  return undefined;
}

function isEmpty(node: Node): boolean {
  return node.type === "TemplateElement" && cooked(node) === "";
}
