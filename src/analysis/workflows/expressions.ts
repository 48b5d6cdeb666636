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
 */
export function yieldsOf(expression: string): Yielded[] {
  const tree = parse(expression.slice(3, -2));
  return tree === undefined ? [] : yielded(tree);
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

function yielded(tree: Expr): Yielded[] {
  if (tree instanceof Grouping) return yielded(tree.group);
  if (tree instanceof Logical) {
    // `a && b` yields `a` only when that is empty, `0` or `false`.
    const results = tree.operator.type === TokenType.AND ? tree.args.slice(-1) : tree.args;
    return results.flatMap(yielded);
  }
  if (tree instanceof FunctionCall) return yieldedByCall(tree);
  const path = pathOf(tree);
  if (path !== undefined) return [{ path, whole: false }];
  return tree instanceof IndexAccess ? yielded(tree.expr) : [];
}

/** Functions that yield `true`, `false` or a checksum. */
const FIXED = new Set(["contains", "startswith", "endswith", "success", "failure", "always", "cancelled", "hashfiles"]);

function yieldedByCall({ functionName, args }: FunctionCall): Yielded[] {
  const name = functionName.lexeme.toLowerCase();
  if (FIXED.has(name)) return [];
  if (name === "tojson") return args.flatMap(yielded).map(({ path }) => ({ path, whole: true }));
  // `case(condition, value, …, value)`
  if (name === "case") return args.filter((_, at) => at % 2 === 1 || at === args.length - 1).flatMap(yielded);
  return args.flatMap(yielded);
}

/** The path of `github.event['issue'].title`; undefined for what is not read from a context. */
function pathOf(tree: Expr): string[] | undefined {
  if (tree instanceof Grouping) return pathOf(tree.group);
  if (tree instanceof ContextAccess) return [tree.name.lexeme.toLowerCase()];
  if (tree instanceof FunctionCall) return throughJson(tree);
  if (!(tree instanceof IndexAccess)) return undefined;
  const base = pathOf(tree.expr);
  return base && [...base, nameOf(tree.index)];
}

/** `fromJSON(toJSON(github.event))` is `github.event` again. */
function throughJson(call: FunctionCall): string[] | undefined {
  const [inner] = call.args;
  const both = call.functionName.lexeme.toLowerCase() === "fromjson" && inner instanceof FunctionCall;
  const value = both && inner.functionName.lexeme.toLowerCase() === "tojson" ? inner.args[0] : undefined;
  return value && pathOf(value);
}

function nameOf(index: Expr): string {
  if (!(index instanceof Literal)) return "*";
  const text = index.literal.coerceString();
  return /^\d+$/.test(text) ? "*" : text.toLowerCase();
}
