import { blockAt, type KnownBlocks, type Written } from "./known-blocks.ts";
import type { YamlText } from "./yaml-tree.ts";

/**
 * The format of Yarn 1: entries whose heads are lists of patterns, fields of two words below them, and fields that hold further ones.
 * Every word may be in quotes, as JSON has them. The head of an entry is one key here, its patterns parted by `, `.
 */
export function readYarnOne(text: string, known?: KnownBlocks): YamlText {
  const root = new Map<string, Written>();
  const levels: { indent: number; node: Written; entries: Map<string, Written> }[] = [];
  let strange = Number.POSITIVE_INFINITY;
  let at = 0;
  for (let start = 0, end = 0; start <= text.length; at += 1, start = end + 1) {
    const stop = text.indexOf("\n", start);
    end = stop === -1 ? text.length : stop;
    const line = text.slice(start, end).trimEnd();
    const indent = line.length - line.trimStart().length;
    if (indent === line.length || line[indent] === "#") continue;
    while (levels.length > 0 && levels.at(-1)!.indent >= indent) levels.pop();
    const parent = levels.at(-1);
    const block = known && indent === 0 ? blockAt(text, start, end, 0) : undefined;
    const seen = block && known?.get(block.text);
    if (block && seen && !root.has(seen.key)) {
      root.set(seen.key, { line: at + 1, endLine: at + 1 + block.lines, value: seen.node.value });
      [at, end] = [at + block.lines, block.end];
      continue;
    }
    const words = indent === (parent === undefined ? 0 : parent.indent + 2) ? wordsOf(line, indent) : undefined;
    const node: Written = { line: at + 1, endLine: at + 1, value: "" };
    const entries = parent?.entries ?? root;
    const key = words?.names.join(", ");
    if (words === undefined || key === undefined || entries.has(key) || words.isOpen === (words.value !== undefined)) {
      strange = Math.min(strange, at + 1);
      continue;
    }
    // Only a head has several patterns, and a line without indentation is always a head.
    if ((words.names.length > 1 && parent !== undefined) || (parent === undefined && !words.isOpen))
      strange = Math.min(strange, at + 1);
    entries.set(key, node);
    for (const { node: around } of levels) around.endLine = at + 1;
    if (words.isOpen) {
      const within = new Map<string, Written>();
      node.value = within;
      levels.push({ indent, node, entries: within });
      if (block !== undefined) known?.set(block.text, { key, node });
    } else node.value = words.value ?? "";
  }
  const document = { line: 1, endLine: at, value: root };
  return Number.isFinite(strange) ? { documents: [document], strange } : { documents: [document] };
}

/** `a, "b":` or `a "b"`. */
function wordsOf(line: string, start: number): { names: string[]; value?: string; isOpen: boolean } | undefined {
  const names: string[] = [];
  for (let at = start; ; ) {
    const word = wordAt(line, at);
    if (word === undefined) return undefined;
    names.push(word.text);
    if (line.startsWith(", ", word.end)) at = word.end + 2;
    else if (line[word.end] === ":" && word.end + 1 === line.length) return { names, isOpen: true };
    else if (line[word.end] === " ") {
      const value = wordAt(line, word.end + 1);
      return value?.end === line.length ? { names, value: value.text, isOpen: false } : undefined;
    } else return undefined;
  }
}

/** A word in quotes, or up to a space, a comma or the colon at the end of the line. */
function wordAt(line: string, start: number): { text: string; end: number } | undefined {
  if (line[start] === '"') {
    let end = start + 1;
    while (end < line.length && line[end] !== '"') end += line[end] === "\\" ? 2 : 1;
    const text = end < line.length ? unquoted(line.slice(start, end + 1)) : undefined;
    return text === undefined ? undefined : { text, end: end + 1 };
  }
  let end = start;
  while (end < line.length && line[end] !== " " && line[end] !== "," && line[end] !== '"') end += 1;
  if (end === line.length && line.endsWith(":")) end -= 1;
  return end === start ? undefined : { text: line.slice(start, end), end };
}

function unquoted(written: string): string | undefined {
  try {
    return `${JSON.parse(written)}`;
  } catch {
    return undefined;
  }
}
