import { asNode, type Binding, keyName, type Node, statementsOf } from "./node.ts";

/** Members of type nodes that `Node` leaves out: names are walked, types are not. */
interface TypeNode extends Node {
  readonly typeArguments?: { readonly params?: readonly TypeNode[] } | null;
  readonly types?: readonly TypeNode[];
  readonly members?: readonly TypeNode[];
  readonly exprName?: TypeNode;
}

/** Types that are there without an import. */
const GLOBAL_TYPES: Readonly<Record<string, string>> = { D1Database: "@cloudflare/workers-types:D1Database()" };

const DEEPEST = 12;
/** What is written around a type and changes nothing of what its members are. */
const AROUND = new Set(["Promise", "Readonly", "Partial", "Required", "NonNullable", "Awaited", "Pick", "Omit", "Ref"]);

/** The types that a file declares for its names, as far as they say from which package a value is. */
export class DeclaredTypes {
  readonly #program: Node;
  #local: Map<string, TypeNode> | undefined;

  constructor(program: Node) {
    this.#program = program;
  }

  /** The type written behind a name or pattern, and of a part that a pattern takes out of it. */
  of(pattern: Node | null | undefined, access: Binding["access"] = []): Node | undefined {
    let at = pattern ?? undefined;
    if (at?.type === "TSParameterProperty") at = at.parameter;
    if (at?.type === "AssignmentPattern") at = at.left;
    let type = plain(asNode(asNode(at?.typeAnnotation)?.typeAnnotation) as TypeNode | undefined);
    for (const key of access) type = key === undefined ? undefined : this.#member(type, key, 0);
    return type;
  }

  /** The type of a member of a value of this type. */
  member(type: Node | undefined, key: string | undefined): Node | undefined {
    return key === undefined ? undefined : this.#member(type as TypeNode | undefined, key, 0);
  }

  /** As `Names.pathOf` says it: what a class of a package makes, `pg:Pool()`; undefined where no package is named. */
  pathOf(type: Node | undefined, depth = 0): string | undefined {
    const inner = plain(type as TypeNode | undefined);
    if (inner === undefined || depth > DEEPEST) return undefined;
    const isOfValue = inner.type === "TSTypeQuery";
    const behind: string[] = [];
    let base: Node | undefined = isOfValue ? inner.exprName : inner.typeName;
    for (; base?.type === "TSQualifiedName" && base.left; base = base.left) behind.unshift(String(base.right?.name));
    if (base?.type !== "Identifier") return undefined;
    if (isOfValue) return this.#imported(base, behind)?.replace(/\(\)$/, "");
    const name = String(base.name);
    const imported = this.#imported(base, behind);
    if (imported !== undefined) return imported;
    const [first] = inner.typeArguments?.params ?? [];
    if (AROUND.has(name)) return this.pathOf(first, depth + 1);
    // `ReturnType<typeof createPool>` is what it makes.
    if (name === "ReturnType" || name === "InstanceType") {
      const made = this.pathOf(first, depth + 1);
      return made && `${made}()`;
    }
    if (behind.length > 0) return undefined;
    const local = this.#locals().get(name);
    return local === undefined && Object.hasOwn(GLOBAL_TYPES, name)
      ? GLOBAL_TYPES[name]
      : this.pathOf(local, depth + 1);
  }

  #imported(base: Node, behind: readonly string[]): string | undefined {
    const binding = this.#program.scope?.get(String(base.name));
    if (binding?.kind !== "import") return undefined;
    const path = [binding.member ?? "", ...behind].filter((each) => each !== "").join(".");
    return `${binding.module}:${path}()`;
  }

  #member(type: TypeNode | undefined, key: string, depth: number): TypeNode | undefined {
    const inner = plain(type);
    if (inner === undefined || depth > DEEPEST) return undefined;
    if (inner.type === "TSTypeReference") {
      const name = inner.typeName?.type === "Identifier" ? String(inner.typeName.name) : "";
      const [first] = inner.typeArguments?.params ?? [];
      const around = AROUND.has(name) ? first : this.#locals().get(name);
      return this.#member(around, key, depth + 1);
    }
    if (inner.type === "TSIntersectionType") {
      for (const part of inner.types ?? []) {
        const found = this.#member(part, key, depth + 1);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    const body = asNode(inner.body) as TypeNode | undefined;
    const members = (inner.members ?? body?.body ?? []) as readonly TypeNode[];
    const found = members.find((each) => keyName(each.key, each.computed) === key);
    return plain(asNode(asNode(found?.typeAnnotation)?.typeAnnotation) as TypeNode | undefined);
  }

  /** Interfaces and names for types, by name; classes for what their fields are. */
  #locals(): ReadonlyMap<string, TypeNode> {
    if (this.#local !== undefined) return this.#local;
    const found = new Map<string, TypeNode>();
    for (const statement of statementsOf(this.#program)) {
      const declared = (statement.declaration ?? statement) as TypeNode;
      if (!declared.id) continue;
      if (declared.type === "TSInterfaceDeclaration" || declared.type === "ClassDeclaration")
        found.set(String(declared.id.name), declared);
      else if (declared.type === "TSTypeAliasDeclaration" && declared.typeAnnotation)
        found.set(String(declared.id.name), declared.typeAnnotation as TypeNode);
    }
    this.#local = found;
    return found;
  }
}

/** Of several what is not nothing: `Pool | undefined`. */
function plain(type: TypeNode | undefined): TypeNode | undefined {
  let at = type;
  for (let depth = 0; at !== undefined && depth < DEEPEST; depth += 1) {
    if (at.type === "TSParenthesizedType") at = at.typeAnnotation as TypeNode | undefined;
    else if (at.type === "TSUnionType")
      at = at.types?.find(({ type: each }) => each !== "TSUndefinedKeyword" && each !== "TSNullKeyword");
    else return at;
  }
  return at;
}
