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

/** A value from a context that an expression can yield. */
export interface Yielded {
  /** `["github", "event", "issue", "title"]`, in small letters as GitHub compares them. `*` stands for any name or number. */
  readonly path: readonly string[];
  /** It is written out with all that it contains: `toJSON(github.event)`. */
  readonly whole: boolean;
}

/** What the names of the context `env` yield, in small letters: only names whose value comes from `github` or `inputs`. */
export type Environment = ReadonlyMap<string, readonly Yielded[]>;

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
 * @param environment what `env` stands for: each name yields what its value does
 */
export function yieldsOf(expression: string, environment: Environment = new Map()): Yielded[] {
  const tree = parse(expression.slice(3, -2));
  return tree === undefined ? [] : yielded(tree, [], environment);
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
function yielded(tree: Expr, below: readonly string[], environment: Environment): Yielded[] {
  if (tree instanceof Grouping) return yielded(tree.group, below, environment);
  if (tree instanceof Logical) {
    // `a && b` yields `a` only when that is empty, `0` or `false`.
    const results = tree.operator.type === TokenType.AND ? tree.args.slice(-1) : tree.args;
    return results.flatMap((result) => yielded(result, below, environment));
  }
  if (tree instanceof IndexAccess) return yielded(tree.expr, [nameOf(tree.index), ...below], environment);
  if (tree instanceof FunctionCall) return yieldedByCall(tree, below, environment);
  return tree instanceof ContextAccess ? fromContext([tree.name.lexeme.toLowerCase(), ...below], environment) : [];
}

function fromContext(path: readonly string[], environment: Environment): Yielded[] {
  const [context, name, ...below] = path;
  if (context !== "env" || name === undefined) return [{ path, whole: false }];
  // Variables are texts, and a text has no parts to look up.
  if (below.length > 0) return [];
  return name === "*" ? [...environment.values()].flat() : [...(environment.get(name) ?? [])];
}

/** Functions that yield `true`, `false` or a checksum. */
const FIXED = new Set(["contains", "startswith", "endswith", "success", "failure", "always", "cancelled", "hashfiles"]);

function yieldedByCall(call: FunctionCall, below: readonly string[], environment: Environment): Yielded[] {
  const { args } = call;
  const name = nameOfCall(call);
  if (FIXED.has(name)) return [];
  if (name === "tojson") return args.flatMap((arg) => writtenOut(arg, environment));
  if (name === "fromjson") return args.flatMap((arg) => readBack(arg, below, environment));
  // `case(condition, value, …, value)`
  const values = name === "case" ? args.filter((_, at) => at % 2 === 1 || at === args.length - 1) : args;
  return values.flatMap((value) => yielded(value, below, environment));
}

function nameOfCall({ functionName }: FunctionCall): string {
  return functionName.lexeme.toLowerCase();
}

function writtenOut(value: Expr, environment: Environment): Yielded[] {
  return yielded(value, [], environment)
    .flatMap((one) => (one.path.length === 1 && one.path[0] === "env" ? fromContext(["env", "*"], environment) : one))
    .map(({ path }) => ({ path, whole: true }));
}

/** `fromJSON(toJSON(github.event))` yields `github.event` itself. A person who chooses any other text chooses each part of it too. */
function readBack(json: Expr, below: readonly string[], environment: Environment): Yielded[] {
  if (json instanceof FunctionCall && nameOfCall(json) === "tojson")
    return json.args.flatMap((value) => yielded(value, below, environment));
  return yielded(json, [], environment).map((one) =>
    one.whole ? { path: [...one.path, ...below], whole: false } : one,
  );
}

function nameOf(index: Expr): string {
  if (!(index instanceof Literal)) return "*";
  const text = index.literal.coerceString();
  return /^\d+$/.test(text) ? "*" : text.toLowerCase();
}
