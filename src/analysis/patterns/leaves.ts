import { bare, keyName, type Node } from "./node.ts";

const EXITS = new Set(["ReturnStatement", "ThrowStatement", "ContinueStatement", "BreakStatement"]);

/** Whether nobody comes behind a statement. */
export function leaves(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if (EXITS.has(node.type)) return true;
  if (node.type === "BlockStatement") return leaves((node.body as readonly Node[]).at(-1));
  if (node.type === "IfStatement") return leaves(node.consequent as Node) && leaves(node.alternate ?? undefined);
  if (node.type === "ExpressionStatement") {
    const call = node.expression;
    return (
      call?.type === "CallExpression" && /^(?:exit|abort|fail|throwError|notFound)$/.test(nameOf(call.callee) ?? "")
    );
  }
  return false;
}

/** The last name of what is called. */
export function nameOf(callee: Node | undefined): string | undefined {
  if (callee === undefined) return undefined;
  const inner = bare(callee);
  if (inner.type === "Identifier") return inner.name as string;
  return inner.type === "MemberExpression" ? keyName(inner.property, inner.computed) : undefined;
}
