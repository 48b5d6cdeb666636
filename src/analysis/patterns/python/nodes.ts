import type { parser } from "@lezer/python";
import { identifier, make, type Node } from "../node.ts";

export type SyntaxNode = ReturnType<typeof parser.parse>["topNode"];

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (child.name !== "Comment" && !child.type.isError) children.push(child);
  return children;
}

export function memberOf(object: Node, name: string, at: SyntaxNode, whole: SyntaxNode = at): Node {
  return make(
    "MemberExpression",
    { from: object.start, to: whole.to },
    { object, property: identifier(name, at), computed: false },
  );
}

/** Text that is put together of these. */
export function template(at: SyntaxNode, expressions: readonly Node[]): Node {
  const quasis = Array.from({ length: expressions.length + 1 }, () =>
    make("TemplateElement", at, { value: { raw: " ", cooked: " " } }),
  );
  return make("TemplateLiteral", at, { quasis, expressions });
}
