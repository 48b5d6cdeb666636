/** A value of YAML with its place. Every scalar is the text that it is written as. */
export interface YamlNode {
  /** First and last line, 1-based. The first line of what stands behind a key is the line of that key. */
  readonly line: number;
  readonly endLine: number;
  readonly value: string | readonly YamlNode[] | ReadonlyMap<string, YamlNode>;
}

const NO_ENTRIES: ReadonlyMap<string, YamlNode> = new Map();

/** The entries of a mapping; none of any other value. */
export function entriesOf(node: YamlNode | undefined): ReadonlyMap<string, YamlNode> {
  return node !== undefined && node.value instanceof Map ? node.value : NO_ENTRIES;
}

/** A scalar that is not empty. */
export function scalarOf(node: YamlNode | undefined): string | undefined {
  return typeof node?.value === "string" && node.value !== "" ? node.value : undefined;
}
