import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync } from "oxc-parser";
import { constantText, type Scope, type SyntaxNode } from "./constant-text.ts";

/** A regular expression in the source, with everywhere that it occurs. */
export interface PatternUse {
  readonly source: string;
  readonly flags: string;
  /** As `path:line` below the root of the repository. */
  readonly places: string[];
}

/** A constructor whose pattern only exists while Forge runs. */
export interface DynamicPattern {
  /** Path below the root of the repository. */
  readonly file: string;
  readonly line: number;
  /** The argument as it is written. */
  readonly argument: string;
}

export interface Patterns {
  /** By the pattern as a literal, such as `/a+/u`. */
  readonly constant: ReadonlyMap<string, PatternUse>;
  readonly dynamic: readonly DynamicPattern[];
}

/** Finds every regular expression literal and every call of `RegExp` in all files below a folder. */
export function readPatterns(root: string, folder: string): Patterns {
  const constant = new Map<string, PatternUse>();
  const dynamic: DynamicPattern[] = [];
  const scopes = new Map<string, Scope>();
  const scopeOf = (path: string): Scope => {
    const known = scopes.get(path);
    if (known !== undefined) return known;
    const scope = readScope(path, (specifier) => scopeOf(join(dirname(path), specifier)));
    scopes.set(path, scope);
    return scope;
  };
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  for (const path of files.toSorted().map((file) => join(root, folder, file))) {
    const text = readFileSync(path, "utf8");
    if (!mayHold(text)) continue;
    const scope = scopeOf(path);
    const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
    const file = relative(root, path);
    eachPattern(scope.program, (node) => {
      const found = node.type === "Literal" ? (node.regex as Found) : constructed(node, scope);
      const line = lineOf(node.start);
      if (found === undefined) dynamic.push({ file, line, argument: text.slice(...spanOfArgument(node)) });
      else addUse(constant, found, `${file}:${line}`);
    });
  }
  return { constant, dynamic };
}

/** Adds a pattern to a list, under the name that it has as a literal. */
export function addUse(
  uses: Map<string, PatternUse>,
  found: { readonly pattern: string; readonly flags: string },
  place: string,
): void {
  const { source, flags } = new RegExp(found.pattern, found.flags);
  const key = `/${source}/${flags}`;
  const use = uses.get(key) ?? { source, flags, places: [] };
  use.places.push(place);
  uses.set(key, use);
}

interface Found {
  readonly pattern: string;
  readonly flags: string;
}

/** A literal follows a sign, a word of the language, a comment, or the start of a line; no name, number, bracket or quote. */
const MAY_BEGIN =
  /RegExp|(?:^|[^\w.)\]"'`/*<\s]|\*\/|\b(?:return|of|case|typeof|in|await|yield|void))[^\S\n]*\/(?![/*])/m;

/** Most files hold no pattern and are not parsed. */
function mayHold(text: string): boolean {
  return MAY_BEGIN.test(text);
}

function readScope(path: string, imported: (specifier: string) => Scope): Scope {
  const { program, errors } = parseSync(path, readFileSync(path, "utf8"));
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]!.message}`);
  return { program: program as unknown as SyntaxNode, imported };
}

/** Calls back for each literal and each constructor, and leaves out a literal of which only `.source` is used. */
function eachPattern(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  if (node.type === "Literal" && node.regex !== undefined) visit(node);
  if (isConstructor(node)) visit(node);
  const part = node.type === "MemberExpression" ? literalOfSource(node) : undefined;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === "string" && child !== part) eachPattern(child, visit);
    }
  }
}

function literalOfSource(node: SyntaxNode): unknown {
  const { object, property } = node as unknown as Record<string, SyntaxNode>;
  return property?.name === "source" && object?.regex !== undefined ? object : undefined;
}

function isConstructor(node: SyntaxNode): boolean {
  if (node.type !== "NewExpression" && node.type !== "CallExpression") return false;
  return (node.callee as SyntaxNode).name === "RegExp";
}

function constructed(node: SyntaxNode, scope: Scope): Found | undefined {
  const [pattern, flags] = (node.arguments as SyntaxNode[]).map((argument) => constantText(argument, scope));
  const hasFlags = (node.arguments as SyntaxNode[]).length > 1;
  if (pattern === undefined || (hasFlags && flags === undefined)) return undefined;
  return { pattern, flags: flags ?? "" };
}

function spanOfArgument(node: SyntaxNode): [start: number, end: number] {
  const [first] = node.arguments as SyntaxNode[];
  return [first?.start ?? node.start, first?.end ?? node.end];
}
