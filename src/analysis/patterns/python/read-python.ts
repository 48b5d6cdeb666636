import { parser } from "@lezer/python";
import { propertyOf } from "../names.ts";
import { identifier, literal, make, type Node, statement } from "../node.ts";
import { moduleNameOf } from "./module-name.ts";
import { childrenOf, memberOf, type SyntaxNode } from "./nodes.ts";
import { CHECKED, readAhead } from "./read-ahead.ts";
import { Expressions } from "./read-expressions.ts";
import { readMatch } from "./read-match.ts";
import { raisesOutside } from "./read-paths.ts";

/** What a web framework hands to a decorated function, called as the role of a parameter is. */
export const INPUT = "@input";

/** Decorators that make a function a handler, by their last name. */
const ROUTES = /^(?:route|get|post|put|patch|delete|websocket|api_route|websocket_route)$/;
/** What a function of Flask or Bottle returns, called as the function that sends it is: as text it becomes HTML. */
const ANSWER = "#answer";
/** What has the constants of a module as its members, as Django reads them. */
const SETTINGS = "#settings";
const SENDS_HTML = /(?:^|\n)(?:from|import) {1,9}(?:flask|quart|bottle)\b/;
/** Methods that give a text, of a text or of what a request brings. */
const GIVES_TEXT = /^(?:get|getlist|get_data|decode|strip|lower|upper|title|capitalize|replace|join|rstrip|lstrip)$/;
/** Parameters that a framework gives of its own. */
const GIVEN = /^(?:Request|Response|WebSocket|BackgroundTasks|Session|AsyncSession|HTTPConnection)\b|\bDepends\b/;
const GIVEN_NAMES = new Set(["request", "req", "websocket", "ws", "self", "cls", "db", "session"]);
const LEAVING = /^(?:Return|Raise|Continue|Break)Statement$/;

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
  readonly #parts: Expressions;
  readonly #sendsHtml: boolean;
  readonly #top: SyntaxNode;
  readonly #ahead: ReturnType<typeof readAhead>;
  /** Whether the function around answers a request by what it returns; the innermost last. */
  readonly #answers: boolean[] = [];

  constructor(text: string) {
    this.#text = text;
    this.#sendsHtml = SENDS_HTML.test(text);
    this.#top = parser.parse(text).topNode;
    this.#ahead = readAhead(this.#top, text);
    this.#parts = new Expressions(text);
  }

  program(): Node {
    const body = this.#scope(() => this.#statements(childrenOf(this.#top)), this.#top, []);
    return make("Program", this.#top, { body: [...body, this.#given(body, this.#top)] });
  }

  /** What other files can import: everything that has a name at the top, and what was imported there. */
  #given(body: readonly Node[], at: SyntaxNode): Node {
    const names = body.flatMap((each) => [
      ...(each.type === "ImportDeclaration" ? (each.specifiers ?? []).map(({ local }) => local?.name) : []),
      ...(each.type === "VariableDeclaration" ? (each.declarations ?? []).map(({ id }) => id?.name) : []),
      ...(/^(?:Function|Class)Declaration$/.test(each.type) ? [each.id?.name] : []),
    ]);
    const specifiers = [...new Set(names)].flatMap((name) =>
      typeof name === "string"
        ? [make("ExportSpecifier", at, { local: identifier(name, at), exported: identifier(name, at) })]
        : [],
    );
    return make("ExportNamedDeclaration", at, { declaration: null, source: null, specifiers });
  }

  /** Statements with the names that they assign declared before them, as Python scopes them. */
  #scope(read: () => Node[], at: SyntaxNode, parameters: readonly string[]): Node[] {
    const names = new Set<string>();
    this.#parts.declared.push(names);
    const body = read();
    this.#parts.declared.pop();
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
        return [...this.#assignment(node, parts), ...this.#raising(node)];
      case "UpdateStatement": {
        const operator = this.#parts.of(parts.find(({ name }) => name === "UpdateOp"));
        const [target, , value] = parts;
        if (!target || !value) return [];
        const right = this.#parts.expression(value);
        return [
          statement(node, make("AssignmentExpression", node, { operator, left: this.#parts.target(target), right })),
        ];
      }
      case "IfStatement":
        return this.#if(node, parts);
      case "ForStatement":
        return this.#for(node, parts);
      case "WhileStatement": {
        const [, test, body] = parts;
        return test
          ? [make("WhileStatement", node, { test: this.#parts.expression(test), body: this.#block(body, node) })]
          : [];
      }
      case "WithStatement":
        return [...this.#with(node, parts), this.#block(bodyOf(parts), node)];
      case "TryStatement":
        return this.#try(node, parts);
      case "MatchStatement":
        return readMatch(node, parts, this.#parts, (body) => this.#block(body, body));
      case "ReturnStatement":
        return [make("ReturnStatement", node, { argument: this.#returned(node, parts.slice(1)) ?? null })];
      case "RaiseStatement":
        return [
          make("ThrowStatement", node, {
            argument: this.#parts.list(node, parts.slice(1, 2)) ?? identifier("error", node),
          }),
        ];
      case "BreakStatement":
      case "ContinueStatement":
        return [make(node.name, node, { label: null })];
      case "AssertStatement": {
        const [, test] = parts;
        if (!test) return [];
        const not = make("UnaryExpression", test, {
          operator: "!",
          prefix: true,
          argument: this.#parts.expression(test),
        });
        const consequent = make("ThrowStatement", node, { argument: identifier("error", node) });
        return [make("IfStatement", node, { test: not, consequent, alternate: null })];
      }
      case "ExpressionStatement": {
        const expression = this.#parts.list(node, parts);
        return expression ? [statement(node, expression), ...this.#raising(node)] : [];
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

  /** `return text, 404`: the text is the first of them. */
  #returned(node: SyntaxNode, parts: readonly SyntaxNode[]): Node | undefined {
    const returned = this.#parts.list(node, parts);
    if (returned === undefined || this.#answers.at(-1) !== true) return returned;
    const sent =
      returned.type === "ArrayExpression" ? ((returned.elements?.[0] as Node | undefined) ?? returned) : returned;
    if (!isText(sent)) return returned;
    return make("CallExpression", node, { callee: identifier(ANSWER, node), arguments: [sent] });
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
          .map((part) => this.#parts.of(part))
          .join("")
      : "";
    return groups.flatMap((group) => {
      const as = group.findIndex(({ name }) => name === "as");
      const named = (as === -1 ? group : group.slice(0, as)).map((part) => this.#parts.of(part)).join("");
      if (named === "*") return [make("ExportAllDeclaration", node, { source: literal(moduleNameOf(module), node) })];
      if (named === "") return [];
      const local = as === -1 ? (from ? named : (named.split(".")[0] ?? named)) : this.#parts.of(group[as + 1]);
      // `from . import db`: a module in the same folder.
      const beside = from && /^\.+$/.test(module);
      const source = beside ? moduleNameOf(module + named) : from ? moduleNameOf(module) : as === -1 ? local : named;
      const specifier =
        from && !beside
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
    const right = sides.length > 1 ? this.#parts.list(node, sides.at(-1) ?? []) : undefined;
    if (right === undefined) return [];
    return sides.slice(0, -1).flatMap((side) => {
      const targets = side.filter(({ name }) => name !== ",");
      const [only] = targets;
      if (only === undefined) return [];
      const left =
        targets.length === 1
          ? this.#parts.target(only)
          : make("ArrayPattern", only, { elements: targets.map((target) => this.#parts.target(target)) });
      const assigned = statement(node, make("AssignmentExpression", node, { operator: "=", left, right }));
      const isSetting =
        this.#parts.declared.length === 1 &&
        /^(?:Literal|ArrayExpression)$/.test(right.type) &&
        /^[A-Z_]+$/.test(String(left.name));
      if (!isSetting) return [assigned];
      const setting = memberOf(identifier(SETTINGS, only), String(left.name), only);
      return [assigned, statement(node, make("AssignmentExpression", node, { operator: "=", left: setting, right }))];
    });
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
        ...{ test: this.#parts.expression(test), consequent: this.#block(body, node), alternate },
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
      declarations: [make("VariableDeclarator", node, { id: this.#parts.pattern(targets, node), init: null })],
    });
    return [
      make("ForOfStatement", node, {
        left,
        right: this.#parts.expression(over),
        body: this.#block(bodyOf(parts), node),
      }),
    ];
  }

  #with(node: SyntaxNode, parts: readonly SyntaxNode[]): Node[] {
    return parts.flatMap((part, at) => {
      if (/^(?:with|async|as|,|Body|\(|\))$/.test(part.name) || parts[at - 1]?.name === "as") return [];
      const right = this.#parts.expression(part);
      const target = parts[at + 1]?.name === "as" ? parts[at + 2] : undefined;
      if (target === undefined) return [statement(node, right)];
      return [
        statement(node, make("AssignmentExpression", part, { operator: "=", left: this.#parts.target(target), right })),
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
    // Who comes behind it has passed what raises an error, unless the error is caught and forgotten.
    const passed = bodies("except").every((body) => this.#leaves(body))
      ? bodies("try").flatMap((body) => childrenOf(body).flatMap((each) => this.#raising(each)))
      : [];
    return [tried, ...passed, ...(block("else").body as Node[])];
  }

  #leaves(body: SyntaxNode): boolean {
    const last = childrenOf(body).at(-1);
    if (last === undefined) return false;
    return LEAVING.test(last.name) || /^(?:\w{1,40}\.){0,4}(?:abort|exit|fail)\(/.test(this.#parts.of(last));
  }

  /** The check in a statement whose whole value is `path.relative_to(folder)`, or that has one in each of its ways. */
  #raising(node: SyntaxNode): Node[] {
    if (node.name === "IfStatement") {
      const text = this.#parts.of(node);
      return text.includes(".relative_to(") && !text.includes("try:") ? this.#statement(node) : [];
    }
    const value = node.lastChild;
    if (value?.name !== "CallExpression" || !this.#parts.of(value).includes(".relative_to(")) return [];
    return raisesOutside(this.#parts.expression(value), node) ?? [];
  }

  #decorated(node: SyntaxNode, parts: readonly SyntaxNode[]): Node[] {
    const inner = parts.find(({ name }) => name === "FunctionDefinition" || name === "ClassDefinition");
    if (inner === undefined) return [];
    const decorators = parts.filter(({ name }) => name === "Decorator").map(childrenOf);
    const calls = decorators.flatMap((each) => {
      const args = each.find(({ name }) => name === "ArgList");
      const callee = each.filter(({ name }) => name !== "At" && name !== "ArgList" && name !== ".");
      const [root, ...members] = callee;
      if (!root) return [];
      const path = members.reduce(
        (object, name) => memberOf(object, this.#parts.of(name), name),
        this.#parts.expression(root),
      );
      // `@csrf_exempt` is called with what it decorates, and with nothing that is written.
      const given = args ? this.#parts.arguments(args) : [];
      return [statement(node, make("CallExpression", args ?? root, { callee: path, arguments: given }))];
    });
    const isRoute = decorators.some((each) => {
      const last = each.findLast(({ name }) => name === "PropertyName" || name === "VariableName");
      return last !== undefined && each.some(({ name }) => name === "ArgList") && ROUTES.test(this.#parts.of(last));
    });
    if (inner.name === "ClassDefinition") return [...calls, this.#class(inner, childrenOf(inner))];
    return [
      ...calls,
      this.#function(
        inner,
        childrenOf(inner),
        isRoute ? this.#text.slice(node.from, inner.from) : undefined,
        this.#sendsHtml || calls.some(({ expression }) => saysHtml(expression)),
      ),
    ];
  }

  #function(node: SyntaxNode, parts: readonly SyntaxNode[], route?: string, sendsHtml = this.#sendsHtml): Node {
    const name = parts.find((part) => part.name === "VariableName");
    // FastAPI calls it, too, and gives it what the request brings.
    const called = this.#ahead.dependencies.has(this.#parts.of(name)) ? "" : undefined;
    return make("FunctionDeclaration", node, {
      id: name ? identifier(this.#parts.of(name), name) : null,
      ...this.#callable(node, parts, route ?? called, false, sendsHtml),
    });
  }

  #callable(
    node: SyntaxNode,
    parts: readonly SyntaxNode[],
    route: string | undefined,
    method = false,
    sendsHtml = false,
  ): Props {
    const list = parts.find(({ name }) => name === "ParamList");
    const all = list ? this.#parts.parameters(list) : [];
    const self = method ? all[0]?.name : undefined;
    const params = self === undefined ? all : all.slice(1);
    this.#parts.self.push(self);
    this.#parts.models.push(
      new Map(
        (route === undefined ? [] : params).flatMap(({ name, about }) => {
          const fields = this.#ahead.numbers.get(/^\w{1,80}/.exec(about)?.[0] ?? "");
          return fields === undefined ? [] : [[name, fields]];
        }),
      ),
    );
    const foreign = params.filter(
      ({ name, about, starred }) => route !== undefined && !starred && !GIVEN.test(about) && !GIVEN_NAMES.has(name),
    );
    const depending = params.flatMap(({ name, about, at }) => {
      const given = /\bDepends\(\s{0,9}(\w{1,80})\s{0,9}\)/.exec(about)?.[1] ?? "";
      return this.#ahead.dependencies.has(given) ? [{ name, at, given }] : [];
    });
    const begins = foreign.map(({ name, about: written, at }) => {
      const about = written.replace(/^(?:(?:t|typing)\.)?(?:Annotated|Optional|List|list|Set|set|Sequence)\[/, "");
      // `<int:id>` in the path of Flask.
      const checked =
        this.#isEnum(about) ||
        CHECKED.test(about) ||
        new RegExp(`<(?:int|float|uuid)[^<>:]{0,40}:${name}>`).test(route ?? "");
      const right = checked ? make("Literal", at, { value: 0, raw: "0" }) : identifier(INPUT, at);
      return statement(at, make("AssignmentExpression", at, { operator: "=", left: identifier(name, at), right }));
    });
    for (const { name, at, given } of depending) {
      const right = make("CallExpression", at, { callee: identifier(given, at), arguments: [] });
      begins.push(
        statement(at, make("AssignmentExpression", at, { operator: "=", left: identifier(name, at), right })),
      );
    }
    const body = bodyOf(parts);
    const begun = new Set([...foreign, ...depending].map(({ name }) => name));
    const kept = params.map(({ name, at, node, about }) => {
      if (begun.has(name)) return identifier(`${name} as given`, at);
      if (!CHECKED.test(about) && !this.#isEnum(about)) return node;
      const chosen = make("Identifier", at, { name, chosen: true });
      return node.type === "AssignmentPattern" ? { ...node, left: chosen } : chosen;
    });
    const names = params.map(({ name }) => name).filter((name) => !begun.has(name));
    this.#answers.push(sendsHtml && route !== undefined && route !== "");
    const read = () => {
      for (const name of begun) this.#parts.declared.at(-1)?.add(name);
      return [...begins, ...(body ? this.#statements(childrenOf(body)) : [])];
    };
    const block = make("BlockStatement", body ?? node, { body: this.#scope(read, node, names) });
    this.#parts.self.pop();
    this.#parts.models.pop();
    this.#answers.pop();
    return { params: kept, body: block, async: parts.some((part) => part.name === "async") };
  }

  /** Whether a type is a choice of a list. */
  #isEnum(about: string): boolean {
    return this.#ahead.enums.has(/^\w{1,80}/.exec(about)?.[0] ?? "");
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
        const key = this.#parts.of(named) === "__init__" ? "constructor" : this.#parts.of(named);
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
            key: identifier(this.#parts.of(target), target),
            value: this.#parts.expression(value),
            computed: false,
            static: true,
          },
        }),
      ];
    });
    const id = name ? identifier(this.#parts.of(name), name) : null;
    const bases = parts.find((part) => part.name === "ArgList")?.firstChild?.nextSibling;
    const superClass =
      bases && /^(?:VariableName|MemberExpression)$/.test(bases.name) ? this.#parts.expression(bases) : null;
    return make("ClassDeclaration", node, { id, superClass, body: make("ClassBody", node, { body: members }) });
  }
}

/** `@app.get("/", response_class=HTMLResponse)` of FastAPI. */
function saysHtml(call: Node | undefined): boolean {
  const options = call?.arguments?.at(-1);
  const made = options?.type === "ObjectExpression" ? propertyOf(options, "response_class") : undefined;
  return (made?.type === "MemberExpression" ? made.property?.name : made?.name) === "HTMLResponse";
}

/** Not JSON, and not made by a function that knows how it is sent. */
function isText(node: Node): boolean {
  if (node.type === "CallExpression")
    return node.callee?.type === "MemberExpression"
      ? GIVES_TEXT.test(String(node.callee.property?.name))
      : node.callee?.name === "str";
  return /^(?:TemplateLiteral|BinaryExpression|Identifier|MemberExpression|ConditionalExpression)$/.test(node.type);
}

const bodyOf = (parts: readonly SyntaxNode[]) => parts.findLast(({ name }) => name === "Body");
