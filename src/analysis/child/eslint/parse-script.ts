import { visitorKeys as oxcKeys, type ParserOptions, parseSync } from "oxc-parser";
import { placeOf } from "../../source-file.ts";

/** A node of the tree as ESLint takes it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  range?: readonly [number, number];
  loc?: Location;
  readonly [key: string]: unknown;
}

export interface Location {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

const NEVER_VISITED = new Set([
  "typeAnnotation",
  "typeParameters",
  "typeArguments",
  "superTypeArguments",
  "returnType",
  "implements",
]);

/**
 * The children that ESLint visits. Types are left out altogether: no rule here reads them, and the scope analysis, which knows plain
 * JavaScript only, would take their names for variables.
 */
export const VISITOR_KEYS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(oxcKeys).map(([type, keys]) => [type, keptKeys(type, keys)]),
);

function keptKeys(type: string, keys: readonly string[]): readonly string[] {
  const values: Readonly<Record<string, readonly string[]>> = {
    TSAsExpression: ["expression"],
    TSExportAssignment: ["expression"],
    TSInstantiationExpression: ["expression"],
    TSModuleBlock: ["body"],
    TSModuleDeclaration: ["body"],
    TSNonNullExpression: ["expression"],
    TSParameterProperty: ["parameter"],
    TSSatisfiesExpression: ["expression"],
    TSTypeAssertion: ["expression"],
  };
  if (type.startsWith("TS")) return values[type] ?? [];
  // Decorators of parameters stand on patterns, which the scope analysis reads in its own way.
  const decorated = /^(?:Class|Method|PropertyDefinition|AccessorProperty)/.test(type);
  return keys.filter((key) => !NEVER_VISITED.has(key) && (key !== "decorators" || decorated));
}

/** ESLint's parser interface over oxc: one parser for JavaScript, TypeScript and JSX, and the quickest there is. */
export interface Parsed {
  readonly ast: Node;
  readonly visitorKeys: typeof VISITOR_KEYS;
  readonly services: Record<string, never>;
}

/** @returns undefined when the text does not parse in this reading */
export function parseScript(text: string, lineStarts: readonly number[], options: ParserOptions): Parsed | undefined {
  const { program, comments, errors } = parseSync("file", text, {
    ...options,
    astType: "ts",
    preserveParens: false,
    range: true,
  });
  if (errors.some(({ severity }) => severity === "Error")) return undefined;
  const ast = program as unknown as Node & Record<string, unknown>;
  const opaque: Opaque[] = [];
  locate(ast, lineStarts, opaque);
  const hashbang = ast.hashbang as Node | null;
  const shebang = hashbang ? [{ ...hashbang, type: "Shebang", value: String(hashbang.value) }] : [];
  const placed = [...shebang, ...comments].map((comment) => place(comment, lineStarts));
  for (const { start, end } of placed) opaque.push({ type: null, start, end });
  return {
    ast: {
      ...ast,
      comments: placed,
      tokens: listTokens(text, opaque).map((token) => new PlacedToken(token, lineStarts)),
    },
    visitorKeys: VISITOR_KEYS,
    services: {},
  };
}

/** Every tenth byte of a file is a token and few rules look at one: its place is made when somebody asks. */
class PlacedToken {
  readonly type: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly range: readonly [number, number];
  readonly #lineStarts: readonly number[];

  constructor({ type, value, start, end, range }: Token, lineStarts: readonly number[]) {
    this.type = type;
    this.value = value;
    this.start = start;
    this.end = end;
    this.range = range;
    this.#lineStarts = lineStarts;
  }

  get loc(): Location {
    return locationOf(this, this.#lineStarts);
  }
}

/** Keeps its own stack: nesting that the parser survived must not overflow ours. */
function locate(root: Node, lineStarts: readonly number[], opaque: Opaque[]): void {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    node.loc = locationOf(node, lineStarts);
    const token = literalType(node);
    if (token !== undefined) opaque.push({ type: token, start: node.start, end: node.end });
    for (const key of VISITOR_KEYS[node.type] ?? []) {
      const child = node[key] as Node | readonly (Node | null)[] | null | undefined;
      if (Array.isArray(child)) {
        for (const item of child as readonly (Node | null)[]) if (item) stack.push(item);
      } else if (child) stack.push(child as Node);
    }
  }
}

function literalType(node: Node): string | undefined {
  switch (node.type) {
    case "Literal":
      if (node.regex) return "RegularExpression";
      return typeof node.value === "string" ? "String" : undefined;
    case "TemplateElement":
      return "Template";
    case "JSXText":
      return "JSXText";
    case "JSXIdentifier":
      return "JSXIdentifier";
    default:
      return undefined;
  }
}

function place<T extends { readonly start: number; readonly end: number }>(item: T, lineStarts: readonly number[]) {
  return { ...item, range: [item.start, item.end] as const, loc: locationOf(item, lineStarts) };
}

/** ESLint counts columns from 0. */
function locationOf({ start, end }: { start: number; end: number }, lineStarts: readonly number[]): Location {
  const from = placeOf(lineStarts, start);
  const to = placeOf(lineStarts, end);
  return {
    start: { line: from.line, column: from.column - 1 },
    end: { line: to.line, column: to.column - 1 },
  };
}

/** A token as ESLint takes it, without its location. */
interface Token {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly range: readonly [number, number];
}

/** A stretch that cannot be told apart without a grammar: its type as a token, or null for a comment. */
interface Opaque {
  readonly type: string | null;
  readonly start: number;
  readonly end: number;
}

/** Words, numbers, strings of types (which the tree here leaves out), and punctuation, longest first. */
const TOKEN =
  /([\p{ID_Start}$_#\\][\p{ID_Continue}$\\]*)|(\.?\d(?:[eE][+-]|[\w.])*)|("[^"\n]*"|'[^'\n]*'|`[^`]*`)|>>>=|\.\.\.|\*\*=|<<=|>>=|>>>|===|!==|&&=|\|\|=|\?\?=|=>|\?\.(?!\d)|\*\*|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\?\?|[-+*/%&|^]=|[^\s]/uy;

const SPACE = /\s+/y;

const KEYWORDS = new Set(
  (
    "break case catch class const continue debugger default delete do else export extends finally for function if import " +
    "in instanceof new return super switch this throw try typeof var void while with yield let static"
  ).split(" "),
);

/** The tokens of a text that has been parsed already. `opaque` holds strings, templates, regular expressions, JSX text and comments. */
function listTokens(text: string, opaque: readonly Opaque[]): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const { type, start, end } of opaque.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    scan(text, at, start, tokens);
    if (type !== null) tokens.push({ type, start, end, range: [start, end], value: text.slice(start, end) });
    at = end;
  }
  scan(text, at, text.length, tokens);
  return tokens;
}

function scan(text: string, from: number, to: number, tokens: Token[]): void {
  let start = from;
  while (start < to) {
    SPACE.lastIndex = start;
    start += SPACE.exec(text)?.[0].length ?? 0;
    if (start >= to) return;
    TOKEN.lastIndex = start;
    const match = TOKEN.exec(text);
    if (match === null) return;
    const end = Math.min(to, TOKEN.lastIndex);
    const value = text.slice(start, end);
    tokens.push({ type: typeOf(match, value), start, end, range: [start, end], value });
    start = end;
  }
}

function typeOf([, word, number, string]: RegExpExecArray, value: string): string {
  if (word !== undefined)
    return KEYWORDS.has(value) ? "Keyword" : value.startsWith("#") ? "PrivateIdentifier" : "Identifier";
  if (number !== undefined) return "Numeric";
  return string !== undefined ? "String" : "Punctuator";
}
