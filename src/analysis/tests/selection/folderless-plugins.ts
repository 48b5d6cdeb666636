import { type Node, nameOf, parseSettings } from "../../child/imports/read-literals.ts";
import { addsImports } from "./adds-imports.ts";
import { mayAddImports } from "./harmless-packages.ts";

const MOST_NODES = 50_000;
/** Members by which plugins of Vite and Rollup change code, or what an import leads to. */
const HOOKS = new Set(["transform", "load", "resolveId"]);
/** Folders that a known plugin is given by a call. */
const COMPUTED = /\bdirs\s{0,20}:\s{0,20}[\w.]{1,100}\(/;

/**
 * Whether settings use a package that may add imports, is not known, and is given no folder: it may bring any file of its package into any
 * code. So may what cannot be parsed.
 * @param namesFolder whether a part of the text names a folder of the repository
 */
export function hasFolderlessPlugin(text: string, namesFolder: (part: string) => boolean): boolean {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  const body = parseSettings(plain, false);
  if (body === undefined) return true;
  const bound = new Map<string, string>();
  const values = new Map<string, Node>();
  for (const statement of body) bind(statement, bound, values);
  const calls = new Map<string, string[]>();
  const used = new Set<string>();
  for (const node of nodesOf(body)) {
    if (node.type === "Identifier" && bound.has(node.name as string)) used.add(bound.get(node.name as string)!);
    if (node.type !== "CallExpression" && node.type !== "NewExpression") continue;
    const name = packageOfCall(node, bound);
    if (name === undefined) continue;
    used.add(name);
    const given = (node.arguments as Node[]).map((each) => values.get(nameOf(each) ?? "") ?? each);
    calls.set(name, [...(calls.get(name) ?? []), ...given.map(({ start, end }) => plain.slice(start, end))]);
  }
  return [...used].some((name) => {
    const given = calls.get(name) ?? [];
    return addsImports(name) ? given.some((part) => COMPUTED.test(part)) : !given.some(namesFolder);
  });
}

/** Whether settings hold a plugin that is written in place and names no folder: what it brings into code stands nowhere. */
export function hasFolderlessHook(text: string, namesFolder: (part: string) => boolean): boolean {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  for (const node of nodesOf(parseSettings(plain, false) ?? [])) {
    if (node.type !== "ObjectExpression" || !(node.properties as Node[]).some(isHook)) continue;
    if (!namesFolder(plain.slice(node.start, node.end))) return true;
  }
  return false;
}

/** `transform(code) { … }` and `load: read`, and no list of transforms as Jest has it. */
function isHook({ type, computed, key, value }: Node): boolean {
  if (type !== "Property" || computed || !HOOKS.has(nameOf(key as Node) ?? "")) return false;
  return !["ObjectExpression", "ArrayExpression", "Literal"].includes((value as Node).type) || isHandler(value as Node);
}

/** `{ order: "pre", handler(code) { … } }`. */
function isHandler({ type, properties }: Node): boolean {
  return type === "ObjectExpression" && (properties as Node[]).some(({ key }) => nameOf(key as Node) === "handler");
}

/** Notes the names of packages that may add imports, and the values of constants. */
function bind(statement: Node, bound: Map<string, string>, values: Map<string, Node>): void {
  if (statement.type === "ImportDeclaration" && statement.importKind !== "type") {
    const name = unknownPackage(statement.source as Node);
    for (const { local, importKind } of name === undefined ? [] : (statement.specifiers as Node[]))
      if (importKind !== "type") bound.set(nameOf(local as Node) ?? "", name!);
  }
  if (statement.type !== "VariableDeclaration") return;
  for (const { id, init } of statement.declarations as { readonly id: Node; readonly init: Node | null }[]) {
    if (init === null) continue;
    const name = requiredBy(init);
    if (name === undefined) values.set(nameOf(id) ?? "", init);
    else for (const each of namesIn(id)) bound.set(each, name);
  }
}

function namesIn(pattern: Node): string[] {
  const name = nameOf(pattern);
  if (name !== undefined) return [name];
  return pattern.type === "ObjectPattern"
    ? (pattern.properties as Node[]).flatMap(({ value }) => (value ? namesIn(value as Node) : []))
    : [];
}

/** The package of `require("x")`, `require("x").default` and `await import("x")`, where it may add imports. */
function requiredBy(node: Node): string | undefined {
  if (node.type === "AwaitExpression" || node.type === "ParenthesizedExpression")
    return requiredBy((node.argument ?? node.expression) as Node);
  if (node.type === "MemberExpression") return requiredBy(node.object as Node);
  if (node.type === "ImportExpression") return unknownPackage(node.source as Node);
  const isRequire = node.type === "CallExpression" && nameOf(node.callee as Node) === "require";
  return isRequire ? unknownPackage((node.arguments as Node[])[0]) : undefined;
}

function packageOfCall({ callee }: Node, bound: ReadonlyMap<string, string>): string | undefined {
  let root = callee as Node;
  while (root.type === "MemberExpression" || root.type === "ParenthesizedExpression")
    root = (root.object ?? root.expression) as Node;
  return root.type === "Identifier" ? bound.get(root.name as string) : requiredBy(root);
}

function unknownPackage(source: Node | undefined): string | undefined {
  const module = source?.type === "Literal" && typeof source.value === "string" ? source.value : "";
  if (!/^(?:@[\w.-]+\/)?[\w.-]/.test(module) || /^\.|^node:/.test(module)) return undefined;
  const [first = "", second = ""] = module.split("/", 2);
  const name = first.startsWith("@") ? `${first}/${second}` : first;
  return mayAddImports(name) ? name : undefined;
}

/** All nodes but those of imports, declared names and keys. */
export function* nodesOf(body: readonly Node[]): Generator<Node> {
  const waiting: unknown[] = body.filter(({ type }) => type !== "ImportDeclaration");
  for (let count = 0; waiting.length > 0 && count < MOST_NODES; count += 1) {
    const each = waiting.pop() as Node;
    if (typeof each.type === "string") yield each;
    for (const [member, value] of Object.entries(each)) {
      const isName = (member === "id" && each.type === "VariableDeclarator") || (member === "key" && !each.computed);
      if (!isName && typeof value === "object" && value !== null) waiting.push(value);
    }
  }
}
