import { blockAt, type KnownEntries, type Written } from "./known-blocks.ts";
import { readFlow, readWord } from "./printed-words.ts";
import type { YamlNode } from "./yaml-node.ts";

/** Deeper ones are left to the parser of all of YAML. */
const DEEPEST = 20;
/** Longer keys are written behind a question mark. */
const LONGEST_KEY = 1_000;
/** Tabs, breaks and signs of which parsers have their own opinions. */
const UNUSUAL = /[^\n\r\x20-~\xa1-\u167f\u3001-\ud7ff]|\r(?!\n)/;

const [RETURN, SPACE, HASH, COLON] = [13, 32, 35, 58];

interface Open {
  readonly indent: number;
  readonly entries?: Map<string, Written>;
  readonly items?: Written[];
  /** The node that this is the value of. */
  readonly owner: Written;
  /** The last entry, whose value may follow on deeper lines. */
  waiting?: Written | undefined;
}

/**
 * YAML in the few forms that package managers print: mappings by indentation, lists of words, mappings of words in braces, and texts
 * behind `|-`. Says what a parser of all of YAML says, in a tenth of its time; a large lock file has some 100,000 lines.
 * @param known entries that are read once where both texts have them; emptied where the text has another form
 * @returns undefined where the text has any other form
 */
export function readPrintedYaml(text: string, known?: KnownEntries): YamlNode[] | undefined {
  const documents = UNUSUAL.test(text) ? undefined : readDocuments(text, known);
  if (documents === undefined) known?.blocks.clear();
  return documents;
}

function readDocuments(text: string, known: KnownEntries | undefined): YamlNode[] | undefined {
  const documents: YamlNode[] = [];
  let open: Open[] = [];
  let last = 0;
  const close = (indent: number) => {
    let top = open.at(-1);
    while (top !== undefined && top.indent > indent) {
      const { owner, waiting } = top;
      if (waiting) waiting.endLine = Math.max(waiting.endLine, last);
      owner.endLine = Math.max(owner.endLine, last);
      open.pop();
      top = open.at(-1);
    }
    const waiting = top?.waiting;
    if (waiting && top!.indent === indent) waiting.endLine = Math.max(waiting.endLine, last);
    return top;
  };
  let lines: string[] | undefined;
  for (let at = 0, start = 0, end = 0; start <= text.length; at += 1, start = end + 1) {
    const stop = text.indexOf("\n", start);
    end = stop === -1 ? text.length : stop;
    let from = start;
    while (text.charCodeAt(from) === SPACE) from += 1;
    const indent = from - start;
    const edge = end > from && text.charCodeAt(end - 1) === RETURN ? end - 1 : end;
    if (from === edge || text.charCodeAt(from) === HASH) continue;
    const content = text.slice(from, edge);
    if (indent === 0 && content === "---") {
      close(-1);
      open = [];
      continue;
    }
    let top = close(indent);
    const isItem = content.startsWith("- ");
    if (top === undefined || top.indent < indent) {
      if (top === undefined ? indent !== 0 || isItem : top.waiting === undefined || open.length > DEEPEST)
        return undefined;
      const owner: Written = top?.waiting ?? { line: at + 1, endLine: at + 1, value: "" };
      const value: Written[] | Map<string, Written> = isItem ? [] : new Map();
      owner.value = value;
      if (top === undefined) documents.push(owner);
      else top.waiting = undefined;
      // Without spreading: there is one for each entry.
      top = Array.isArray(value) ? { indent, owner, items: value } : { indent, owner, entries: value };
      open.push(top);
    }
    if (top.indent !== indent) return undefined;
    last = at + 1;
    const node: Written = { line: last, endLine: last, value: "" };
    if (isItem) {
      const word = readWord(content.slice(2));
      if (top.items === undefined || word === undefined) return undefined;
      node.value = word;
      top.items.push(node);
      continue;
    }
    const block = known?.indent === indent ? blockAt(text, start, end, indent) : undefined;
    const seen = block && known?.blocks.get(block.text);
    const colon = seen ? 0 : colonOf(content);
    const key = seen ? seen.key : colon === -1 ? undefined : readWord(content.slice(0, colon));
    if (key === undefined || top.entries === undefined) return undefined;
    const { size } = top.entries;
    if (top.entries.set(key, node).size === size) return undefined;
    top.waiting = undefined;
    if (block && seen) {
      node.value = seen.node.value;
      [at, last, end] = [at + block.lines, last + block.lines, block.end];
      node.endLine = last;
      continue;
    }
    const rest = content.slice(colon + 2);
    if (rest === "") {
      top.waiting = node;
      // The lines behind such a text are part of it.
      if (block !== undefined && !block.text.includes(": |-")) known?.blocks.set(block.text, { key, node });
    } else if (rest === "|-") {
      lines ??= text.split("\n");
      const found = readBlock(lines, at + 1, indent);
      if (found === undefined) return undefined;
      node.value = found.text;
      end = endOfLine(text, end, found.end - 1 - at);
      [at, last] = [found.end - 1, found.last];
      node.endLine = last;
    } else {
      const value = readFlow(rest, last) ?? readWord(rest);
      if (value === undefined) return undefined;
      node.value = value;
    }
  }
  close(-1);
  return documents;
}

/** The end of the line that is so many lines below the one that ends there. */
function endOfLine(text: string, end: number, lines: number): number {
  let at = end;
  for (let passed = 0; passed < lines; passed += 1) {
    const stop = text.indexOf("\n", at + 1);
    at = stop === -1 ? text.length : stop;
  }
  return at;
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function indentOf(line: string): number {
  let at = 0;
  while (line[at] === " ") at += 1;
  return at;
}

/** The place of the colon in `key: rest` and `key:`, the key in quotes or plain; -1 for everything else. */
function colonOf(content: string): number {
  const quote = content[0];
  let end: number;
  if (quote === "'" || quote === '"') {
    end = content.indexOf(quote, 1) + 1;
    if (end === 0) return -1;
  } else {
    const colon = content.indexOf(": ");
    end = colon === -1 && content.endsWith(":") ? content.length - 1 : colon;
    if (end === -1) return -1;
  }
  const isEntry = content.charCodeAt(end) === COLON && end <= LONGEST_KEY;
  const isAlone = content.length === end + 1;
  return isEntry && (isAlone || (content.charCodeAt(end + 1) === SPACE && content.length > end + 2)) ? end : -1;
}

/** The lines behind `|-`: those that are indented more. */
function readBlock(
  lines: readonly string[],
  start: number,
  outer: number,
): { text: string; end: number; last: number } | undefined {
  const first = lines[start];
  const indent = first === undefined ? 0 : indentOf(first);
  if (first === undefined || indent <= outer || withoutReturn(first).length === indent) return undefined;
  const parts: string[] = [];
  let [end, last] = [start, start];
  for (; end < lines.length; end += 1) {
    const line = withoutReturn(lines[end]!);
    const own = indentOf(line);
    if (own === line.length) parts.push(line.slice(indent));
    else if (own < indent) break;
    else {
      parts.push(line.slice(indent));
      last = end + 1;
    }
  }
  const next = lines[end];
  // A line between the two indentations is an error of YAML.
  if (next !== undefined && indentOf(next) > outer) return undefined;
  const kept = parts.slice(0, last - start);
  return parts.slice(kept.length).every((part) => part === "") ? { text: kept.join("\n"), end, last } : undefined;
}
