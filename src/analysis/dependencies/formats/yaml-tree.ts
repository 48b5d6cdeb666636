import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  type Scalar,
} from "yaml";
import { defined } from "../../../domain/defined.ts";
import type { KnownEntries } from "./known-blocks.ts";
import { readPrintedYaml } from "./printed-yaml.ts";
import type { YamlNode } from "./yaml-node.ts";

export interface YamlText {
  /** Empty ones are left out. */
  readonly documents: readonly YamlNode[];
  /** The first line that is not YAML, or YAML that no program prints into a lock file: an anchor, a tag, a word over two lines. */
  readonly strange?: number;
}

/** Each time the line with the fault is left out; a file with more of them is no lock file. */
const MOST_FAULTS = 3;
/** Characters. A longer text is parsed once: that may take seconds. */
const LONGEST_AGAIN = 500_000;

/**
 * All documents of a text. A line that is not YAML is left out, and the rest is read.
 * @param known as `readPrintedYaml` has it
 */
export function readYaml(text: string, known?: KnownEntries): YamlText {
  let read = readOnce(text, known);
  let strange = read.strange;
  const most = text.length > LONGEST_AGAIN ? 0 : MOST_FAULTS;
  const lines = read.broken === undefined || most === 0 ? [] : text.split("\n");
  for (let faults = 0; faults < most && read.broken !== undefined; faults += 1) {
    lines[read.broken - 1] = "";
    read = readOnce(lines.join("\n"));
    strange = Math.min(strange ?? Number.POSITIVE_INFINITY, read.strange ?? Number.POSITIVE_INFINITY);
  }
  return { documents: read.documents, ...defined({ strange }) };
}

function readOnce(text: string, known?: KnownEntries): ParsedYaml {
  const printed = readPrintedYaml(text, known);
  return printed === undefined ? parseWhole(text) : { documents: printed };
}

interface ParsedYaml extends YamlText {
  /** The first line that is an error of YAML. */
  readonly broken?: number;
}

/** By the parser of YAML, which takes ten times as long. */
export function parseWhole(text: string): ParsedYaml {
  const lines = new LineCounter();
  const lineOf = (offset: number) => lines.linePos(offset).line;
  // Comparing each key with all others takes the square of their number; the entries below are a map.
  const options = { schema: "failsafe", uniqueKeys: false, lineCounter: lines, prettyErrors: false } as const;
  let strange = Number.POSITIVE_INFINITY;
  let broken = Number.POSITIVE_INFINITY;
  try {
    const parsed = parseAllDocuments(text, options);
    const documents = (Array.isArray(parsed) ? parsed : []).flatMap((document) => {
      for (const { pos } of document.errors) broken = Math.min(broken, lineOf(pos[0]));
      const tree = treeOf(document.contents, lineOf, (line) => {
        strange = Math.min(strange, line);
      });
      return tree.value === "" ? [] : [tree];
    });
    const first = Math.min(strange, broken);
    return { documents, ...finite("strange", first), ...finite("broken", broken) };
  } catch (error) {
    // Nested deeper than there is room for.
    if (!(error instanceof RangeError)) throw error;
    return { documents: [], strange: 1 };
  }
}

function finite<Name extends string>(name: Name, line: number): { [key in Name]?: number } {
  return (Number.isFinite(line) ? { [name]: line } : {}) as { [key in Name]?: number };
}

type Tell = (line: number) => void;

function treeOf(node: Node | null, lineOf: (offset: number) => number, tell: Tell, keyLine?: number): YamlNode {
  const [start = 0, end = start] = node?.range ?? [];
  const first = node === null ? (keyLine ?? 1) : lineOf(start);
  const line = keyLine ?? first;
  if (node === null) return { line, endLine: line, value: "" };
  if (isAlias(node) || node.anchor !== undefined || node.tag !== undefined) tell(first);
  if (isMap(node)) return mappingOf(node.items as Pair<Node, Node | null>[], line, lineOf, tell);
  if (isSeq(node)) {
    const items = node.items.map((item) => treeOf(item as Node, lineOf, tell));
    return { line, endLine: items.at(-1)?.endLine ?? lineOf(Math.max(start, end - 1)), value: items };
  }
  const endLine = lineOf(Math.max(start, end - 1));
  if (!isScalar(node)) return { line, endLine, value: "" };
  const { type, value } = node as Scalar;
  if (endLine > first && !type?.startsWith("BLOCK")) tell(first + 1);
  return { line, endLine, value: `${value ?? ""}` };
}

function mappingOf(
  items: readonly Pair<Node, Node | null>[],
  line: number,
  lineOf: (offset: number) => number,
  tell: Tell,
): YamlNode {
  const entries = new Map<string, YamlNode>();
  let endLine = line;
  for (const { key, value } of items) {
    const keyLine = lineOf(key?.range?.[0] ?? 0);
    const entry = treeOf(value ?? null, lineOf, tell, keyLine);
    endLine = Math.max(endLine, entry.endLine);
    const name = isScalar(key) ? `${key.value ?? ""}` : undefined;
    // Of two keys of the same name programs take one or the other.
    if (name === undefined || entries.has(name)) tell(keyLine);
    else entries.set(name, entry);
  }
  return { line, endLine, value: entries };
}
