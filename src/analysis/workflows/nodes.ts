import { isMap, isPair, isScalar, type Node, type YAMLMap } from "yaml";

/** A part of a workflow with its offsets in the text. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export interface Text extends TextRange {
  readonly value: string;
}

export function entries(map: YAMLMap): [string, Node | null][] {
  return map.items.flatMap((item) =>
    isPair(item) && isScalar(item.key) ? [[String(item.key.value), (item.value as Node | null) ?? null]] : [],
  );
}

export function mapAt(map: YAMLMap, key: string): YAMLMap | undefined {
  const value = map.get(key, true);
  return isMap(value) ? value : undefined;
}

/** A scalar's value as text, with its place. */
export function textAt(map: YAMLMap, key: string): Text | undefined {
  return textOf(map.get(key, true));
}

/** The texts that a step gives to its action, by names in small letters: GitHub does not tell `Ref` from `ref`. */
export function givenTo(node: YAMLMap): ReadonlyMap<string, Text> {
  const given = mapAt(node, "with");
  const texts = given === undefined ? [] : entries(given).map(([name, value]) => [name.toLowerCase(), textOf(value)]);
  return new Map(texts.filter((entry): entry is [string, Text] => entry[1] !== undefined));
}

export function textOf(node: unknown): Text | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  return { value: String(node.value), ...rangeOfNode(node) };
}

export function rangeOfNode(node: Node): TextRange {
  const [from = 0, to = from] = node.range ?? [];
  return { from, to: Math.max(from, to) };
}

export function span({ from, to }: TextRange): TextRange {
  return { from, to };
}
