import type { Facts } from "./facts.ts";
import { asNode, type Binding, keyName, type Node } from "./node.ts";

/** Classes that extend each other; in broken code in a circle. */
const MOST_BASES = 5;
const MOST_VALUES = 20;

/** What there is to know of the names of a file. */
interface Lookup {
  readonly facts: Facts;
  readonly budget: { left: number };
  bindingOf(identifier: Node): Binding | undefined;
}

/** What the classes of a file give their members. */
export class ClassMembers {
  readonly #names: Lookup;
  readonly #classes = new Map<Node, Map<string, Node[]>>();

  constructor(names: Lookup) {
    this.#names = names;
  }

  /**
   * What the class around a node gives its member `name`: fields, assignments in methods, parameters that are properties. Where it gives
   * none, what the class of this file does that it extends.
   * @param inherited of the classes above it alone: `super.name`
   */
  valuesOf(from: Node, name: string, inherited = false): Node[] {
    const [own, ...bases] = this.#chainFrom(bodyAround(from));
    for (const body of inherited || own === undefined ? bases : [own, ...bases]) {
      const values = this.#tableOf(body).get(name);
      if (values !== undefined) return values;
    }
    return [];
  }

  /** What the class around a node extends that is no class of this file, directly or through classes of this file. */
  foreignBase(from: Node): Node | undefined {
    return this.baseOf(this.#chainFrom(bodyAround(from)).at(-1));
  }

  /** The same of a class. */
  foreignBaseOf(declared: Node): Node | undefined {
    return this.baseOf(this.#chainFrom(asNode(declared.body)).at(-1));
  }

  /** What a class with this body extends. */
  baseOf(body: Node | undefined): Node | undefined {
    return body?.up?.superClass ?? undefined;
  }

  /** Members of a class of this file and of those that it extends, its own first. */
  methodsOf(declared: Node): Map<string, Node[]> {
    const found = new Map<string, Node[]>();
    for (const body of this.#chainFrom(asNode(declared.body)))
      for (const [name, values] of this.#tableOf(body)) if (!found.has(name)) found.set(name, values);
    return found;
  }

  #chainFrom(first: Node | undefined): Node[] {
    const chain: Node[] = [];
    for (let body = first; body !== undefined && chain.length < MOST_BASES; ) {
      chain.push(body);
      const base = this.baseOf(body);
      const binding = base?.type === "Identifier" ? this.#names.bindingOf(base) : undefined;
      this.#names.budget.left -= 1;
      body = binding?.kind === "class" ? asNode(binding.node.body) : undefined;
    }
    return chain;
  }

  #tableOf(body: Node): Map<string, Node[]> {
    let table = this.#classes.get(body);
    if (table === undefined) {
      table = this.#readClass(body);
      this.#classes.set(body, table);
    }
    return table;
  }

  #readClass(body: Node): Map<string, Node[]> {
    const table = new Map<string, Node[]>();
    const add = (name: string, node: Node) => table.set(name, [...(table.get(name) ?? []), node].slice(0, MOST_VALUES));
    for (const each of (body.body ?? []) as readonly Node[]) {
      const name = keyName(each.key, each.computed);
      const value = asNode(each.value);
      if (name === undefined) continue;
      if (each.type === "PropertyDefinition") add(name, value ?? each);
      else if (each.type === "MethodDefinition" && value) {
        if (each.kind === "get") continue;
        if (each.kind !== "constructor") add(name, value);
        for (const parameter of value.params ?? []) {
          if (parameter.type !== "TSParameterProperty") continue;
          const inner =
            parameter.parameter?.type === "AssignmentPattern" ? parameter.parameter.left : parameter.parameter;
          if (inner?.type === "Identifier") add(inner.name as string, inner);
        }
      }
    }
    const { start, end } = body;
    for (const write of this.#names.facts.memberWrites.get("this") ?? []) {
      if (write.start < start || write.end > end || !write.right) continue;
      const name =
        write.left?.object?.type === "ThisExpression" ? keyName(write.left.property, write.left.computed) : undefined;
      if (name !== undefined) add(name, write.right);
    }
    return table;
  }
}

function bodyAround(from: Node): Node | undefined {
  let body: Node | undefined = from.up;
  while (body !== undefined && body.type !== "ClassBody") body = body.up;
  return body;
}

/** `super` of a method: as JavaScript says it, and as Python calls it. */
export function isSuper(node: Node | undefined): boolean {
  if (node?.type === "Super") return true;
  return node?.type === "CallExpression" && node.callee?.type === "Identifier" && node.callee.name === "super";
}
