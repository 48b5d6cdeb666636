import { asNode, isFunction, type Node } from "./node.ts";

export function isWithin(node: Node, outer: Node): boolean {
  return node.start >= outer.start && node.end <= outer.end;
}

/** Whoever comes to `use` has passed `node`: the block around it is around both. */
export function dominates(node: Node, use: Node): boolean {
  let statement = node.up;
  while (statement !== undefined && statement.type === "SequenceExpression") statement = statement.up;
  if (statement?.type !== "ExpressionStatement") return false;
  const block = statement.up;
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
