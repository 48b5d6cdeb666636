import { VISITOR_KEYS } from "../child/eslint/parse-script.ts";
import { asNode, type Binding, isFunction, keyName, type Node } from "./node.ts";

/** What the walk of a file keeps for all rules. Nothing here is resolved yet: names are looked up when somebody asks. */
export interface Facts {
  readonly program: Node;
  readonly text: string;
  /** Calls and `new`, in the order of the text. */
  readonly calls: Node[];
  readonly tagged: Node[];
  /** Assignments to members. */
  readonly writes: Node[];
  readonly properties: Node[];
  readonly attributes: Node[];
  readonly elements: Node[];
  readonly texts: Node[];
  readonly comparisons: Node[];
  /** Regular expressions. */
  readonly expressions: Node[];
  /** Text that is put together: the outermost sum, and templates. */
  readonly composed: Node[];
  /** Statements that return. */
  readonly returned: Node[];
  /** Assignments by the name of the variable, of members by the name at their root. */
  readonly assignments: Map<string, Node[]>;
  readonly memberWrites: Map<string, Node[]>;
  /** Calls of `push` and its like by the name of what they are called on. */
  readonly additions: Map<string, Node[]>;
  /** Calls by the last name of what is called. */
  readonly callsByName: Map<string, Node[]>;
  /** Names that are handed to calls. */
  readonly handed: Map<string, Node[]>;
  /** Functions that leave the file under a name: `export`, `module.exports`. */
  readonly modules: Set<string>;
}

/** Patterns are never this deep, but hostile ones. */
const DEEPEST_PATTERN = 40;

const ADDING = new Set(["push", "unshift", "append", "set", "add"]);

/** Children by type, types left out. */
const KEYS = VISITOR_KEYS;

/** Walks a tree once. Keeps its own stack: nesting that the parser survived must not overflow ours. */
export function gatherFacts(program: Node, text: string): Facts {
  const facts: Facts = {
    program,
    text,
    calls: [],
    tagged: [],
    writes: [],
    properties: [],
    attributes: [],
    elements: [],
    texts: [],
    comparisons: [],
    expressions: [],
    composed: [],
    returned: [],
    assignments: new Map(),
    memberWrites: new Map(),
    additions: new Map(),
    callsByName: new Map(),
    handed: new Map(),
    modules: new Set(),
  };
  const stack: Node[] = [program];
  program.scope = new Map();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    note(node, facts);
    for (const decorator of node.decorators ?? []) {
      decorator.up = node;
      if (!decorator.expression) continue;
      decorator.expression.up = decorator;
      stack.push(decorator.expression);
    }
    const keys = KEYS[node.type];
    if (keys === undefined) continue;
    for (let index = keys.length - 1; index >= 0; index -= 1) {
      const child = (node as unknown as Record<string, unknown>)[keys[index]!];
      if (Array.isArray(child)) {
        for (let at = child.length - 1; at >= 0; at -= 1) {
          const item = child[at] as Node | null;
          if (item) {
            item.up = node;
            stack.push(item);
          }
        }
      } else if (child) {
        (child as Node).up = node;
        stack.push(child as Node);
      }
    }
  }
  return facts;
}

function note(node: Node, facts: Facts): void {
  switch (node.type) {
    case "CallExpression":
    case "NewExpression": {
      facts.calls.push(node);
      const name = lastName(node.callee);
      if (name !== undefined) push(facts.callsByName, name, node);
      if (name !== undefined && ADDING.has(name) && node.callee?.object?.type === "Identifier")
        push(facts.additions, node.callee.object.name as string, node);
      for (const argument of node.arguments ?? []) {
        const handed =
          argument.type === "Identifier" || argument.type === "MemberExpression" ? lastName(argument) : undefined;
        if (handed !== undefined) push(facts.handed, handed, argument);
      }
      return;
    }
    case "ImportExpression":
      facts.calls.push(node);
      return;
    case "TaggedTemplateExpression":
      facts.tagged.push(node);
      return;
    case "AssignmentExpression":
      noteAssignment(node, facts);
      return;
    case "UpdateExpression":
      if (node.argument?.type === "Identifier") push(facts.assignments, String(node.argument.name), node);
      return;
    case "BinaryExpression":
      if (node.operator === "===" || node.operator === "==" || node.operator === "!==" || node.operator === "!=")
        facts.comparisons.push(node);
      else if (node.operator === "+" && node.up?.type !== "BinaryExpression") facts.composed.push(node);
      return;
    case "TemplateLiteral":
      if ((node.expressions ?? []).length > 0 && node.up?.type !== "TaggedTemplateExpression")
        facts.composed.push(node);
      return;
    case "ReturnStatement":
      facts.returned.push(node);
      return;
    case "VariableDeclaration":
      for (const each of node.declarations ?? []) declareVariable(each, node);
      return;
    case "FunctionDeclaration":
      if (node.id) declare(hoisted(node.up), { name: node.id.name as string, kind: "function", node, access: [] });
      declareParameters(node);
      return;
    case "FunctionExpression":
      declareParameters(node);
      if (node.id && !node.scope?.has(node.id.name as string))
        declare(node, { name: node.id.name as string, kind: "function", node, access: [] });
      return;
    case "ArrowFunctionExpression":
      declareParameters(node);
      return;
    case "ClassDeclaration":
      if (node.id) declare(blockOf(node.up), { name: node.id.name as string, kind: "class", node, access: [] });
      return;
    case "CatchClause":
      if (node.param) declarePattern(node.param, node, { kind: "other", node });
      return;
    case "ImportDeclaration":
      declareImports(node, facts);
      return;
    case "TSImportEqualsDeclaration": {
      const module = node.moduleReference?.expression?.value;
      if (typeof module === "string" && node.id)
        declare(facts.program, {
          ...{ name: node.id.name as string, kind: "import", node, access: [] },
          ...{ module: moduleName(module), member: "" },
        });
      return;
    }
    case "Property":
      if (node.up?.type === "ObjectExpression") facts.properties.push(node);
      return;
    case "JSXAttribute":
      facts.attributes.push(node);
      return;
    case "JSXOpeningElement":
      facts.elements.push(node);
      return;
    case "Literal":
      if (typeof node.value === "string" && node.value.length > 4) facts.texts.push(node);
      else if (node.regex && node.regex.pattern.length > 4) facts.expressions.push(node);
      return;
    default:
  }
}

function push(map: Map<string, Node[]>, key: string, node: Node): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [node]);
  else known.push(node);
}

/** `c` of `a.b.c`, and of `c` alone. */
export function lastName(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.type === "Identifier") return node.name as string;
  if (node.type === "MemberExpression") return keyName(node.property, node.computed);
  if (node.expression && node.type !== "ArrowFunctionExpression") return lastName(node.expression);
  return undefined;
}

/** `a` of `a.b[c].d`; `this` for members of it. */
export function rootName(node: Node | undefined): string | undefined {
  let at = node;
  for (let depth = 0; at !== undefined && depth < 100; depth += 1) {
    if (at.type === "Identifier") return at.name as string;
    if (at.type === "ThisExpression") return "this";
    at = at.type === "MemberExpression" ? at.object : at.expression;
  }
  return undefined;
}

function noteAssignment(node: Node, facts: Facts): void {
  const { left } = node;
  if (left === undefined) return;
  if (left.type === "MemberExpression") {
    facts.writes.push(node);
    const root = rootName(left);
    if (root !== undefined) push(facts.memberWrites, root, node);
    return;
  }
  eachName(left, [], 0, (name) => push(facts.assignments, name, node));
}

/** The names of a pattern with the members by which they are taken out. */
export function eachName(
  pattern: Node | null | undefined,
  access: readonly (string | undefined)[],
  depth: number,
  found: (name: string, access: readonly (string | undefined)[], fallback?: Node) => void,
  fallback?: Node,
): void {
  if (!pattern || depth > DEEPEST_PATTERN) return;
  switch (pattern.type) {
    case "Identifier":
      found(pattern.name as string, access, fallback);
      return;
    case "AssignmentPattern":
      eachName(pattern.left, access, depth + 1, found, pattern.right);
      return;
    case "TSParameterProperty":
      eachName(pattern.parameter, access, depth + 1, found);
      return;
    case "RestElement":
      eachName(pattern.argument, [...access, undefined], depth + 1, found);
      return;
    case "ArrayPattern":
      for (const [index, element] of (pattern.elements ?? []).entries())
        eachName(element, [...access, String(index)], depth + 1, found);
      return;
    case "ObjectPattern":
      for (const property of pattern.properties ?? []) {
        if (property.type === "RestElement") eachName(property.argument, access, depth + 1, found);
        else eachName(asNode(property.value), [...access, keyName(property.key, property.computed)], depth + 1, found);
      }
      return;
    default:
  }
}

function declarePattern(
  pattern: Node,
  scope: Node,
  binding: Pick<Binding, "kind" | "node"> & Partial<Pick<Binding, "index" | "pattern">>,
): void {
  eachName(pattern, [], 0, (name, access, fallback) =>
    declare(scope, fallback === undefined ? { ...binding, name, access } : { ...binding, name, access, fallback }),
  );
}

function declare(scope: Node, binding: Binding): void {
  scope.scope ??= new Map();
  const known = scope.scope.get(binding.name);
  // A function's parameter is not replaced by `var` of the same name.
  if (known === undefined || known.kind !== "parameter") scope.scope.set(binding.name, binding);
}

function declareVariable(declarator: Node, declaration: Node): void {
  if (!declarator.id) return;
  const scope = declaration.kind === "var" ? hoisted(declaration.up) : blockOf(declaration.up);
  const { up } = declaration;
  const loop = (up?.type === "ForOfStatement" || up?.type === "ForInStatement") && up.left === declaration;
  declarePattern(declarator.id, scope, loop ? { kind: "element", node: up } : { kind: "variable", node: declarator });
}

function declareParameters(node: Node): void {
  for (const [index, pattern] of (node.params ?? []).entries())
    declarePattern(pattern, node, { kind: "parameter", node, index, pattern });
  node.scope ??= new Map();
}

function hoisted(from: Node | undefined): Node {
  let at = from!;
  while (!isFunction(at) && at.up !== undefined) at = at.up;
  return at;
}

const BLOCKS = new Set([
  "BlockStatement",
  "ForStatement",
  "ForOfStatement",
  "ForInStatement",
  "SwitchStatement",
  "StaticBlock",
  "TSModuleBlock",
]);

function blockOf(from: Node | undefined): Node {
  let at = from!;
  while (!BLOCKS.has(at.type) && !isFunction(at) && at.up !== undefined) at = at.up;
  return at;
}

function declareImports(node: Node, facts: Facts): void {
  const module = moduleName(String(node.source?.value ?? ""));
  facts.modules.add(module);
  for (const specifier of node.specifiers ?? []) {
    const member =
      specifier.type === "ImportSpecifier" ? String(specifier.imported?.name ?? specifier.imported?.value ?? "") : "";
    declare(facts.program, {
      name: String(specifier.local?.name),
      kind: "import",
      node: specifier,
      access: [],
      module,
      member: member === "default" ? "" : member,
    });
  }
}

/** Without what only says where it is found: `node:fs` is `fs`, `npm:hono@4` is `hono`, `bun:sqlite` is `sqlite`. */
export function moduleName(specifier: string): string {
  return specifier
    .replace(/^(?:node|npm|jsr|bun):/, "")
    .replace(/(?<=.)@[\d^~][^/]*/, "")
    .replace(/\.[cm]?js$/, (end) => (specifier.startsWith(".") ? "" : end));
}

/** What a name means at a place; undefined for globals. */
export function lookup(name: string, from: Node): Binding | undefined {
  for (let at: Node | undefined = from; at !== undefined; at = at.up) {
    const found = at.scope?.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
