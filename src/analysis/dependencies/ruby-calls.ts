/** A call as a line of Ruby has it. */
export interface RubyCall {
  readonly method: string;
  /** The first argument; undefined where it is no plain text. */
  readonly name: string | undefined;
  /** The other arguments that are texts, also those in a list. */
  readonly texts: readonly string[];
  /** Names of the arguments that have one. */
  readonly keys: readonly string[];
  /** The arguments as they are written, at most 100 characters. */
  readonly written: string;
}

interface Token {
  readonly kind: "text" | "word" | "sign";
  readonly value: string;
  /** Its first character in the line, and the one behind it. */
  readonly at: number;
  readonly end: number;
}

const LONGEST_LINE = 1_000;
/** A call has no more lines: each of them is read again with the next. */
const MOST_JOINED = 5;
const LONGEST_NOTE = 100;
const CLOSING: Readonly<Record<string, string>> = { "<": ">", "(": ")", "[": "]", "{": "}" };

/** Every call of these methods, in the order of the text. A call goes on over the lines that end with a comma. */
export function rubyCalls(text: string, methods: ReadonlySet<string>): RubyCall[] {
  const calls: RubyCall[] = [];
  let open = "";
  let joined = 0;
  for (const written of text.split("\n")) {
    const line = `${open}${written.slice(0, LONGEST_LINE)}`;
    const tokens = tokensOf(line);
    const last = tokens.at(-1);
    const goesOn = last?.kind === "sign" && last.value === "," && joined < MOST_JOINED;
    joined = goesOn ? joined + 1 : 0;
    open = goesOn ? `${line.slice(0, last.at + 1)} ` : "";
    if (!goesOn) calls.push(...callsIn(line, tokens, methods));
  }
  return open === "" ? calls : [...calls, ...callsIn(open, tokensOf(open), methods)];
}

function callsIn(line: string, tokens: readonly Token[], methods: ReadonlySet<string>): RubyCall[] {
  const starts = tokens.flatMap(({ kind, value }, at) => (kind === "word" && methods.has(value) ? [at] : []));
  return starts.flatMap((start, at) => {
    const isOpen = tokens[start + 1]?.value === "(" && tokens[start + 1]?.kind === "sign";
    const first = start + (isOpen ? 2 : 1);
    const found = tokens.slice(first, starts[at + 1]);
    const end = found.findIndex(({ kind, value }) => kind === "sign" && (value === ";" || value === "}"));
    const args = end === -1 ? found : found.slice(0, end);
    // A variable, a key or a method of the same name.
    if (args.length === 0 || (args[0]!.kind === "sign" && /^[=:.,)?]$/.test(args[0]!.value))) return [];
    return [callOf(tokens[start]!.value, args, line)];
  });
}

function callOf(method: string, args: readonly Token[], line: string): RubyCall {
  const isSign = (at: number, signs: string) => args[at]?.kind === "sign" && signs.includes(args[at].value);
  const [first, second, third] = args;
  const isWhole = isSign(1, ".") ? third?.value === "freeze" : second?.kind !== "text" && !isSign(1, "+%*");
  const isPlain = first?.kind === "text" && isWhole && !/#\{|\\/.test(first.value);
  const texts = args.flatMap(({ kind, value }, at) => {
    const isArgument = at > 0 && isSign(at - 1, ",[") && !(isSign(at + 1, "=") && isSign(at + 2, ">"));
    return kind === "text" && isArgument ? [value] : [];
  });
  const keys = args.flatMap(({ kind, value }, at) => {
    const isKey = isSign(at + 1, ":") || (isSign(at + 1, "=") && isSign(at + 2, ">"));
    return kind !== "sign" && isKey ? [value] : [];
  });
  const written = line.slice(args[0]!.at, args.at(-1)!.end).slice(0, LONGEST_NOTE);
  return { method, name: isPlain ? first.value : undefined, texts, keys, written };
}

/** Texts, words and single signs of a line, without its comment. */
function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at]!;
    if (sign === "#") break;
    if (sign.trim() === "") continue;
    const start = textStart(line, at, tokens.at(-1));
    if (start !== undefined) {
      const found = line.indexOf(start.close, start.from);
      const close = found === -1 ? line.length : found;
      tokens.push({ kind: "text", value: line.slice(start.from, close), at, end: close + 1 });
      at = close;
      continue;
    }
    let end = at;
    while (end < line.length && /\w/.test(line[end]!)) end += 1;
    const isWord = end > at;
    end = isWord ? end : at + 1;
    tokens.push({ kind: isWord ? "word" : "sign", value: line.slice(at, end), at, end });
    at = end - 1;
  }
  return tokens;
}

/** `"`, `'`, `%q<`, `%Q(`, `%(`: where a text begins, and the sign that ends it. */
function textStart(line: string, at: number, before: Token | undefined): { from: number; close: string } | undefined {
  const sign = line[at]!;
  if (sign === '"' || sign === "'") return { from: at + 1, close: sign };
  if (sign !== "%" || before?.kind === "text") return undefined;
  const from = line[at + 1] === "q" || line[at + 1] === "Q" ? at + 2 : at + 1;
  const open = line[from] ?? "";
  return open === "" || /[\w\s=]/.test(open) ? undefined : { from: from + 1, close: CLOSING[open] ?? open };
}
