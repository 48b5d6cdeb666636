import { posix } from "node:path";
import { parseSync } from "oxc-parser";
import { isNested } from "../../is-nested.ts";
import { findJsonFault } from "../find-syntax-fault.ts";
import { isLong } from "./is-long.ts";

/** What a text says without being run: plain values, places in the repository, and regular expressions as texts. */
export type Literal = string | number | boolean | null | Place | Pattern | readonly Literal[] | Fields | undefined;

/** A file or folder that a program would have computed from where its own file stands: from the root. */
export class Place {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
}

/** The source of a regular expression; it is never matched. */
export class Pattern {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

export class Fields {
  readonly entries: ReadonlyMap<string, Literal>;
  constructor(entries: ReadonlyMap<string, Literal>) {
    this.entries = entries;
  }
}

/** As much of a node as is read here. */
export interface Node {
  readonly type: string;
  /** In the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const MOST_NESTED = 200;
const MOST_STEPS = 20_000;
/** Names that stand for names. */
const DEEPEST = 20;

/**
 * The values of these property names, found anywhere in a text of JavaScript, TypeScript or JSON, without running it. Comments and trailing
 * commas are allowed. A value that only a run could compute is undefined.
 * @param folder of the file, from the root
 */
export function readNamed(text: string, folder: string, names: ReadonlySet<string>, isData: boolean): Literal[] {
  const body = parseSettings(text, isData);
  if (body === undefined) return [];
  const reader = new Reader(body, folder);
  const found: Literal[] = [];
  const waiting: unknown[] = [...body];
  for (let steps = 0; waiting.length > 0 && steps < MOST_STEPS; steps += 1) {
    const each = waiting.pop() as Node;
    if (each.type === "Property" && names.has(nameOf(each.key as Node) ?? "")) found.push(reader.read(each.value, 0));
    // One by one: a list of 150,000 items is too much for the arguments of a call.
    for (const value of Object.values(each)) if (typeof value === "object" && value !== null) waiting.push(value);
  }
  return found;
}

/** The value of a JSON text, in which comments and trailing commas are allowed; undefined if it is not JSON. */
export function readData(text: string): Literal {
  const [statement, ...others] = parseSettings(text, true) ?? [];
  if (statement?.type !== "ExpressionStatement" || others.length > 0) return undefined;
  return new Reader([], "").read(statement.expression, 0);
}

/** The statements of settings, as code or as JSON with comments; undefined where they are no such text, or too long or nested to be parsed safely. */
export function parseSettings(text: string, isData: boolean): readonly Node[] | undefined {
  if (isNested(text, MOST_NESTED)) return undefined;
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  // JSON has no chains: its depth is that of its brackets.
  const isJson = isData && findJsonFault(plain)?.kind !== "syntax";
  if (!isJson && isLong(plain)) return undefined;
  const { program, errors } = parseSync("file.ts", isData ? `(${plain}\n)` : plain);
  return errors.some(({ severity }) => severity === "Error") ? undefined : (program.body as unknown as Node[]);
}

/** A name, or a text that stands for one. */
export function nameOf(node: Node | undefined): string | undefined {
  if (node?.type === "Identifier") return node.name as string;
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

const JOINED = new Set(["resolve", "join", "normalize"]);

class Reader {
  readonly #names: ReadonlyMap<string, unknown>;
  readonly #folder: string;
  #steps = 0;

  constructor(body: readonly Node[], folder: string) {
    this.#folder = folder;
    const declared = body.flatMap((statement) => {
      const node = (statement.type === "ExportNamedDeclaration" ? statement.declaration : statement) as Node | null;
      return node?.type === "VariableDeclaration" && node.kind === "const" ? (node.declarations as Node[]) : [];
    });
    this.#names = new Map(declared.flatMap(({ id, init }) => [[nameOf(id as Node) ?? "", init] as const]));
  }

  read(value: unknown, depth: number): Literal {
    this.#steps += 1;
    if (depth > MOST_NESTED || this.#steps > MOST_STEPS || typeof value !== "object" || value === null)
      return undefined;
    const node = value as Node;
    const next = (each: unknown) => this.read(each, depth + 1);
    switch (node.type) {
      case "Literal": {
        const { regex } = node as { readonly regex?: { readonly pattern: string } };
        return regex === undefined ? (node.value as Literal) : new Pattern(regex.pattern);
      }
      case "UnaryExpression":
        return undefined;
      case "TemplateLiteral":
        return this.#joined(node, next);
      case "ArrayExpression":
        return (node.elements as unknown[]).map(next);
      case "ObjectExpression": {
        const properties = (node.properties as Node[]).filter(({ type, computed }) => type === "Property" && !computed);
        return new Fields(new Map(properties.map(({ key, value: each }) => [nameOf(key as Node) ?? "", next(each)])));
      }
      case "Identifier": {
        const name = node.name as string;
        if (name === "__dirname") return new Place(this.#folder);
        // A name may be defined by itself, so the depth is limited.
        return this.#names.has(name) && depth < DEEPEST * 2 ? this.read(this.#names.get(name), depth + 2) : undefined;
      }
      case "MemberExpression":
        return this.#member(node, next);
      case "CallExpression":
      case "NewExpression":
        return this.#call(node, next);
      case "ParenthesizedExpression":
      case "TSAsExpression":
      case "TSSatisfiesExpression":
        return next(node.expression);
      default:
        return undefined;
    }
  }

  #joined(node: Node, next: (each: unknown) => Literal): Literal {
    const texts = (node.quasis as { readonly value: { readonly cooked?: string } }[]).map(({ value }) => value.cooked);
    const parts = (node.expressions as unknown[]).map(next);
    const [first] = parts;
    if (texts[0] === "" && first instanceof Place && parts.length === 1)
      return new Place(posix.join("/", first.path, texts[1] ?? "").slice(1));
    if (!parts.every((each) => typeof each === "string")) return undefined;
    return texts.map((each, at) => `${each ?? ""}${parts[at] ?? ""}`).join("");
  }

  /** `import.meta.dirname`, and the path of an address. */
  #member({ object, property }: Node, next: (each: unknown) => Literal): Literal {
    const name = nameOf(property as Node);
    if ((object as Node).type === "MetaProperty") return name === "dirname" ? new Place(this.#folder) : undefined;
    return name === "pathname" || name === "href" ? next(object) : undefined;
  }

  /** `path.resolve(__dirname, "src")` and `fileURLToPath(new URL("./src", import.meta.url))`, as most people write where something stands. */
  #call(node: Node, next: (each: unknown) => Literal): Literal {
    const callee = node.callee as Node;
    const name = nameOf((callee.type === "MemberExpression" ? callee.property : callee) as Node);
    const given = node.arguments as Node[];
    if (name === "cwd") return new Place(this.#folder);
    if (name === "fileURLToPath") return next(given[0]);
    if (name === "URL" && given.length === 2) return this.#below([next(given[0])]);
    return JOINED.has(name ?? "") ? this.#below(given.map(next)) : undefined;
  }

  #below(parts: readonly Literal[]): Literal {
    let path = this.#folder;
    for (const part of parts) {
      if (part instanceof Place) path = part.path;
      else if (typeof part === "string") path = posix.join("/", path, part).slice(1);
      else return undefined;
    }
    return new Place(path);
  }
}
