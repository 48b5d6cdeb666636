import { childrenOf, type SyntaxNode } from "./nodes.ts";

const MOST = 200;

/** What a file says further down and a function has to know: which names are choices of a list, and which functions FastAPI calls. */
export function readAhead(
  top: SyntaxNode,
  text: string,
): {
  /** Classes of which a value is one of a few. */
  readonly enums: ReadonlySet<string>;
  /** Functions that are handed to `Depends`, and depend on nothing themselves: they give what the request brings. */
  readonly dependencies: ReadonlySet<string>;
} {
  const enums = new Set<string>();
  const handed = new Set<string>();
  const depending = new Set<string>();
  const defined = new Set<string>();
  if (!/\bDepends\b|Enum\b/.test(text)) return { enums, dependencies: handed };
  const of = (node: SyntaxNode | null | undefined) => (node ? text.slice(node.from, node.to) : "");
  const nameOf = (node: SyntaxNode) => of(node.getChild("VariableName"));
  top.cursor().iterate(({ node, name }) => {
    if (name === "ClassDefinition") {
      const bases = node.getChild("ArgList");
      if (bases && childrenOf(bases).some((each) => /(?:Str|Int|^|\.)Enum$/.test(of(each)))) enums.add(nameOf(node));
    } else if (name === "FunctionDefinition") defined.add(nameOf(node));
    else if (name === "CallExpression" && /(?:^|\.)Depends$/.test(of(node.firstChild))) {
      const [, first] = childrenOf(node.getChild("ArgList") ?? node);
      if (first?.name === "VariableName" && handed.size < MOST) handed.add(of(first));
      // Of the function that has it among its parameters.
      let around = node.parent;
      while (around !== null && around.name !== "FunctionDefinition" && around.name !== "Body") around = around.parent;
      if (around?.name === "FunctionDefinition") depending.add(nameOf(around));
    }
  });
  const dependencies = [...handed].filter((name) => defined.has(name) && !depending.has(name));
  return { enums, dependencies: new Set(dependencies) };
}
