import { styleText } from "node:util";

export type Format = Parameters<typeof styleText>[0] & string;
export type Paint = (format: Format, text: string) => string;

/** Colours only where they are seen and wanted (https://no-color.org). */
export function createPaint(colours: boolean): Paint {
  return (format, text) => (colours && text !== "" ? styleText(format, text, { validateStream: false }) : text);
}

/** Part of a word in one format. */
interface Piece {
  readonly text: string;
  readonly format?: Format | undefined;
}

/** What is not broken over lines. */
export type Word = readonly Piece[];

const CODE: Format = "cyan";
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
// Code spans, bold, links, escaped characters, entities, and whatever is none of these.
const INLINE = /(`+)(.+?)\1(?!`)|\*\*(.+?)\*\*|\[([^\]]*)\]\([^)]*\)|\\([!-/:-@[-`{-~])|&(#?\w+);|[^`*[\\&]+|./g;

/** One line of Markdown as words. */
export function inlineWords(markdown: string): Word[] {
  const words: Piece[][] = [[]];
  for (const piece of pieces(markdown)) {
    piece.text.split(/\s+/).forEach((part, index) => {
      if (index > 0) words.push([]);
      if (part !== "") words.at(-1)!.push({ ...piece, text: part });
    });
  }
  return words.filter((word) => word.length > 0);
}

function pieces(markdown: string, format?: Format): Piece[] {
  return [...markdown.matchAll(INLINE)].flatMap(([whole, , code, bold, link, escaped, entity]) => {
    if (code !== undefined) return [{ text: code, format: CODE }];
    if (bold !== undefined) return pieces(bold, "bold");
    if (link !== undefined) return pieces(link, "underline");
    return [{ text: escaped ?? (entity === undefined ? whole : character(entity)), format }];
  });
}

function character(entity: string): string {
  return entity.startsWith("#") ? String.fromCodePoint(Number(entity.slice(1))) : (ENTITIES[entity] ?? `&${entity};`);
}

export function wordWidth(word: Word): number {
  return word.reduce((sum, { text }) => sum + text.length, 0);
}

/** The width of all words on one line. */
export function lineWidth(words: readonly Word[]): number {
  return words.reduce((sum, word) => sum + wordWidth(word) + 1, words.length > 0 ? -1 : 0);
}

/** Lines of at most `width` characters; a longer word has a line of its own. */
export function wrap(words: readonly Word[], width: number): (readonly Word[])[] {
  const lines: Word[][] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last && lineWidth([...last, word]) <= width) last.push(word);
    else lines.push([word]);
  }
  return lines;
}

export function paintLine(words: readonly Word[], paint: Paint): string {
  return words.map((word) => word.map(({ text, format }) => (format ? paint(format, text) : text)).join("")).join(" ");
}

/** A line as it is, without Markdown; what does not fit goes on below, indented. */
export function wrapPlain(line: string, width: number, indent: string): string[] {
  const words = line.split(/(?<=\S) /).map((text): Word => [{ text }]);
  const [first = [], ...rest] = wrap(words, width - indent.length);
  const plain = (shown: readonly Word[]) => paintLine(shown, (_format, text) => text);
  return [plain(first), ...rest.map((shown) => `${indent}${plain(shown)}`)];
}
