/** A value that a text gives a name: an assignment, a pair, an argument, an element. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
  readonly offset: number;
  readonly quoted: boolean;
  /** Given by an operator, a colon or an element, not as the next argument or item. */
  readonly assigned: boolean;
  /** What stands before the value; vendors are looked for in it. */
  readonly context: string;
  /** The line with the value is too long for anybody to have written it. */
  readonly inLongLine: boolean;
}

/** In words of one case, `_` and `-` or none between them, what people call their secrets. */
const SECRET_WORDS =
  "passw(?:or)?d|passwd|passphrase|pwd|pass|secret|token|api[_.-]?key|access[_.-]?key|auth[_.-]?key|account[_.-]?key|private[_.-]?key|encryption[_.-]?key|encrypt[_.-]?key|signing[_.-]?key|signature[_.-]?key|master[_.-]?key|license[_.-]?key|licence[_.-]?key|server[_.-]?key|service[_.-]?key|app[_.-]?key|ssh[_.-]?key|session[_.-]?key|shared[_.-]?key|storage[_.-]?key|hmac[_.-]?key|jwt[_.-]?key|host[_.-]?key|write[_.-]?key|admin[_.-]?key|user[_.-]?key|auth|credentials?|creds|bearer|key|pat|dsn|salt|pepper|webhook|sig|(?:api|login|access[_.-]?id)(?=[\"'`\\]]{0,2}\\s?[:=])";

/**
 * A word of the kind, the rest of the name, what may stand between a name and its value, and the value: in quotes of one kind, or bare.
 * Every part is bounded, and none can match what the next begins with more than a few times.
 */
const NAMED = new RegExp(
  [
    `(?:${SECRET_WORDS})[A-Za-z0-9_.-]{0,30}`,
    String.raw`(?:\\?["'\x60]|["'\x60]?\]|\))?`,
    String.raw`(?:(?:\s?:\s?|\s)(?:&?(?:'static )?str|string|String|char|SecureString|Option<String>|any)\b\s?\*?)?`,
    String.raw`(?:[ \t]{0,20}(?:=>|\|\|:|::?=?|[?+.|]?={1,3}|!==?|:=|<-|,|\()|>|[ \t]{1,4}(?=["'\x60]|[A-Za-z0-9]))`,
    String.raw`\s{0,20}`,
    String.raw`(?:[rbfuL@$]{0,2}(?:\\?"([^"\\\r\n]{6,300})|\\?'([^'\\\r\n]{6,300})|\x60([^\x60\\\r\n]{6,300}))|([A-Za-z0-9_+/=.~:!@#$%^&*-]{8,300}))`,
  ].join(""),
  "gi",
);

const CONTEXT_CHARACTERS = 90;
const NAME_CHARACTERS = 60;
const LONGEST_LINE = 2_000;

/** Everything in a text that is called like a secret. */
export function* findNamedValues(text: string): Generator<NamedValue> {
  const isInLongLine = createLongLines(text);
  NAMED.lastIndex = 0;
  for (let match = NAMED.exec(text); match !== null; match = NAMED.exec(text)) {
    const quotedValue = match[1] ?? match[2] ?? match[3];
    const value = quotedValue ?? match[4] ?? "";
    const offset = match.index + match[0].length - value.length;
    const nameEnd = match.index + (/^[\w.-]*/.exec(match[0])?.[0].length ?? 0);
    const before = text.slice(Math.max(0, match.index - NAME_CHARACTERS), match.index);
    yield {
      name: `${/[\w.-]*$/.exec(before)?.[0] ?? ""}${text.slice(match.index, nameEnd)}`,
      value,
      offset,
      quoted: quotedValue !== undefined,
      assigned: /[=:>]/.test(text.slice(nameEnd, offset)),
      context: text.slice(Math.max(0, match.index - CONTEXT_CHARACTERS), offset),
      inLongLine: isInLongLine(offset),
    };
    // A value may be a name itself, as in `{"config": "API_KEY=..."}`.
    NAMED.lastIndex = Math.max(nameEnd, match.index + 1);
  }
}

/** Whether a place has so much of its line on both sides, or to the ends of the text. Asked from left to right, each line is looked for once. */
function createLongLines(text: string): (offset: number) => boolean {
  let [start, end] = [0, -1];
  return (offset) => {
    if (offset > end) {
      start = text.lastIndexOf("\n", offset - 1) + 1;
      const next = text.indexOf("\n", offset);
      end = next === -1 ? text.length : next;
    }
    const [from, to] = [Math.max(0, offset - LONGEST_LINE), Math.min(text.length, offset + LONGEST_LINE)];
    return to - from >= LONGEST_LINE && start <= from && to <= end;
  };
}
