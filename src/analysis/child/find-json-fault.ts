export interface JsonFault {
  readonly offset: number;
  readonly kind: "syntax" | "comment_in_json";
}

type Expect = "value" | "valueOrEnd" | "key" | "keyOrEnd" | "colon" | "commaOrEnd" | "end";

/** Of the control characters that JSON forbids in strings only those are refused that people type. */
const TOKEN =
  /[ \t\r\n]+|\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/|"(?:[^"\\\t\r\n]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y;

/**
 * The first place at which a text is not JSON, undefined when it is. A comment or trailing comma is a fault of its own kind, which the
 * many readers of "JSON with comments" would accept. Keeps its own stack: nesting cannot overflow it.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: ("{" | "[")[] = [];
  let expect: Expect = "value";
  let lenient: JsonFault | undefined;
  let comma = 0;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const offset = TOKEN.lastIndex;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return { offset, kind: "syntax" };
    const first = token.charAt(0);
    if (" \t\r\n".includes(first)) continue;
    if (first === "/") {
      lenient ??= { offset, kind: "comment_in_json" };
      continue;
    }
    if (first === "}" || first === "]") {
      const trailing = expect === (first === "}" ? "key" : "value") && comma > 0;
      const fits = expect === "commaOrEnd" || expect === (first === "}" ? "keyOrEnd" : "valueOrEnd") || trailing;
      if (!fits || open.pop() !== (first === "}" ? "{" : "[")) return { offset, kind: "syntax" };
      if (trailing) lenient ??= { offset: comma, kind: "comment_in_json" };
      expect = open.length === 0 ? "end" : "commaOrEnd";
      continue;
    }
    const next = afterToken(first, expect, open);
    if (next === undefined) return { offset, kind: "syntax" };
    comma = first === "," ? offset : 0;
    expect = next;
  }
  return expect === "end" ? lenient : { offset: text.trimEnd().length, kind: "syntax" };
}

function afterToken(first: string, expect: Expect, open: ("{" | "[")[]): Expect | undefined {
  const value = expect === "value" || expect === "valueOrEnd";
  switch (first) {
    case "{":
    case "[":
      if (!value) return undefined;
      open.push(first);
      return first === "{" ? "keyOrEnd" : "valueOrEnd";
    case ":":
      return expect === "colon" ? "value" : undefined;
    case ",":
      if (expect !== "commaOrEnd") return undefined;
      return open.at(-1) === "{" ? "key" : "value";
    case '"':
      if (expect === "key" || expect === "keyOrEnd") return "colon";
      break;
  }
  if (!value) return undefined;
  return open.length === 0 ? "end" : "commaOrEnd";
}
