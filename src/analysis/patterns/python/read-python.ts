import { parser } from "@lezer/python";
import type { Node } from "../node.ts";

type SyntaxNode = ReturnType<typeof parser.parse>["topNode"];

/** What a web framework hands to a decorated function, called as the role of a parameter is. */
export const INPUT = "@input";

const DEEPEST = 400;
/** Decorators that make a function a handler, by their last name. */
const ROUTES = /^(?:route|get|post|put|patch|delete|websocket|api_route|websocket_route)$/;
const PATHS = /(?:^|\.)path\.(join|normpath|abspath|realpath|expanduser|expandvars|normcase)$/;
/** Parameters that a framework gives of its own. */
const GIVEN = /^(?:Request|Response|WebSocket|BackgroundTasks|Session|AsyncSession|HTTPConnection)\b|\bDepends\b/;
const GIVEN_NAMES = new Set(["request", "req", "websocket", "ws", "self", "cls", "db", "session"]);
/** Parameters that it has checked to be what harms nothing. */
const CHECKED = /^(?:int|float|bool|UUID|uuid\.UUID|date|datetime|Decimal)\b|\bLiteral\[/;

type Props = Readonly<Record<string, unknown>>;

/**
 * Python as the tree that the search for insecure code reads: what means the same in both languages has the same node, at the offsets of
 * the Python text. What has no like is left out. A broken file is read as far as it parses.
 */
export function readPython(text: string): Node {
  return new Reader(text).program();
}

class Reader {
  readonly #text: string;
  readonly #declared: Set<string>[] = [];
  #self: (string | undefined)[] = [];
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  program(): Node {
    const { topNode } = parser.parse(this.#text);
    return make("Program", topNode, { body: this.#scope(() => this.#statements(childrenOf(topNode)), topNode, []) });
  }

  /** Statements with the names that they assign declared before them, as Python scopes them. */
  #scope(read: () => Node[], at: SyntaxNode, parameters: readonly string[]): Node[] {
    const names = new Set<string>();
    this.#declared.push(names);
    const body = read();
    this.#declared.pop();
    for (const name of parameters) names.delete(name);
    const declarations = [...names].map((name) =>
      make("VariableDeclarator", at, { id: identifier(name, at), init: null }),
    );
    return declarations.length === 0 ? body : [make("VariableDeclaration", at, { kind: "var", declarations }), ...body];
  }

  #statements(nodes: readonly SyntaxNode[]): Node[] {
    return nodes.flatMap((node) => this.#statement(node));
  }

  #block(body: SyntaxNode | undefined, at: SyntaxNode): Node {
    return make("BlockStatement", body ?? at, { body: body === undefined ? [] : this.#statements(childrenOf(body)) });
  }

  #statement(node: SyntaxNode): Node[] {
    const parts = childrenOf(node);
    switch (node.name) {
      case "StatementGroup":
        return this.#statements(parts);
      case "ImportStatement":
        return this.#imports(node, parts);
      case "AssignStatement":
        return this.#assignment(node, parts);
      case "UpdateStatement": {
        const operator = this.#of(parts.find(({ name }) => name === "UpdateOp"));
        const [target, , value] = parts;
        if (!target || !value) return [];
        const right = this.#expression(value);
        return [statement(node, make("AssignmentExpression", node, { operator, left: this.#target(target), right }))];
      }
      case "IfStatement":
        return this.#if(node, parts);
      case "ForStatement":
        return this.#for(node, parts);
      case "WhileStatement": {
        const [, test, body] = parts;
        return test
          ? [make("WhileStatement", node, { test: this.#expression(test), body: this.#block(body, node) })]
          : [];
      }
      case "WithStatement":
        return [...this.#with(node, parts), this.#block(bodyOf(parts), node)];
      case "TryStatement":
        return this.#try(node, parts);
      case "MatchStatement":
        return parts
          .flatMap((part) => (part.name === "MatchBody" ? childrenOf(part) : []))
          .flatMap((clause) => {
            const body = bodyOf(childrenOf(clause));
            const test = identifier("matches", clause);
            return body
              ? [make("IfStatement", clause, { test, consequent: this.#block(body, clause), alternate: null })]
              : [];
          });
      case "ReturnStatement":
        return [make("ReturnStatement", node, { argument: this.#list(node, parts.slice(1)) ?? null })];
      case "RaiseStatement":
        return [
          make("ThrowStatement", node, { argument: this.#list(node, parts.slice(1, 2)) ?? identifier("error", node) }),
        ];
      case "BreakStatement":
      case "ContinueStatement":
        return [make(node.name, node, { label: null })];
      case "AssertStatement": {
        const [, test] = parts;
        if (!test) return [];
        const not = make("UnaryExpression", test, { operator: "!", prefix: true, argument: this.#expression(test) });
        const consequent = make("ThrowStatement", node, { argument: identifier("error", node) });
        return [make("IfStatement", node, { test: not, consequent, alternate: null })];
      }
      case "ExpressionStatement": {
        const expression = this.#list(node, parts);
        return expression ? [statement(node, expression)] : [];
      }
      case "FunctionDefinition":
        return [this.#function(node, parts)];
      case "ClassDefinition":
        return [this.#class(node, parts)];
      case "DecoratedStatement":
        return this.#decorated(node, parts);
      default:
        return [];
    }
  }

  #imports(node: SyntaxNode, parts: readonly SyntaxNode[]): Node[] {
    const from = parts[0]?.name === "from";
    const groups: SyntaxNode[][] = [[]];
    const listed = from ? parts.slice(parts.findIndex(({ name }) => name === "import") + 1) : parts.slice(1);
    for (const part of listed) {
      if (part.name === ",") groups.push([]);
      else if (part.name !== "(" && part.name !== ")") groups.at(-1)!.push(part);
    }
    const first = parts.findIndex(({ name }) => name === "import");
    const module = from
      ? parts
          .slice(1, first)
          .map((part) => this.#of(part))
          .join("")
      : "";
    return groups.flatMap((group) => {
      const as = group.findIndex(({ name }) => name === "as");
      const named = (as === -1 ? group : group.slice(0, as)).map((part) => this.#of(part)).join("");
      if (named === "" || named === "*") return [];
      const local = as === -1 ? (from ? named : (named.split(".")[0] ?? named)) : this.#of(group[as + 1]);
      const source = from ? module : as === -1 ? local : named;
      const specifier = from
        ? make("ImportSpecifier", node, { local: identifier(local, node), imported: identifier(named, node) })
        : make("ImportNamespaceSpecifier", node, { local: identifier(local, node) });
      return [make("ImportDeclaration", node, { source: literal(source, node), specifiers: [specifier] })];
    });
  }

  #assignment(node: SyntaxNode, parts: readonly SyntaxNode[]): Node[] {
    const sides: SyntaxNode[][] = [[]];
    for (const part of parts) {
      if (part.name === "AssignOp") sides.push([]);
      else if (part.name !== "TypeDef") sides.at(-1)!.push(part);
    }
    const right = sides.length > 1 ? this.#list(node, sides.at(-1) ?? []) : undefined;
    if (right === undefined) return [];
    return sides.slice(0, -1).flatMap((side) => {
      const targets = side.filter(({ name }) => name !== ",");
      const [only] = targets;
      if (only === undefined) return [];
      const left =
        targets.length === 1
          ? this.#target(only)
          : make("ArrayPattern", only, { elements: targets.map((target) => this.#target(target)) });
      return [statement(node, make("AssignmentExpression", node, { operator: "=", left, right }))];
    });
  }

  #target(node: SyntaxNode): Node {
    if (node.name === "VariableName") {
      const name = this.#of(node);
      if (!this.#self.includes(name)) this.#declared.at(-1)?.add(name);
      return identifier(name, node);
    }
    if (/^(?:Tuple|Array|Parenthesized)Expression$/.test(node.name)) {
      const inner = childrenOf(node).filter(({ name }) => !/^[[\](),]$/.test(name));
      return make("ArrayPattern", node, { elements: inner.map((each) => this.#target(each)) });
    }
    return this.#expression(node);
  }

  #if(node: SyntaxNode, parts: readonly SyntaxNode[]): Node[] {
    let alternate: Node | null = null;
    const clauses: { readonly test: SyntaxNode; readonly body: SyntaxNode }[] = [];
    for (const [at, part] of parts.entries()) {
      const body = parts[at + 1];
      const test = parts[at - 1];
      if (part.name === "else" && body?.name === "Body") alternate = this.#block(body, node);
      if (part.name === "Body" && test && test.name !== "else") clauses.push({ test, body: part });
    }
    for (const { test, body } of clauses.reverse()) {
      alternate = make("IfStatement", test, {
        ...{ test: this.#expression(test), consequent: this.#block(body, node), alternate },
      });
    }
    return alternate === null ? [] : [alternate];
  }

  #for(node: SyntaxNode, parts: readonly SyntaxNode[]): Node[] {
    const at = parts.findIndex(({ name }) => name === "in");
    const over = parts[at + 1];
    const targets = parts
      .slice(parts.findIndex(({ name }) => name === "for") + 1, at)
      .filter(({ name }) => name !== ",");
    if (at === -1 || !over || targets.length === 0) return [];
    const left = make("VariableDeclaration", node, {
      kind: "const",
      declarations: [make("VariableDeclarator", node, { id: this.#pattern(targets, node), init: null })],
    });
    return [
      make("ForOfStatement", node, { left, right: this.#expression(over), body: this.#block(bodyOf(parts), node) }),
    ];
  }

  /** Names that are new in what follows, not variables of the function. */
  #pattern(targets: readonly SyntaxNode[], node: SyntaxNode): Node {
    this.#declared.push(new Set());
    const read = targets.map((target) => this.#target(target));
    this.#declared.pop();
    return read.length === 1 ? read[0]! : make("ArrayPattern", node, { elements: read });
  }

  #with(node: SyntaxNode, parts: readonly SyntaxNode[]): Node[] {
    return parts.flatMap((part, at) => {
      if (/^(?:with|async|as|,|Body|\(|\))$/.test(part.name) || parts[at - 1]?.name === "as") return [];
      const right = this.#expression(part);
      const target = parts[at + 1]?.name === "as" ? parts[at + 2] : undefined;
      if (target === undefined) return [statement(node, right)];
      return [
        statement(node, make("AssignmentExpression", part, { operator: "=", left: this.#target(target), right })),
      ];
    });
  }

  #try(node: SyntaxNode, parts: readonly SyntaxNode[]): Node[] {
    const bodies = (word: string) => {
      let current = "";
      return parts.filter((part) => {
        if (/^(?:try|except|else|finally)$/.test(part.name)) current = part.name;
        return part.name === "Body" && current === word;
      });
    };
    const block = (word: string) =>
      make("BlockStatement", node, { body: bodies(word).flatMap((body) => this.#statements(childrenOf(body))) });
    const handler = make("CatchClause", node, { param: null, body: block("except") });
    const tried = make("TryStatement", node, { block: block("try"), handler, finalizer: block("finally") });
    return [tried, ...(block("else").body as Node[])];
  }

  #decorated(node: SyntaxNode, parts: readonly SyntaxNode[]): Node[] {
    const inner = parts.find(({ name }) => name === "FunctionDefinition" || name === "ClassDefinition");
    if (inner === undefined) return [];
    const decorators = parts.filter(({ name }) => name === "Decorator").map(childrenOf);
    const calls = decorators.flatMap((each) => {
      const args = each.find(({ name }) => name === "ArgList");
      const callee = each.filter(({ name }) => name !== "At" && name !== "ArgList" && name !== ".");
      const [root, ...members] = callee;
      if (!args || !root) return [];
      const path = members.reduce((object, name) => memberOf(object, this.#of(name), name), this.#expression(root));
      return [statement(node, make("CallExpression", args, { callee: path, arguments: this.#arguments(args) }))];
    });
    const isRoute = decorators.some((each) => {
      const last = each.findLast(({ name }) => name === "PropertyName" || name === "VariableName");
      return last !== undefined && each.some(({ name }) => name === "ArgList") && ROUTES.test(this.#of(last));
    });
    if (inner.name === "ClassDefinition") return [...calls, this.#class(inner, childrenOf(inner))];
    return [
      ...calls,
      this.#function(inner, childrenOf(inner), isRoute ? this.#text.slice(node.from, inner.from) : undefined),
    ];
  }

  #function(node: SyntaxNode, parts: readonly SyntaxNode[], route?: string): Node {
    const name = parts.find((part) => part.name === "VariableName");
    return make("FunctionDeclaration", node, {
      id: name ? identifier(this.#of(name), name) : null,
      ...this.#callable(node, parts, route),
    });
  }

  #callable(node: SyntaxNode, parts: readonly SyntaxNode[], route: string | undefined, method = false): Props {
    const list = parts.find(({ name }) => name === "ParamList");
    const all = list ? this.#parameters(list) : [];
    const self = method ? all[0]?.name : undefined;
    const params = self === undefined ? all : all.slice(1);
    this.#self.push(self);
    const foreign = params.filter(
      ({ name, about, starred }) => route !== undefined && !starred && !GIVEN.test(about) && !GIVEN_NAMES.has(name),
    );
    const begins = foreign.map(({ name, about, at }) => {
      // `<int:id>` in the path of Flask.
      const checked = CHECKED.test(about) || new RegExp(`<(?:int|float|uuid)[^<>:]{0,40}:${name}>`).test(route ?? "");
      const right = checked ? make("Literal", at, { value: 0, raw: "0" }) : identifier(INPUT, at);
      return statement(at, make("AssignmentExpression", at, { operator: "=", left: identifier(name, at), right }));
    });
    const body = bodyOf(parts);
    const kept = params.map((param) =>
      foreign.includes(param) ? identifier(`${param.name} as given`, param.at) : param.node,
    );
    const names = params.filter((param) => !foreign.includes(param)).map(({ name }) => name);
    const read = () => {
      for (const { name } of foreign) this.#declared.at(-1)?.add(name);
      return [...begins, ...(body ? this.#statements(childrenOf(body)) : [])];
    };
    const block = make("BlockStatement", body ?? node, { body: this.#scope(read, node, names) });
    this.#self.pop();
    return { params: kept, body: block, async: parts.some((part) => part.name === "async") };
  }

  #parameters(list: SyntaxNode) {
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
      const name = this.#of(part);
      const starred = /^\*/.test(parts[at - 1]?.name ?? "");
      const plain = identifier(name, part);
      const node = starred
        ? make("RestElement", part, { argument: plain })
        : value
          ? make("AssignmentPattern", part, { left: plain, right: this.#expression(value) })
          : plain;
      found.push({
        ...{ name, at: part, node, starred },
        about: `${this.#of(type).replace(/^:\s*/, "")} ${this.#of(value)}`.trim(),
      });
      at += rest.length;
    }
    return found;
  }

  #class(node: SyntaxNode, parts: readonly SyntaxNode[]): Node {
    const name = parts.find((part) => part.name === "VariableName");
    const members = childrenOf(bodyOf(parts) ?? node).flatMap((part) => {
      const inner = part.name === "DecoratedStatement" ? part.getChild("FunctionDefinition") : part;
      if (inner?.name === "FunctionDefinition") {
        const own = childrenOf(inner);
        const named = own.find((each) => each.name === "VariableName");
        const isStatic = part !== inner && /@staticmethod\b/.test(this.#text.slice(part.from, inner.from));
        const value = make("FunctionExpression", inner, {
          id: null,
          ...this.#callable(inner, own, undefined, !isStatic),
        });
        const key = this.#of(named) === "__init__" ? "constructor" : this.#of(named);
        const kind = key === "constructor" ? key : "method";
        return [
          make("MethodDefinition", inner, {
            key: identifier(key, inner),
            value,
            kind,
            computed: false,
            static: isStatic,
          }),
        ];
      }
      if (part.name !== "AssignStatement") return [];
      const [target, ...rest] = childrenOf(part);
      const value = rest.at(-1);
      if (target?.name !== "VariableName" || !value || value.name === "TypeDef") return [];
      return [
        make("PropertyDefinition", part, {
          ...{
            key: identifier(this.#of(target), target),
            value: this.#expression(value),
            computed: false,
            static: true,
          },
        }),
      ];
    });
    const id = name ? identifier(this.#of(name), name) : null;
    return make("ClassDeclaration", node, { id, superClass: null, body: make("ClassBody", node, { body: members }) });
  }

  /** One expression, or a tuple without its parentheses. */
  #list(node: SyntaxNode, parts: readonly SyntaxNode[]): Node | undefined {
    const items = parts.filter(({ name }) => name !== ",");
    if (items.length === 0) return undefined;
    if (items.length === 1 && parts.length === 1) return this.#expression(items[0]!);
    return make("ArrayExpression", node, { elements: items.map((item) => this.#expression(item)) });
  }

  #expression(node: SyntaxNode): Node {
    if (this.#depth > DEEPEST) return identifier("undefined", node);
    this.#depth += 1;
    const read = this.#read(node, childrenOf(node));
    this.#depth -= 1;
    return read;
  }

  #read(node: SyntaxNode, parts: readonly SyntaxNode[]): Node {
    switch (node.name) {
      case "VariableName": {
        const name = this.#of(node);
        return name === this.#self.at(-1) ? make("ThisExpression", node, {}) : identifier(name, node);
      }
      case "String":
        return literal(stringValue(this.#of(node)), node);
      case "FormatString":
        return template(node, this.#replacements(parts));
      case "ContinuedString": {
        const read = parts.map((part) => this.#expression(part));
        if (read.every(({ type }) => type === "Literal")) return literal(read.map(({ value }) => value).join(""), node);
        return template(
          node,
          read.flatMap(({ expressions }) => expressions ?? []),
        );
      }
      case "Number":
        return make("Literal", node, { value: Number(this.#of(node).replaceAll("_", "")), raw: this.#of(node) });
      case "Boolean":
        return make("Literal", node, { value: this.#of(node) === "True", raw: this.#of(node).toLowerCase() });
      case "None":
        return make("Literal", node, { value: null, raw: "null" });
      case "ParenthesizedExpression":
        return parts[1] ? this.#expression(parts[1]) : identifier("undefined", node);
      case "AwaitExpression":
        return make("AwaitExpression", node, { argument: this.#expression(parts[1] ?? node) });
      case "UnaryExpression": {
        const not = parts[0]?.name === "not";
        const argument = parts[1] ? this.#expression(parts[1]) : identifier("undefined", node);
        return make("UnaryExpression", node, { operator: not ? "!" : "-", prefix: true, argument });
      }
      case "NamedExpression": {
        const [target, , value] = parts;
        if (!target || !value) return identifier("undefined", node);
        return make("AssignmentExpression", node, {
          operator: "=",
          left: this.#target(target),
          right: this.#expression(value),
        });
      }
      case "ConditionalExpression": {
        const [yes, , test, , no] = parts;
        if (!yes || !test || !no) return identifier("undefined", node);
        const [consequent, condition, alternate] = [yes, test, no].map((part) => this.#expression(part));
        return make("ConditionalExpression", node, { test: condition, consequent, alternate });
      }
      case "BinaryExpression":
        return this.#binary(node, parts);
      case "MemberExpression":
        return this.#member(node, parts);
      case "CallExpression":
        return this.#call(node, parts);
      case "LambdaExpression": {
        const list = parts.find(({ name }) => name === "ParamList");
        const body = parts.at(-1) ?? node;
        const params = list ? this.#parameters(list).map((param) => param.node) : [];
        return make("ArrowFunctionExpression", node, { params, body: this.#expression(body), expression: true });
      }
      case "ArrayExpression":
      case "TupleExpression":
      case "SetExpression": {
        const items = parts.filter(({ name }) => !/^[[\](){},*]$/.test(name));
        return make("ArrayExpression", node, { elements: items.map((item) => this.#expression(item)) });
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
      return inner ? [this.#expression(inner)] : [];
    });
  }

  #binary(node: SyntaxNode, parts: readonly SyntaxNode[]): Node {
    const [first, last] = [parts[0], parts.at(-1)];
    if (!first || !last || parts.length < 3) return identifier("undefined", node);
    const word = parts
      .slice(1, -1)
      .map((part) => this.#of(part))
      .join(" ");
    const [left, right] = [this.#expression(first), this.#expression(last)];
    // Text with places to fill in.
    if (word === "%" && /String$|^VariableName$/.test(first.name)) {
      const values = right.type === "ArrayExpression" ? ((right.elements ?? []) as Node[]) : [right];
      return template(node, left.type === "Literal" ? values : [left, ...values]);
    }
    if (word === "/" && this.#text.includes("pathlib")) return template(node, [left, right]);
    if (word === "and" || word === "or")
      return make("LogicalExpression", node, { operator: word === "and" ? "&&" : "||", left, right });
    if (word === "in" || word === "not in") {
      const within = make("CallExpression", node, { callee: memberOf(right, "includes", last), arguments: [left] });
      return word === "in" ? within : make("UnaryExpression", node, { operator: "!", prefix: true, argument: within });
    }
    const operator = { "==": "===", "!=": "!==", is: "===", "is not": "!==" }[word] ?? word;
    return make("BinaryExpression", node, { operator, left, right });
  }

  #member(node: SyntaxNode, parts: readonly SyntaxNode[]): Node {
    const [first, , key] = parts;
    if (!first) return identifier("undefined", node);
    const object = this.#expression(first);
    if (key?.name === "PropertyName") return memberOf(object, this.#of(key), key, node);
    const slice = parts.some(({ name }) => name === ":");
    if (slice || !key) return make("CallExpression", node, { callee: memberOf(object, "slice", node), arguments: [] });
    return make("MemberExpression", node, { object, property: this.#expression(key), computed: true });
  }

  #call(node: SyntaxNode, parts: readonly SyntaxNode[]): Node {
    const [first] = parts;
    const list = parts.find(({ name }) => name === "ArgList");
    const args = list ? this.#arguments(list) : [];
    const callee = first ? this.#expression(first) : identifier("undefined", node);
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
    // As Node's module of paths has them, by the name that the search knows them under.
    const path = PATHS.exec(this.#of(first))?.[1];
    if (path !== undefined) {
      const known = /^(?:normpath|abspath|realpath)$/.test(path) ? "path:resolve" : "path:join";
      return make("CallExpression", node, { callee: identifier(known, node), arguments: args });
    }
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
      return make("CallExpression", node, { callee: renamed, arguments: args });
    }
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

  /** Named ones together, as the last: an object of options. */
  #arguments(list: SyntaxNode): Node[] {
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
        const value = this.#expression(third);
        options.push(
          make("Property", first, { key: identifier(this.#of(first), first), value, kind: "init", computed: false }),
        );
      } else if (/^\*/.test(first.name) && second) {
        const spread = make("SpreadElement", second, { argument: this.#expression(second) });
        (first.name === "**" ? options : args).push(spread);
      } else if (second?.name === "for") {
        args.push(this.#comprehension(list, [first, first, second, ...(third ? [third] : []), ...rest, first]));
      } else args.push(this.#expression(first));
    }
    return options.length === 0 ? args : [...args, make("ObjectExpression", list, { properties: options })];
  }

  #dictionary(node: SyntaxNode, parts: readonly SyntaxNode[]): Node {
    const properties = parts.flatMap((part, at) => {
      const next = parts[at + 1];
      if (part.name === "**" && next) return [make("SpreadElement", next, { argument: this.#expression(next) })];
      const key = parts[at - 1];
      if (part.name !== ":" || !key || !next) return [];
      const computed = key.name !== "String";
      return [
        make("Property", key, { key: this.#expression(key), value: this.#expression(next), kind: "init", computed }),
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
    const params = [this.#pattern(targets, node)];
    const each = make("ArrowFunctionExpression", node, { params, body: this.#expression(result), expression: true });
    return make("CallExpression", node, { callee: memberOf(this.#expression(over), "map", over), arguments: [each] });
  }

  #of(node: SyntaxNode | undefined): string {
    return node === undefined ? "" : this.#text.slice(node.from, node.to);
  }
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (child.name !== "Comment" && !child.type.isError) children.push(child);
  return children;
}

const bodyOf = (parts: readonly SyntaxNode[]) => parts.findLast(({ name }) => name === "Body");

function make(type: string, { from, to }: Pick<SyntaxNode, "from" | "to">, props: Props): Node {
  return { type, start: from, end: to, ...props } as Node;
}

const identifier = (name: string, at: SyntaxNode) => make("Identifier", at, { name });
const literal = (value: string, at: SyntaxNode) => make("Literal", at, { value, raw: JSON.stringify(value) });
const statement = (at: SyntaxNode, expression: Node) => make("ExpressionStatement", at, { expression });
const valueOfProperty = (property: Node) => (property.value ?? property.argument) as Node;

function memberOf(object: Node, name: string, at: SyntaxNode, whole: SyntaxNode = at): Node {
  return make(
    "MemberExpression",
    { from: object.start, to: whole.to },
    { object, property: identifier(name, at), computed: false },
  );
}

function regex(pattern: string, at: SyntaxNode): Node {
  return make("Literal", at, { regex: { pattern, flags: "" }, value: {}, raw: `/${pattern}/` });
}

function template(at: SyntaxNode, expressions: readonly Node[]): Node {
  const quasis = Array.from({ length: expressions.length + 1 }, () =>
    make("TemplateElement", at, { value: { raw: " ", cooked: " " } }),
  );
  return make("TemplateLiteral", at, { quasis, expressions });
}

function stringValue(source: string): string {
  const [, prefix = "", quotes = ""] = /^([a-zA-Z]{0,2})("""|'''|"|')/.exec(source) ?? [];
  const inner = source.slice(prefix.length + quotes.length, source.length - quotes.length);
  return /r/i.test(prefix)
    ? inner
    : inner.replace(/\\(?:\r?\n|(.))/g, (_, letter: string | undefined) => ESCAPES[letter ?? ""] ?? letter ?? "");
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
