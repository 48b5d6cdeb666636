import { identifier, literal, make, type Node } from "../node.ts";
import { childrenOf, memberOf, type SyntaxNode, template } from "./nodes.ts";
import { isLogic, readLogic } from "./read-logic.ts";
import { beginsWithin, lastPart, readPathCall } from "./read-paths.ts";

const DEEPEST = 400;
const MOST_BEGINNINGS = 20;
/** Parts of an address, as the search knows them of `new URL(text)`. */
const ADDRESS_PARTS: Readonly<Record<string, string>> = { netloc: "host", hostname: "hostname", scheme: "protocol" };

/** Expressions of Python, as the tree of the search has them. */
export class Expressions {
  /** Names that the functions around assign, the innermost last. */
  readonly declared: Set<string>[] = [];
  /** What the methods around call their object, the innermost last. */
  readonly self: (string | undefined)[] = [];
  /** Parameters of the functions around that are models of pydantic, with the fields that are numbers; the innermost last. */
  readonly models: ReadonlyMap<string, ReadonlySet<string>>[] = [];
  readonly #text: string;
  /** Whether the file knows paths that are objects. */
  readonly #pathlib: boolean;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#pathlib = text.includes("pathlib");
  }

  expression(node: SyntaxNode): Node {
    if (this.#depth > DEEPEST) return identifier("undefined", node);
    this.#depth += 1;
    const read = this.#read(node, childrenOf(node));
    this.#depth -= 1;
    return read;
  }

  /** One expression, or a tuple without its parentheses. */
  list(node: SyntaxNode, parts: readonly SyntaxNode[]): Node | undefined {
    const items = parts.filter(({ name }) => name !== ",");
    if (items.length === 0) return undefined;
    if (items.length === 1 && parts.length === 1) return this.expression(items[0]!);
    return make("ArrayExpression", node, { elements: items.map((item) => this.expression(item)) });
  }

  target(node: SyntaxNode): Node {
    if (node.name === "VariableName") {
      const name = this.of(node);
      if (!this.self.includes(name)) this.declared.at(-1)?.add(name);
      return identifier(name, node);
    }
    if (/^(?:Tuple|Array|Parenthesized)Expression$/.test(node.name)) {
      const inner = childrenOf(node).filter(({ name }) => !/^[[\](),]$/.test(name));
      return make("ArrayPattern", node, { elements: inner.map((each) => this.target(each)) });
    }
    return this.expression(node);
  }

  /** Names that are new in what follows, not variables of the function. */
  pattern(targets: readonly SyntaxNode[], node: SyntaxNode): Node {
    this.declared.push(new Set());
    const read = targets.map((target) => this.target(target));
    this.declared.pop();
    return read.length === 1 ? read[0]! : make("ArrayPattern", node, { elements: read });
  }

  parameters(list: SyntaxNode) {
    const found: {
      readonly name: string;
      readonly at: SyntaxNode;
      readonly node: Node;
      readonly about: string;
      readonly starred: boolean;
    }[] = [];
    const parts = childrenOf(list).filter(({ name }) => name !== "(" && name !== ")");
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at]!;
      if (part.name !== "VariableName") continue;
      const end = parts.findIndex(({ name }, index) => index > at && name === ",");
      const rest = parts.slice(at + 1, end === -1 ? undefined : end);
      const type = rest.find(({ name }) => name === "TypeDef");
      const fallback = rest.findIndex(({ name }) => name === "AssignOp");
      const value = fallback === -1 ? undefined : rest[fallback + 1];
      const name = this.of(part);
      const starred = /^\*/.test(parts[at - 1]?.name ?? "");
      const plain = identifier(name, part);
      const node = starred
        ? make("RestElement", part, { argument: plain })
        : value
          ? make("AssignmentPattern", part, { left: plain, right: this.expression(value) })
          : plain;
      found.push({
        ...{ name, at: part, node, starred },
        about: `${this.of(type).replace(/^:\s*/, "")} ${this.of(value)}`.trim(),
      });
      at += rest.length;
    }
    return found;
  }

  /** Named ones together, as the last: an object of options. */
  arguments(list: SyntaxNode): Node[] {
    const groups: SyntaxNode[][] = [[]];
    for (const part of childrenOf(list)) {
      if (part.name === ",") groups.push([]);
      else if (part.name !== "(" && part.name !== ")") groups.at(-1)!.push(part);
    }
    const args: Node[] = [];
    const options: Node[] = [];
    for (const [first, second, third, ...rest] of groups) {
      if (first === undefined) continue;
      if (second?.name === "AssignOp" && third) {
        const value = this.expression(third);
        options.push(
          make("Property", first, { key: identifier(this.of(first), first), value, kind: "init", computed: false }),
        );
      } else if (/^\*/.test(first.name) && second) {
        const spread = make("SpreadElement", second, { argument: this.expression(second) });
        (first.name === "**" ? options : args).push(spread);
      } else if (second?.name === "for") {
        args.push(this.#comprehension(list, [first, first, second, ...(third ? [third] : []), ...rest, first]));
      } else args.push(this.expression(first));
    }
    return options.length === 0 ? args : [...args, make("ObjectExpression", list, { properties: options })];
  }

  of(node: SyntaxNode | undefined): string {
    return node === undefined ? "" : this.#text.slice(node.from, node.to);
  }

  #read(node: SyntaxNode, parts: readonly SyntaxNode[]): Node {
    switch (node.name) {
      case "VariableName": {
        const name = this.of(node);
        return name === this.self.at(-1) ? make("ThisExpression", node, {}) : identifier(name, node);
      }
      case "String":
        return literal(stringValue(this.of(node)), node);
      case "FormatString":
        return template(node, this.#replacements(parts));
      case "ContinuedString": {
        const read = parts.map((part) => this.expression(part));
        if (read.every(({ type }) => type === "Literal")) return literal(read.map(({ value }) => value).join(""), node);
        return template(
          node,
          read.flatMap(({ expressions }) => expressions ?? []),
        );
      }
      case "Number":
        return make("Literal", node, { value: Number(this.of(node).replaceAll("_", "")), raw: this.of(node) });
      case "Boolean":
        return make("Literal", node, { value: this.of(node) === "True", raw: this.of(node).toLowerCase() });
      case "None":
        return make("Literal", node, { value: null, raw: "null" });
      case "ParenthesizedExpression":
        return parts[1] ? this.expression(parts[1]) : identifier("undefined", node);
      case "AwaitExpression":
        return make("AwaitExpression", node, { argument: this.expression(parts[1] ?? node) });
      case "UnaryExpression": {
        if (isLogic(node, this.#text)) return readLogic(node, this.#text, (operand) => this.expression(operand));
        const argument = parts[1] ? this.expression(parts[1]) : identifier("undefined", node);
        return make("UnaryExpression", node, { operator: "-", prefix: true, argument });
      }
      case "NamedExpression": {
        const [target, , value] = parts;
        if (!target || !value) return identifier("undefined", node);
        return make("AssignmentExpression", node, {
          operator: "=",
          left: this.target(target),
          right: this.expression(value),
        });
      }
      case "ConditionalExpression": {
        const [yes, , test, , no] = parts;
        if (!yes || !test || !no) return identifier("undefined", node);
        const [consequent, condition, alternate] = [yes, test, no].map((part) => this.expression(part));
        return make("ConditionalExpression", node, { test: condition, consequent, alternate });
      }
      case "BinaryExpression":
        if (isLogic(node, this.#text)) return readLogic(node, this.#text, (operand) => this.expression(operand));
        return this.#binary(node, parts);
      case "MemberExpression":
        return this.#member(node, parts);
      case "CallExpression":
        return this.#call(node, parts);
      case "LambdaExpression": {
        const list = parts.find(({ name }) => name === "ParamList");
        const body = parts.at(-1) ?? node;
        const params = list ? this.parameters(list).map((param) => param.node) : [];
        return make("ArrowFunctionExpression", node, { params, body: this.expression(body), expression: true });
      }
      case "ArrayExpression":
      case "TupleExpression":
      case "SetExpression": {
        const items = parts.filter(({ name }) => !/^[[\](){},*]$/.test(name));
        return make("ArrayExpression", node, { elements: items.map((item) => this.expression(item)) });
      }
      case "DictionaryExpression":
        return this.#dictionary(node, parts);
      case "ArrayComprehensionExpression":
      case "ComprehensionExpression":
      case "SetComprehensionExpression":
        return this.#comprehension(node, parts);
      default:
        return identifier("undefined", node);
    }
  }

  #replacements(parts: readonly SyntaxNode[]): Node[] {
    return parts.flatMap((part) => {
      const inner = part.name === "FormatReplacement" ? childrenOf(part)[1] : undefined;
      return inner ? [this.expression(inner)] : [];
    });
  }

  #binary(node: SyntaxNode, parts: readonly SyntaxNode[]): Node {
    const [first, last] = [parts[0], parts.at(-1)];
    if (!first || !last || parts.length < 3) return identifier("undefined", node);
    const word = parts
      .slice(1, -1)
      .map((part) => this.of(part))
      .join(" ");
    const [left, right] = [this.expression(first), this.expression(last)];
    // Text with places to fill in.
    if (word === "%" && /String$|^VariableName$/.test(first.name)) {
      const values = right.type === "ArrayExpression" ? ((right.elements ?? []) as Node[]) : [right];
      return template(node, left.type === "Literal" ? values : [left, ...values]);
    }
    if (word === "/" && this.#pathlib) return template(node, [left, right]);
    if (word === "in" || word === "not in") {
      const within =
        beginsWithin(left, right, node) ??
        make("CallExpression", node, { callee: memberOf(right, "includes", last), arguments: [left] });
      return word === "in" ? within : make("UnaryExpression", node, { operator: "!", prefix: true, argument: within });
    }
    const operator = { "==": "===", "!=": "!==", is: "===", "is not": "!==" }[word] ?? word;
    return make("BinaryExpression", node, { operator, left, right });
  }

  #member(node: SyntaxNode, parts: readonly SyntaxNode[]): Node {
    const [first, , key] = parts;
    if (!first) return identifier("undefined", node);
    const object = this.expression(first);
    if (key?.name === "PropertyName") {
      const name = this.of(key);
      if (first.name === "VariableName" && this.models.at(-1)?.get(this.of(first))?.has(name)) return literal(0, node);
      const part = Object.hasOwn(ADDRESS_PARTS, name) ? ADDRESS_PARTS[name] : undefined;
      const last = this.#pathlib ? lastPart(object, name, node) : undefined;
      if (last !== undefined) return last;
      return memberOf(object, part ?? name, key, node);
    }
    const slice = parts.some(({ name }) => name === ":");
    if (slice || !key) return make("CallExpression", node, { callee: memberOf(object, "slice", node), arguments: [] });
    return make("MemberExpression", node, { object, property: this.expression(key), computed: true });
  }

  #call(node: SyntaxNode, parts: readonly SyntaxNode[]): Node {
    const [first] = parts;
    const list = parts.find(({ name }) => name === "ArgList");
    const args = list ? this.arguments(list) : [];
    const callee = first ? this.expression(first) : identifier("undefined", node);
    const name = callee.type === "MemberExpression" && !callee.computed ? String(callee.property?.name) : "";
    const object = callee.object;
    const [argument] = args;
    if (object !== undefined && name === "format") {
      const values = args.flatMap((each) =>
        each.type === "ObjectExpression" ? (each.properties ?? []).map(valueOfProperty) : [each],
      );
      return template(node, object.type === "Literal" ? values : [object, ...values]);
    }
    if (object !== undefined && name === "join" && argument && /^(?:Literal|TemplateLiteral)$/.test(object.type))
      return make("CallExpression", node, { callee: memberOf(argument, "join", node), arguments: [object] });
    const path = readPathCall({ node, callee, called: this.of(first), args, pathlib: this.#pathlib });
    if (path !== undefined) return path;
    if (/^(?:urlparse|urlsplit)$/.test(name === "" ? String(callee.name) : name) && argument)
      return make("NewExpression", node, { callee: identifier("URL", node), arguments: [argument] });
    const checked = this.#checkOf(callee, name, args, node);
    return checked ?? make("CallExpression", node, { callee, arguments: args });
  }

  /** Questions to a text, as the guards of the search know them. */
  #checkOf(callee: Node, name: string, args: readonly Node[], node: SyntaxNode): Node | undefined {
    const { object } = callee;
    if (object === undefined) return undefined;
    const test = (pattern: string, subject: Node) =>
      make("CallExpression", node, { callee: memberOf(regex(pattern, node), "test", node), arguments: [subject] });
    if (name === "startswith" || name === "endswith") {
      const renamed = memberOf(object, name === "startswith" ? "startsWith" : "endsWith", node);
      const ask = (given: readonly Node[]) => make("CallExpression", node, { callee: renamed, arguments: given });
      const [only] = args;
      // One of several beginnings or ends, of a plain name: what is longer would be read as often as there are ends.
      const isPlain = object.type === "Identifier" || object.object?.type === "Identifier";
      const several =
        isPlain && only?.type === "ArrayExpression" ? (only.elements ?? []).flatMap((each) => each ?? []) : [];
      const [first, ...others] = several.slice(0, MOST_BEGINNINGS).map((each) => ask([each]));
      if (first === undefined || several.length > MOST_BEGINNINGS) return ask(args);
      const either = (left: Node, right: Node) => make("LogicalExpression", node, { operator: "||", left, right });
      return others.reduce(either, first);
    }
    if (name === "is_relative_to")
      return make("CallExpression", node, { callee: memberOf(object, "startsWith", node), arguments: args });
    if (name === "isdigit" || name === "isdecimal") return test("^\\d+$", object);
    if (name === "isalnum" || name === "isidentifier" || name === "isalpha") return test("^\\w+$", object);
    const [pattern, subject] = args;
    if (object.name === "re" && pattern?.type === "Literal" && subject !== undefined) {
      const source = String(pattern.value).replace(/\\Z$/, "$").replace(/^\\A/, "^");
      if (name === "fullmatch") return test(`^(?:${source})$`, subject);
      if (name === "match") return test(`^(?:${source})`.replace(/\$\)$/, ")$"), subject);
    }
    return undefined;
  }

  #dictionary(node: SyntaxNode, parts: readonly SyntaxNode[]): Node {
    const properties = parts.flatMap((part, at) => {
      const next = parts[at + 1];
      if (part.name === "**" && next) return [make("SpreadElement", next, { argument: this.expression(next) })];
      const key = parts[at - 1];
      if (part.name !== ":" || !key || !next) return [];
      const computed = key.name !== "String";
      return [
        make("Property", key, { key: this.expression(key), value: this.expression(next), kind: "init", computed }),
      ];
    });
    return make("ObjectExpression", node, { properties });
  }

  /** `[f(x) for x in all]` is `all.map((x) => f(x))`. */
  #comprehension(node: SyntaxNode, parts: readonly SyntaxNode[]): Node {
    const [, result] = parts;
    const begin = parts.findIndex(({ name }) => name === "for");
    const at = parts.findIndex(({ name }, index) => index > begin && name === "in");
    const over = parts[at + 1];
    const targets = parts.slice(begin + 1, at).filter(({ name }) => name !== ",");
    if (!result || begin === -1 || at === -1 || !over || targets.length === 0) return identifier("undefined", node);
    const params = [this.pattern(targets, node)];
    const each = make("ArrowFunctionExpression", node, { params, body: this.expression(result), expression: true });
    return make("CallExpression", node, { callee: memberOf(this.expression(over), "map", over), arguments: [each] });
  }
}

const valueOfProperty = (property: Node) => (property.value ?? property.argument) as Node;

function regex(pattern: string, at: SyntaxNode): Node {
  return make("Literal", at, { regex: { pattern, flags: "" }, value: {}, raw: `/${pattern}/` });
}

function stringValue(source: string): string {
  const [, prefix = "", quotes = ""] = /^([a-zA-Z]{0,2})("""|'''|"|')/.exec(source) ?? [];
  const inner = source.slice(prefix.length + quotes.length, source.length - quotes.length);
  return /r/i.test(prefix)
    ? inner
    : inner.replace(/\\(?:\r?\n|(.))/g, (_, letter: string | undefined) => ESCAPES[letter ?? ""] ?? letter ?? "");
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
