import { isAlias, isMap, isScalar, isSeq, type Node, type Scalar } from "yaml";
import { defined } from "../../domain/defined.ts";
import { code, putQuotes } from "./yaml-advice.ts";

/** Data of a document, or the first thing in it that a configuration does not need; `offset` as in the text. */
type PlainData = { readonly data: unknown } | PlainFault;
interface PlainFault {
  readonly offset: number;
  readonly fault: "alias" | "mark" | "key" | "duplicate" | "depth";
  /** Of a key that is there twice: where it comes first. */
  readonly first?: number;
}

/** What to do about data that a configuration does not need. */
export function refusalOf(
  { fault, offset, first }: PlainFault,
  text: string,
  lineOf: (offset: number) => number,
): string {
  const snippet = text.slice(offset, offset + 200);
  switch (fault) {
    case "alias": {
      const name = /^\*(\w{1,100})(?![^\s,\]}])/.exec(snippet)?.[1];
      if (name !== undefined && text.includes(`&${name}`)) {
        return `Aliases are not supported. Write the value again in place of ${code(`*${name}`)}.`;
      }
      return putQuotes(plainText(snippet), "begins with `*`");
    }
    case "mark":
      return putQuotes(plainText(snippet), `begins with \`${snippet.charAt(0)}\``);
    case "duplicate":
      return `${code(plainText(snippet))} is set twice, first in line ${lineOf(first ?? offset)}. Keep one of them.`;
    case "key":
      return /^[{[]/.test(snippet)
        ? `A key must be plain text. Put quotes around a text that begins with \`${snippet.charAt(0)}\`.`
        : "A key must be plain text. Put it in quotes.";
    case "depth":
      return "The file is nested too deeply.";
  }
}

/** A text as it is written in a list, as a key or behind one, up to its end. */
function plainText(snippet: string): string {
  const [text = ""] = /^[^\n,\]]*/.exec(snippet) ?? [];
  const ends = [text.indexOf(" #"), text.search(/:(?: |$)/)].filter((at) => at !== -1);
  return text.slice(0, Math.min(text.length, ...ends)).trim();
}

/** The deepest setting lies at five. */
const DEEPEST = 30;

/**
 * Maps with plain keys, lists and scalars of a YAML document. The library's own conversion writes keys that are collections as text, one
 * inside the other: 250 bytes of them fill the memory. It would also drop what follows `!` or `&`, though it was meant as text.
 */
export function plainData(root: Node | null, text: string): PlainData {
  let found: PlainFault | undefined;
  const refuse = (offset: number, fault: PlainFault["fault"], first?: number) => {
    found ??= { offset, fault, ...defined({ first }) };
    return null;
  };
  const start = (node: unknown) => (node as Node | null)?.range?.[0] ?? 0;
  const scalar = ({ tag, anchor, range, value }: Scalar): unknown => {
    const mark = tag?.startsWith("!") ? "!" : anchor !== undefined && !text.includes(`*${anchor}`) ? "&" : undefined;
    return mark === undefined ? value : refuse(Math.max(0, text.lastIndexOf(mark, range?.[0] ?? 0)), "mark");
  };
  const convert = (node: unknown, depth: number): unknown => {
    if (found !== undefined) return null;
    if (isAlias(node)) return refuse(start(node), "alias");
    if (isScalar(node)) return scalar(node);
    if (depth > DEEPEST) return refuse(start(node), "depth");
    if (isSeq(node)) return node.items.map((item) => convert(item, depth + 1));
    if (!isMap(node)) return null;
    const entries = new Map<string, { readonly value: unknown; readonly at: number }>();
    for (const { key, value } of node.items) {
      if (!isScalar(key)) return refuse(start(key ?? node), isAlias(key) ? "alias" : "key");
      const name = String(scalar(key) ?? "");
      const before = entries.get(name);
      if (before) return refuse(start(key), "duplicate", before.at);
      entries.set(name, { value: convert(value, depth + 1), at: start(key) });
    }
    return Object.fromEntries([...entries].map(([name, { value }]) => [name, value]));
  };
  const data = convert(root, 0);
  return found ?? { data };
}
