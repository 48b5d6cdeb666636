/** A token as ESLint takes it, without its location. */
export interface Token {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly range: readonly [number, number];
}

/** A stretch that cannot be told apart without a grammar: its type as a token, or null for a comment. */
export interface Opaque {
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
export function listTokens(text: string, opaque: readonly Opaque[]): Token[] {
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
