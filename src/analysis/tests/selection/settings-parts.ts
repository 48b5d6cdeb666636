import { type Node, nameOf, parseSettings } from "../../child/imports/read-literals.ts";
import { nodesOf } from "./folderless-plugins.ts";

/** Parts of Vite's settings that are its own: it says itself what their folders are for, and none brings code into other code. */
const KNOWN = new Set("test resolve build server preview define optimizeDeps ssr css coverage".split(" "));
/** A part with these has plugins again. */
const PLUGS = /\bplugins\b|\bextends\b|\.\.\./;
/** These give back the settings that they are given. */
const GIVES_BACK = new Set("defineConfig defineProject defineWorkspace mergeConfig".split(" "));
/** Names that stand for names, and functions that give back settings. */
const DEEPEST = 20;

/**
 * Settings of Vite and Vitest without the parts whose folders are known to be no plugin's: these are members of what the file exports, and
 * what is given to a plugin stays, whatever it is called. What cannot be parsed stays whole.
 */
export function withoutKnownParts(text: string): string {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  const body = parseSettings(plain, false) ?? [];
  const names = namesOfSettings(body);
  const parts = body
    .flatMap(exportedBy)
    .flatMap((each) => objectsOf(each, names, 0))
    .flatMap(({ properties }) => properties as readonly Node[])
    .filter((each) => each.type === "Property" && !each.computed && KNOWN.has(nameOf(each.key as Node) ?? ""))
    .map(({ value }) => value as Node)
    .filter(({ type, start, end }) => type === "ObjectExpression" && !PLUGS.test(plain.slice(start, end)))
    .sort((a, b) => a.start - b.start);
  let [kept, from] = ["", 0];
  // The same object may be exported twice.
  for (const { start, end } of parts) {
    if (start < from) continue;
    kept += `${plain.slice(from, start)}{}`;
    from = end;
  }
  return kept + plain.slice(from);
}

/** Constants that hold settings, and that nothing else is given: what a plugin takes may be of any form. */
function namesOfSettings(body: readonly Node[]): ReadonlyMap<string, Node> {
  const all = new Map(body.flatMap(declaredIn));
  const exported = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const each of body.flatMap(exportedBy)) objectsOf(each, all, 0, (name) => count(exported, name));
  const used = new Map<string, number>();
  for (const node of nodesOf(body)) if (node.type === "Identifier") count(used, node.name as string);
  return new Map([...all].filter(([name]) => (used.get(name) ?? 0) <= (exported.get(name) ?? 0)));
}

function declaredIn(statement: Node): [string, Node][] {
  if (statement.type !== "VariableDeclaration" || statement.kind !== "const") return [];
  return (statement.declarations as Node[]).flatMap(({ id, init }): [string, Node][] => {
    const name = nameOf(id as Node);
    return name === undefined || init === null ? [] : [[name, init as Node]];
  });
}

/** `export default …` and `module.exports = …`. */
function exportedBy(statement: Node): readonly Node[] {
  if (statement.type === "ExportDefaultDeclaration") return [statement.declaration as Node];
  const assigned = statement.type === "ExpressionStatement" ? (statement.expression as Node) : undefined;
  if (assigned?.type !== "AssignmentExpression") return [];
  const { object, property } = assigned.left as { readonly object?: Node; readonly property?: Node };
  return nameOf(object) === "module" && nameOf(property) === "exports" ? [assigned.right as Node] : [];
}

/** The objects that settings consist of, as far as this is seen without a run. */
function objectsOf(
  node: Node,
  names: ReadonlyMap<string, Node>,
  depth: number,
  onName?: (name: string) => void,
): readonly Node[] {
  if (depth > DEEPEST) return [];
  const next = (each: unknown) => objectsOf(each as Node, names, depth + 1, onName);
  switch (node.type) {
    case "ObjectExpression":
      return [node];
    // Projects of one workspace.
    case "ArrayExpression":
      return (node.elements as (Node | null)[]).flatMap((each) => (each === null ? [] : next(each)));
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return next(node.expression);
    case "Identifier": {
      const value = names.get(node.name as string);
      onName?.(node.name as string);
      return value === undefined ? [] : next(value);
    }
    case "CallExpression":
      return GIVES_BACK.has(nameOf(node.callee as Node) ?? "") ? (node.arguments as Node[]).flatMap(next) : [];
    case "ArrowFunctionExpression":
    case "FunctionExpression":
    case "FunctionDeclaration":
      return next(node.body);
    case "BlockStatement":
    case "FunctionBody":
      return (node.body as Node[]).flatMap((each) =>
        each.type === "ReturnStatement" && each.argument !== null ? next(each.argument) : [],
      );
    default:
      return [];
  }
}
