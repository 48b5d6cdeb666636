import { isAlias, isMap, isScalar, isSeq, type Node } from "yaml";

/** Data of a document, or the first thing in it that a configuration does not need; `offset` as in the text. */
export type PlainData = { readonly data: unknown } | { readonly offset: number; readonly fault: PlainFault };
export type PlainFault = "alias" | "key" | "duplicate" | "depth";

/** The deepest setting lies at five. */
const DEEPEST = 30;

/**
 * Maps with plain keys, lists and scalars of a YAML document. The library's own conversion writes keys that are collections as text, one
 * inside the other: 250 bytes of them fill the memory.
 */
export function plainData(root: Node | null): PlainData {
  let found: { offset: number; fault: PlainFault } | undefined;
  const refuse = (node: unknown, fault: PlainFault) => {
    found ??= { offset: (node as Node | null)?.range?.[0] ?? 0, fault };
    return null;
  };
  const convert = (node: unknown, depth: number): unknown => {
    if (found !== undefined) return null;
    if (isAlias(node)) return refuse(node, "alias");
    if (isScalar(node)) return node.value;
    if (depth > DEEPEST) return refuse(node, "depth");
    if (isSeq(node)) return node.items.map((item) => convert(item, depth + 1));
    if (!isMap(node)) return null;
    const entries = new Map<string, unknown>();
    for (const { key, value } of node.items) {
      if (!isScalar(key)) return refuse(key ?? node, isAlias(key) ? "alias" : "key");
      const name = String(key.value ?? "");
      if (entries.has(name)) return refuse(key, "duplicate");
      entries.set(name, convert(value, depth + 1));
    }
    return Object.fromEntries(entries);
  };
  const data = convert(root, 0);
  return found ?? { data };
}
