import { identifier, make, type Node } from "../node.ts";
import { childrenOf, type SyntaxNode } from "./nodes.ts";

/** Operands of one expression. What comes before them is not read. */
const MOST = 400;

interface Operand {
  readonly node: SyntaxNode;
  readonly negated: boolean;
}

/**
 * `and`, `or` and `not` as Python groups them. The parser takes all that follows a `not` for its operand: `not a or b` is `(not a) or b`.
 * @param expression reads what stands between the words
 */
export function readLogic(node: SyntaxNode, text: string, expression: (operand: SyntaxNode) => Node): Node {
  const { operands, words } = flattened(node, text);
  const skipped = Math.max(0, operands.length - MOST);
  let any: Node | undefined;
  let all: Node | undefined;
  for (const [at, { node: operand, negated }] of operands.slice(skipped).entries()) {
    const read = expression(operand);
    const next = negated ? make("UnaryExpression", operand, { operator: "!", prefix: true, argument: read }) : read;
    const word = at === 0 ? undefined : words[skipped + at - 1];
    if (word === "or") any = joined(any, all, "||");
    all = word === "and" ? joined(all, next, "&&") : next;
  }
  return joined(any, all, "||") ?? identifier("undefined", node);
}

/** Whether the node is one of those that the words make. */
export function isLogic(node: SyntaxNode, text: string): boolean {
  return wordOf(node, text) !== undefined;
}

function flattened(node: SyntaxNode, text: string) {
  const operands: Operand[] = [];
  const words: string[] = [];
  const ahead: (SyntaxNode | "and" | "or")[] = [node];
  let negated = false;
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    if (typeof at === "string") {
      words.push(at);
      continue;
    }
    const word = wordOf(at, text);
    const [first, second, third] = childrenOf(at);
    if (word === "not" && second) {
      negated = !negated;
      ahead.push(second);
    } else if ((word === "and" || word === "or") && first && third) ahead.push(third, word, first);
    else {
      operands.push({ node: at, negated });
      negated = false;
    }
  }
  return { operands, words };
}

function wordOf(node: SyntaxNode, text: string): "and" | "or" | "not" | undefined {
  // A comment may stand between them.
  const [first, second] = childrenOf(node);
  if (node.name === "UnaryExpression") return first?.name === "not" ? "not" : undefined;
  const word = node.name === "BinaryExpression" && second ? text.slice(second.from, second.to) : "";
  return word === "and" || word === "or" ? word : undefined;
}

function joined(left: Node | undefined, right: Node | undefined, operator: string): Node | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return make("LogicalExpression", { from: left.start, to: right.end }, { operator, left, right });
}
