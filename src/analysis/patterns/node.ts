/** A node of oxc's tree, as far as anything here reads it. Which members there are depends on `type`. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** The node around it, set by the walk. */
  up?: Node;
  /** Names declared in it, set by the walk. */
  scope?: Map<string, Binding>;
  readonly name?: unknown;
  readonly value?: unknown;
  readonly raw?: string;
  readonly operator?: string;
  readonly kind?: string;
  readonly computed?: boolean;
  readonly async?: boolean;
  readonly static?: boolean;
  readonly callee?: Node;
  readonly arguments?: readonly Node[];
  readonly object?: Node;
  readonly property?: Node;
  readonly left?: Node;
  readonly right?: Node;
  readonly test?: Node | null;
  readonly consequent?: Node | readonly Node[];
  readonly alternate?: Node | null;
  readonly id?: Node | null;
  readonly init?: Node | null;
  readonly params?: readonly Node[];
  readonly body?: Node | readonly Node[] | null;
  readonly expression?: Node;
  readonly expressions?: readonly Node[];
  readonly quasis?: readonly Node[];
  readonly quasi?: Node;
  readonly tag?: Node;
  readonly elements?: readonly (Node | null)[];
  readonly properties?: readonly Node[];
  readonly key?: Node;
  readonly argument?: Node | null;
  readonly declarations?: readonly Node[];
  readonly declaration?: Node | null;
  readonly local?: Node;
  readonly imported?: Node;
  readonly exported?: Node;
  readonly source?: Node | null;
  readonly specifiers?: readonly Node[];
  readonly superClass?: Node | null;
  readonly param?: Node | null;
  readonly handler?: Node | null;
  readonly parameter?: Node;
  readonly decorators?: readonly Node[];
  readonly typeAnnotation?: Node | null;
  readonly typeName?: Node;
  readonly moduleReference?: Node;
  readonly attributes?: readonly Node[];
  readonly openingElement?: Node;
  readonly children?: readonly Node[];
  readonly discriminant?: Node;
  readonly cases?: readonly Node[];
  /** Of a parameter of Python: its type says that it is a number, or one of a few. */
  readonly chosen?: true;
  readonly regex?: { readonly pattern: string; readonly flags: string } | null;
}

/** A declared name. */
export interface Binding {
  readonly name: string;
  readonly kind: "import" | "variable" | "parameter" | "function" | "class" | "element" | "other";
  /** The declarator, function (of a parameter), import specifier, or whatever else declares it. */
  readonly node: Node;
  /** Members by which it was taken out of the value, outermost first; undefined in it: not known which. */
  readonly access: readonly (string | undefined)[];
  /** Of a parameter. */
  readonly index?: number;
  /** The pattern or identifier that stands in the list of parameters. */
  readonly pattern?: Node;
  /** Default of the pattern. */
  readonly fallback?: Node;
  /** Of an import: the module and the member, empty for the module itself. */
  readonly module?: string;
  readonly member?: string;
}

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

export function isFunction(node: Node | undefined | null): boolean {
  return node !== undefined && node !== null && FUNCTIONS.has(node.type);
}

const WRAPPERS = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "ChainExpression",
  "ParenthesizedExpression",
]);

/** The expression without types, parentheses, and `await` where it is asked for. */
export function bare(node: Node, awaited = false): Node {
  let inner = node;
  for (;;) {
    if (WRAPPERS.has(inner.type) && inner.expression) inner = inner.expression;
    else if (awaited && inner.type === "AwaitExpression" && inner.argument) inner = inner.argument;
    else return inner;
  }
}

/** The name of a member, property or key where it stands in the text; undefined where it is computed. */
export function keyName(key: Node | undefined, computed: boolean | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (key.type === "Literal") return String(key.value);
  if (!computed && (key.type === "Identifier" || key.type === "JSXIdentifier")) return key.name as string;
  if (key.type === "PrivateIdentifier") return `#${String(key.name)}`;
  return undefined;
}

export function statementsOf(node: Node | undefined): readonly Node[] {
  if (node === undefined) return [];
  const { body, consequent } = node;
  if (Array.isArray(body)) return body as readonly Node[];
  if (node.type === "SwitchCase" && Array.isArray(consequent)) return consequent as readonly Node[];
  return [];
}

export function asNode(value: unknown): Node | undefined {
  return typeof value === "object" && value !== null && "type" in value ? (value as Node) : undefined;
}

/** The function around a node, or undefined at the top level. */
export function functionAround(node: Node): Node | undefined {
  for (let at = node.up; at !== undefined; at = at.up) if (isFunction(at)) return at;
  return undefined;
}

/** Whether others can call a function: it leaves the file, or belongs to a class or an object. */
export function isExported(fn: Node): boolean {
  for (let at: Node | undefined = fn.up; at !== undefined && at.type !== "Program"; at = at.up) {
    if (at.type.startsWith("Export")) return true;
    if (at.type === "AssignmentExpression" || at.type === "MethodDefinition" || at.type === "Property") return true;
    if (isFunction(at) || at.type === "BlockStatement") return false;
  }
  return false;
}

/** Where a part of another language stands, from a parser that names offsets so. */
export interface Extent {
  readonly from: number;
  readonly to: number;
}

/** A node for what another language says with the same meaning, at its place. */
export function make(type: string, { from, to }: Extent, props: Readonly<Record<string, unknown>>): Node {
  return { type, start: from, end: to, ...props } as Node;
}

export function identifier(name: string, at: Extent): Node {
  return make("Identifier", at, { name });
}

export function literal(value: string | number | boolean | null, at: Extent): Node {
  return make("Literal", at, { value, raw: JSON.stringify(value) });
}

export function statement(at: Extent, expression: Node): Node {
  return make("ExpressionStatement", at, { expression });
}

export function isWithin(node: Node, outer: Node): boolean {
  return node.start >= outer.start && node.end <= outer.end;
}

/** Control that reaches `use` has passed `node`: the block around it is around both. */
export function dominates(node: Node, use: Node): boolean {
  let statement = node.up;
  while (statement !== undefined && statement.type === "SequenceExpression") statement = statement.up;
  if (statement?.type !== "ExpressionStatement") return false;
  let block = statement.up;
  // Who does not get to the end of a `try` leaves in its `catch`.
  const { up } = block ?? {};
  if (
    up?.type === "TryStatement" &&
    block !== undefined &&
    block.start < (up.handler?.start ?? 0) &&
    !isWithin(use, up)
  ) {
    const last = statementsOf(asNode(up.handler?.body)).at(-1);
    if (last?.type === "ReturnStatement" || last?.type === "ThrowStatement") block = up.up;
  }
  return block !== undefined && isWithin(use, block) && (block.type === "BlockStatement" || block.type === "Program");
}

const LOOPS = new Set(["ForStatement", "WhileStatement", "DoWhileStatement", "ForOfStatement", "ForInStatement"]);

export function inLoopWith(node: Node, use: Node): boolean {
  for (let at = node.up; at !== undefined && !isFunction(at); at = at.up)
    if (LOOPS.has(at.type) && isWithin(use, at)) return true;
  return false;
}

/** The expressions that a body returns, not those of functions in it. */
export function returnedBy(body: Node): Node[] {
  const found: Node[] = [];
  const stack: Node[] = [body];
  for (let node = stack.pop(); node !== undefined && found.length < 50; node = stack.pop()) {
    if (node.type === "ReturnStatement") {
      if (node.argument) found.push(node.argument);
      continue;
    }
    for (const key of STATEMENT_KEYS) {
      const child = (node as unknown as Record<string, unknown>)[key];
      if (Array.isArray(child)) stack.push(...(child as Node[]));
      else if (asNode(child)) stack.push(child as Node);
    }
  }
  return found;
}
const STATEMENT_KEYS = ["body", "consequent", "alternate", "block", "handler", "finalizer", "cases"];
