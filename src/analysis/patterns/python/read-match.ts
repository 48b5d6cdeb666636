import { literal, make, type Node, statement } from "../node.ts";
import { childrenOf, type SyntaxNode } from "./nodes.ts";
import type { Expressions } from "./read-expressions.ts";

/**
 * A `match` as a `switch`: in a case of plain values the subject is one of them, and every name that another pattern takes out of the subject
 * has what the subject has.
 */
export function readMatch(
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
  expressions: Expressions,
  block: (body: SyntaxNode) => Node,
): Node[] {
  const [, subject] = parts;
  if (!subject) return [];
  const cases = parts
    .flatMap((part) => (part.name === "MatchBody" ? childrenOf(part) : []))
    .flatMap((clause) => {
      const [, pattern, ...rest] = childrenOf(clause);
      const body = rest.findLast(({ name }) => name === "Body");
      if (!pattern || !body) return [];
      const taken = namesIn(pattern).map((name) => {
        const [left, right] = [expressions.target(name), expressions.expression(subject)];
        return statement(name, make("AssignmentExpression", name, { operator: "=", left, right }));
      });
      const test = isPlain(pattern) ? literal(expressions.of(pattern), pattern) : null;
      return [make("SwitchCase", clause, { test, consequent: [...taken, block(body)] })];
    });
  return [make("SwitchStatement", node, { discriminant: expressions.expression(subject), cases })];
}

/** A text or a number, or one of several. */
function isPlain(pattern: SyntaxNode): boolean {
  if (pattern.name !== "OrPattern") return pattern.name === "LiteralPattern";
  return childrenOf(pattern).every((each) => each.name === "LogicOp" || isPlain(each));
}

/** The names that a pattern binds to parts of the subject, in no order. `_` binds nothing. */
function namesIn(pattern: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const waiting = [pattern];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const parts = childrenOf(at);
    for (const [index, part] of parts.entries()) {
      const isName = part.name === "VariableName" && (at.name === "CapturePattern" || parts[index - 1]?.name === "as");
      if (!isName) waiting.push(part);
      else if (!found.some((each) => each.from === part.from)) found.push(part);
    }
  }
  return found;
}
