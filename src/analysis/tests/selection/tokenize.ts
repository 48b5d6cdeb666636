/** A piece of a text that may name a file or a folder. */
export interface Token {
  readonly text: string;
  /** What stands in front of the hole before it, where both are of one literal: `locales/` in `locales/${name}.json`. */
  readonly started?: string;
  /** Nothing else stands between its quotes. */
  readonly whole: boolean;
  /** It begins right after a quote. */
  readonly opens: boolean;
  /** What stands before it or after it is only known when the program runs: `order-${language}`, `*.sql`, `name + ".json"`. */
  readonly holeBefore: boolean;
  readonly holeAfter: boolean;
  /** It is what an import asks for. */
  readonly imported: boolean;
  /** Another literal is the next argument, as in `join(root, "data", "rates.json")`. */
  readonly continues: boolean;
  /** It is the first of an array. */
  readonly listed: boolean;
}

const QUOTES = new Set(["'", '"', "`"]);
const HOLES_BEFORE = new Set(["}", "*", "?", ">", "\\"]);
const HOLES_AFTER = new Set(["$", "{", "*", "?", "%", "<", "["]);
const IMPORTS = ["from", "import", "require(", "import(", "go:embed", "mock(", "Mock(", "Actual(", ".resolve("];
const NOTHING = {};
/** Longer ones are no paths, and are hashes or data. */
const LONGEST_TOKEN = 1_024;
const MOST_SPACES = 80;

const PATH_CHARACTERS = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./@#~+")
  PATH_CHARACTERS[character.charCodeAt(0)] = 1;

/** Whether a name is one token wherever it is written; others are not found. */
export function isOneToken(name: string): boolean {
  for (let at = 0; at < name.length; at += 1) if (!isPathCharacter(name.charCodeAt(at))) return false;
  return !name.endsWith(".");
}

function isPathCharacter(code: number): boolean {
  return code > 127 || PATH_CHARACTERS[code] === 1;
}

export interface TokenWish {
  /** Whether words outside of quotes are wanted as well, with what they follow. */
  readonly words: boolean;
  /** Which of these words are wanted in any case. */
  readonly wants: (word: string) => boolean;
}

/** The tokens of a text, in order, in one pass over its characters, whatever language it is in. */
export function* tokenize(text: string, { words, wants }: TokenWish): Generator<Token> {
  let start = -1;
  let open = { text: "", end: -1 };
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && isPathCharacter(text.charCodeAt(at))) {
      if (start === -1) start = at;
      continue;
    }
    if (start === -1) continue;
    const [from, percent] = afterPercent(text, start, at);
    const token = trimmed(text, from, at);
    start = -1;
    if (token === "" || token.length > LONGEST_TOKEN) continue;
    const before = text[from - 1] ?? "";
    const after = text[from + token.length] ?? "";
    const opens = QUOTES.has(before);
    const whole = opens && after === before;
    const isHole = percent || HOLES_BEFORE.has(before) || HOLES_AFTER.has(after);
    if (!words && !opens && !isHole && !token.includes("/") && !wants(token)) continue;
    const begun = HOLES_BEFORE.has(before) && isOneLiteral(text, open.end, from) ? open.text : undefined;
    if (HOLES_AFTER.has(after)) open = { text: token, end: from + token.length };
    yield {
      text: token,
      ...(begun === undefined ? NOTHING : { started: begun }),
      ...{ whole, opens },
      holeBefore: percent || HOLES_BEFORE.has(before) || (opens && lastBefore(text, from - 2) === "+"),
      holeAfter: HOLES_AFTER.has(after) || (whole && firstAfter(text, from + token.length + 1) === "+"),
      // `node:fs` comes with the runtime.
      imported: (opens || words) && after !== ":" && isImported(text, opens ? from - 2 : from - 1),
      continues: whole && /^,\s{0,80}["'`]/.test(text.slice(from + token.length + 1, from + token.length + 90)),
      listed: whole && lastBefore(text, from - 2) === "[",
    };
  }
}

/** A `%20` before a token belongs to no name, and a `%s` stands for something. */
function afterPercent(text: string, start: number, end: number): [from: number, hole: boolean] {
  if (text[start - 1] !== "%") return [start, false];
  const [first = "", second = ""] = text.slice(start, end);
  if ("sdi".includes(first) && !/[0-9a-f]/i.test(second)) return [start + 1, true];
  return /[0-9a-f]/i.test(first) && /[0-9a-f]/i.test(second) ? [start + 2, false] : [start, false];
}

/** Without the dot at the end of a sentence; `.` and `..` stay. */
function trimmed(text: string, start: number, end: number): string {
  const token = text.slice(start, end);
  return token.endsWith(".") && !/(?:^|\/)\.{1,2}$/.test(token.slice(-3)) ? token.slice(0, -1) : token;
}

const LONGEST_HOLE = 100;

function isOneLiteral(text: string, from: number, to: number): boolean {
  if (from === -1 || to - from > LONGEST_HOLE) return false;
  for (let at = from; at < to; at += 1) if (QUOTES.has(text[at] ?? "") || text[at] === "\n") return false;
  return true;
}

function lastBefore(text: string, at: number): string {
  return (
    text
      .slice(Math.max(0, at + 1 - MOST_SPACES), at + 1)
      .trimEnd()
      .at(-1) ?? ""
  );
}

function firstAfter(text: string, at: number): string {
  return text.slice(at, at + MOST_SPACES).trimStart()[0] ?? "";
}

function isImported(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 12), at + 1).trimEnd();
  return IMPORTS.some((word) => before.endsWith(word));
}
