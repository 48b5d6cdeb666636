import { childrenOf, type SyntaxNode } from "./nodes.ts";

const MOST = 200;

/** Types of parameters and fields that leave nothing which harms. */
export const CHECKED = /^(?:int|float|bool|UUID|uuid\.UUID|date|datetime|Decimal)\b|\bLiteral\[/;

/** What a file says further down and a function has to know: which names are choices of a list, and which functions FastAPI calls. */
export function readAhead(
  top: SyntaxNode,
  text: string,
): {
  /** Classes of which a value is one of a few. */
  readonly enums: ReadonlySet<string>;
  /** Functions that are handed to `Depends`, and depend on nothing themselves: they give what the request brings. */
  readonly dependencies: ReadonlySet<string>;
  /** Of classes, the fields whose type is a number or a choice: a model of pydantic takes nothing else for them. */
  readonly numbers: ReadonlyMap<string, ReadonlySet<string>>;
} {
  const enums = new Set<string>();
  const handed = new Set<string>();
  const depending = new Set<string>();
  const defined = new Set<string>();
  const numbers = new Map<string, ReadonlySet<string>>();
  if (!/\bDepends\b|Enum\b|\bBaseModel\b/.test(text)) return { enums, dependencies: handed, numbers };
  const of = (node: SyntaxNode | null | undefined) => (node ? text.slice(node.from, node.to) : "");
  const nameOf = (node: SyntaxNode) => of(node.getChild("VariableName"));
  top.cursor().iterate(({ node, name }) => {
    if (name === "ClassDefinition") {
      const bases = node.getChild("ArgList");
      if (bases && childrenOf(bases).some((each) => /(?:Str|Int|^|\.)Enum$/.test(of(each)))) enums.add(nameOf(node));
      if (bases && /\bBaseModel\b/.test(of(bases))) numbers.set(nameOf(node), numbersOf(node, text));
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
  return { enums, dependencies: new Set(dependencies), numbers };
}

/** Fields of a class: `width: int`, `width: int = 3`. */
function numbersOf(node: SyntaxNode, text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const field of childrenOf(node.getChild("Body") ?? node)) {
    const name = field.getChild("VariableName");
    const type = field.getChild("TypeDef");
    if (name && type && CHECKED.test(text.slice(type.from, type.to).replace(/^:\s{0,9}/, "")))
      names.add(text.slice(name.from, name.to));
  }
  return names;
}
