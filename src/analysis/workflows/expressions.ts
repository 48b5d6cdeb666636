import {
  ContextAccess,
  type Expr,
  FunctionCall,
  Grouping,
  IndexAccess,
  Literal,
  Logical,
} from "@actions/expressions/ast";
import { Null } from "@actions/expressions/data/null";
import { Lexer, type Token, TokenType } from "@actions/expressions/lexer";
import { Parser } from "@actions/expressions/parser";
import { type Values, valuesAt, valuesBelow, type Yielded } from "./values.ts";

/** The expressions `${{ … }}` of a text, in order, each with its braces. `}}` in quotes does not end one. Takes linear time. */
export function expressionsIn(text: string): string[] {
  const found: string[] = [];
  for (let from = text.indexOf("${{"); from !== -1; ) {
    const end = endOf(text, from + 3);
    if (end === -1) break;
    found.push(text.slice(from, end));
    from = text.indexOf("${{", end);
  }
  return found;
}

function endOf(text: string, from: number): number {
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "'") quoted = !quoted;
    else if (!quoted && text[at] === "}" && text[at + 1] === "}") return at + 2;
  }
  return -1;
}

/**
 * What an expression can yield from contexts, by GitHub's own parser. Comparisons and the like yield only `true` or `false`, and count as
 * nothing. So does an expression that GitHub refuses: then the whole workflow does not run.
 * @param values what is known of other contexts: each name yields what its value does
 */
export function yieldsOf(expression: string, values: Values = new Map()): Yielded[] {
  const tree = parse(expression.slice(3, -2));
  return tree === undefined ? [] : yielded(tree, [], values);
}

function parse(source: string): Expr | undefined {
  try {
    const { tokens } = new Lexer(source).lex();
    const names = tokens.filter(({ type }) => type === TokenType.IDENTIFIER).map(({ lexeme }: Token) => lexeme);
    // Every name is known to the parser: which contexts and functions there are changes, and is not our question.
    const functions = names.map((name) => ({
      name,
      description: "",
      minArgs: 0,
      maxArgs: 255,
      call: () => new Null(),
    }));
    return new Parser(tokens, names, functions).parse();
  } catch {
    return undefined;
  }
}

/** @param below the names that are looked up in what the tree yields: `title` for the parentheses of `(a || b).title` */
function yielded(tree: Expr, below: readonly string[], values: Values): Yielded[] {
  if (tree instanceof Grouping) return yielded(tree.group, below, values);
  if (tree instanceof Logical) {
    // `a && b` yields `a` only when that is empty, `0` or `false`.
    const results = tree.operator.type === TokenType.AND ? tree.args.slice(-1) : tree.args;
    return results.flatMap((result) => yielded(result, below, values));
  }
  if (tree instanceof IndexAccess)
    return namesOf(tree.index).flatMap((name) => yielded(tree.expr, [name, ...below], values));
  if (tree instanceof FunctionCall) return yieldedByCall(tree, below, values);
  return tree instanceof ContextAccess ? valuesAt(values, [tree.name.lexeme.toLowerCase(), ...below]) : [];
}

/** Functions that yield `true`, `false` or a checksum. */
const FIXED = new Set(["contains", "startswith", "endswith", "success", "failure", "always", "cancelled", "hashfiles"]);

function yieldedByCall(call: FunctionCall, below: readonly string[], values: Values): Yielded[] {
  const { args } = call;
  const name = nameOfCall(call);
  if (FIXED.has(name)) return [];
  if (name === "tojson") return args.flatMap((arg) => writtenOut(arg, values));
  if (name === "fromjson") return args.flatMap((arg) => readBack(arg, below, values));
  // `case(condition, value, …, value)`
  const results = name === "case" ? args.filter((_, at) => at % 2 === 1 || at === args.length - 1) : args;
  return results.flatMap((value) => yielded(value, below, values));
}

function nameOfCall({ functionName }: FunctionCall): string {
  return functionName.lexeme.toLowerCase();
}

function writtenOut(value: Expr, values: Values): Yielded[] {
  return yielded(value, [], values).flatMap((one) => {
    const below = one.whole ? undefined : valuesBelow(values, one.path);
    return (below ?? [one]).map(({ path }) => ({ path, whole: true }));
  });
}

/** `fromJSON(toJSON(github.event))` yields `github.event` itself. A person who chooses any other text chooses each part of it too. */
function readBack(json: Expr, below: readonly string[], values: Values): Yielded[] {
  if (json instanceof FunctionCall && nameOfCall(json) === "tojson")
    return json.args.flatMap((value) => yielded(value, below, values));
  return yielded(json, [], values).map((one) => (one.whole ? { path: [...one.path, ...below], whole: false } : one));
}

/** So many names are told apart; an index that can be more of them is any. */
const MOST_NAMES = 8;

/** What an index can be, where that is written out: both of `[x && 'issue' || 'pull_request']`. */
function namesOf(index: Expr): string[] {
  const names = new Set(writtenNames(index));
  return names.size > MOST_NAMES || names.has("*") ? ["*"] : [...names];
}

function writtenNames(index: Expr): string[] {
  if (index instanceof Grouping) return writtenNames(index.group);
  // What is empty, `0` or `false` before `&&` names nothing that strangers choose.
  if (index instanceof Logical)
    return (index.operator.type === TokenType.AND ? index.args.slice(-1) : index.args).flatMap(writtenNames);
  if (!(index instanceof Literal)) return ["*"];
  const text = index.literal.coerceString();
  return [/^\d+$/.test(text) ? "*" : text.toLowerCase()];
}
