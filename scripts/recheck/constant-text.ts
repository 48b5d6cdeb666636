/** A node of the syntax tree, as loosely typed as a walk over all kinds of nodes needs. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/** A parsed file, and the files that it imports. */
export interface Scope {
  readonly program: SyntaxNode;
  readonly imported: (specifier: string) => Scope;
}

type Evaluate = (node: SyntaxNode, scope: Scope) => string | undefined;

const BY_TYPE: Readonly<Record<string, Evaluate>> = {
  Literal: ({ value, regex }) =>
    regex === undefined ? (typeof value === "string" ? value : undefined) : (regex as { pattern: string }).pattern,
  TemplateLiteral: (node, scope) => joined(node, scope, "cooked"),
  TaggedTemplateExpression: (node, scope) =>
    isStringRaw(node.tag as SyntaxNode) ? joined(node.quasi as SyntaxNode, scope, "raw") : undefined,
  BinaryExpression: (node, scope) => {
    const [left, right] = [node.left, node.right].map((side) => constantText(side as SyntaxNode, scope));
    return node.operator === "+" && left !== undefined && right !== undefined ? left + right : undefined;
  },
  MemberExpression: (node, scope) =>
    (node.property as SyntaxNode).name === "source" ? constantText(node.object as SyntaxNode, scope) : undefined,
  NewExpression: (node, scope) =>
    (node.callee as SyntaxNode).name === "RegExp"
      ? constantText((node.arguments as SyntaxNode[])[0]!, scope)
      : undefined,
  CallExpression: joinedList,
  TSAsExpression: (node, scope) => constantText(node.expression as SyntaxNode, scope),
  Identifier: (node, scope) => {
    const found = declaration(node.name as string, scope);
    return found && constantText(found.node, found.scope);
  },
};

/**
 * The text that an expression always has: of strings, templates, sums, joined lists, the source of a literal, and constants made of these,
 * also from other files of Forge. Returns undefined for all else.
 */
export function constantText(node: SyntaxNode, scope: Scope): string | undefined {
  return BY_TYPE[node.type]?.(node, scope);
}

function joined(node: SyntaxNode, scope: Scope, kind: "cooked" | "raw"): string | undefined {
  const quasis = node.quasis as { readonly value: Readonly<Record<string, string>> }[];
  const holes = (node.expressions as SyntaxNode[]).map((hole) => constantText(hole, scope));
  if (holes.includes(undefined)) return undefined;
  return quasis.map(({ value }, at) => `${value[kind]}${holes[at] ?? ""}`).join("");
}

function isStringRaw(tag: SyntaxNode): boolean {
  return (tag.object as SyntaxNode | undefined)?.name === "String" && (tag.property as SyntaxNode).name === "raw";
}

/** `[a, b].join("|")`, and the same of a constant list. */
function joinedList(node: SyntaxNode, scope: Scope): string | undefined {
  const callee = node.callee as SyntaxNode;
  if ((callee.property as SyntaxNode | undefined)?.name !== "join") return undefined;
  const list = listOf(callee.object as SyntaxNode, scope);
  const separator = constantText((node.arguments as SyntaxNode[])[0]!, scope);
  const parts = list?.elements.map((element) => constantText(element, list.scope));
  if (parts === undefined || separator === undefined || parts.includes(undefined)) return undefined;
  return parts.join(separator);
}

function listOf(node: SyntaxNode, scope: Scope): { elements: readonly SyntaxNode[]; scope: Scope } | undefined {
  if (node.type === "ArrayExpression") return { elements: node.elements as SyntaxNode[], scope };
  if (node.type === "TSAsExpression") return listOf(node.expression as SyntaxNode, scope);
  const found = node.type === "Identifier" ? declaration(node.name as string, scope) : undefined;
  return found && listOf(found.node, found.scope);
}

/** What a constant at the top of a file, or an imported one, is set to. */
function declaration(name: string, scope: Scope): { node: SyntaxNode; scope: Scope } | undefined {
  for (const statement of scope.program.body as SyntaxNode[]) {
    const declared = (statement.declaration ?? statement) as SyntaxNode;
    const declarators = declared.kind === "const" ? (declared.declarations as SyntaxNode[]) : [];
    const found = declarators.find(({ id }) => (id as SyntaxNode).name === name);
    if (found?.init) return { node: found.init as SyntaxNode, scope };
    const other = importedName(statement, name);
    if (other !== undefined) return declaration(other.name, scope.imported(other.specifier));
  }
  return undefined;
}

function importedName(statement: SyntaxNode, name: string): { name: string; specifier: string } | undefined {
  const specifier = (statement.source as SyntaxNode | null | undefined)?.value;
  if (statement.type !== "ImportDeclaration" || typeof specifier !== "string" || !specifier.startsWith(".")) {
    return undefined;
  }
  const found = (statement.specifiers as SyntaxNode[]).find(({ local }) => (local as SyntaxNode).name === name);
  const imported = found?.imported as SyntaxNode | undefined;
  return imported && { name: imported.name as string, specifier };
}
