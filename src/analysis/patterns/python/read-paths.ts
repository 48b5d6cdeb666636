import { identifier, make, type Node } from "../node.ts";
import { memberOf, type SyntaxNode, template } from "./nodes.ts";

/** What names a file to read or change, called as the sinks of paths are. */
export const OPENS = "path:read";

const OF_OS =
  /(?:^|\.)path\.(join|normpath|abspath|realpath|expanduser|expandvars|normcase)$|^(?:normpath|abspath|realpath)$/;
const CLASSES = /^(?:Pure)?(?:Posix|Windows)?Path$/;
const READS = /^(?:read_text|read_bytes|write_text|write_bytes)$/;
const MODE = /^[rwaxbt+]{1,3}$/;

interface PathCall {
  readonly node: SyntaxNode;
  readonly callee: Node;
  /** Source text of what is called. */
  readonly called: string;
  readonly args: readonly Node[];
  /** Whether the file knows paths that are objects. */
  readonly pathlib: boolean;
}

/** A call of `os.path` or of a path of `pathlib`, as Node's module of paths has it; undefined for another call. */
export function readPathCall({ node, callee, called, args, pathlib }: PathCall): Node | undefined {
  const known = OF_OS.exec(called);
  if (known !== null) {
    if (/(?:normpath|abspath|realpath)$/.test(called)) return resolved(node, args);
    // Unlike Node's, it leaves `..` in what it joins.
    return joined(node, args);
  }
  const { object, property } = callee;
  if (!pathlib || object === undefined || property === undefined || callee.computed) return undefined;
  const name = String(property.name);
  const [first] = args;
  if (name === "resolve" && (first === undefined || first.type === "ObjectExpression")) return resolved(node, [object]);
  if (name === "joinpath") return joined(node, [object, ...args]);
  if (/^(?:absolute|expanduser|as_posix)$/.test(name) && args.length === 0) return object;
  const opens = first === undefined || first.type === "ObjectExpression" || MODE.test(String(first.value));
  if (READS.test(name) || (/^(?:open|unlink|rmdir|iterdir)$/.test(name) && opens)) {
    const { start: from, end: to } = callee;
    return make("CallExpression", node, { callee: identifier(OPENS, { from, to }), arguments: [object, ...args] });
  }
  return undefined;
}

/** `Path(text).name` is the last part of a path, without the folders before it. */
export function lastPart(object: Node, name: string, node: SyntaxNode): Node | undefined {
  if (!/^(?:name|stem|suffix)$/.test(name) || object.type !== "CallExpression") return undefined;
  const called = object.callee?.property?.name ?? object.callee?.name;
  if (!CLASSES.test(String(called))) return undefined;
  return make("CallExpression", node, { callee: identifier("path:basename", node), arguments: [object] });
}

/** `folder in path.parents` asks whether the path begins with the folder. */
export function beginsWithin(folder: Node, right: Node, node: SyntaxNode): Node | undefined {
  const { object, property } = right;
  if (right.type !== "MemberExpression" || right.computed || property?.name !== "parents" || !object) return undefined;
  return make("CallExpression", node, { callee: memberOf(object, "startsWith", node), arguments: [folder] });
}

/** `path.relative_to(folder)` raises an error where the path does not begin with the folder. */
export function raisesOutside(value: Node, node: SyntaxNode): Node[] {
  const { object, property } = value.callee ?? {};
  const [folder] = value.arguments ?? [];
  if (property?.name !== "relative_to" || !object || !folder) return [];
  const inside = make("CallExpression", node, { callee: memberOf(object, "startsWith", node), arguments: [folder] });
  const test = make("UnaryExpression", node, { operator: "!", prefix: true, argument: inside });
  const consequent = make("ThrowStatement", node, { argument: identifier("error", node) });
  return [make("IfStatement", node, { test, consequent, alternate: null })];
}

function resolved(node: SyntaxNode, args: readonly Node[]): Node {
  return make("CallExpression", node, { callee: identifier("path:resolve", node), arguments: args });
}

function joined(node: SyntaxNode, args: readonly Node[]): Node {
  const parts = args.map((each) => (each.type === "SpreadElement" ? (each.argument ?? each) : each));
  const [only] = parts;
  return parts.length === 1 && only ? only : template(node, parts);
}
