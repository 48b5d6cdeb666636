import { hiddenSpans } from "./hidden-spans.ts";

/** What a comment asks for, before it is understood. */
export interface CommandLines {
  /** What follows `/forge` on each command line, in order. */
  readonly lines: readonly string[];
  /** Whether the comment holds nothing else that a person wrote; a quote is not the commenter's own. */
  readonly alone: boolean;
}

const COMMAND = /^ {0,3}\/forge(?:[ \t]+(.*))?$/s;
const LIST_MARKERS = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)]) +)+/;
/** A line that ends a quote although nothing separates the two; any other line goes on with the quote's paragraph. */
const NEW_BLOCK = /^ {0,3}(?:`{3,}|~{3,}|#{1,6}(?:\s|$)|[-*+]\s|\d{1,9}[.)]\s|<)/;

/**
 * Finds the lines that start with `/forge` as a whole word (GH-4), as GitHub would show them: not in code blocks, quotes, HTML comments
 * or code spans. What is doubtful counts as not a command, and so does everything in a comment that carries a marker of Forge (GH-8b).
 */
export function commandLines(body: string): CommandLines {
  if (body.includes("<!-- forge:")) return { lines: [], alone: false };
  const found: string[] = [];
  let alone = true;
  let block: ((line: string) => boolean) | undefined;
  let inQuote = false;
  let paragraph: string[] = [];

  const endParagraph = () => {
    for (const { line, hidden } of visibleLines(paragraph)) {
      const command = hidden ? null : COMMAND.exec(line);
      if (command) found.push((command[1] ?? "").trim());
      else alone = false;
    }
    paragraph = [];
  };

  for (const line of body.split(/\r\n|\r|\n/)) {
    if (block) {
      if (block(line)) block = undefined;
      continue;
    }
    const inner = line.replace(LIST_MARKERS, "");
    const isBlank = line.trim() === "";
    const isQuote = /^ {0,3}>/.test(inner);
    if (isBlank || isQuote) {
      endParagraph();
      inQuote = isQuote && holdsParagraph(inner);
    } else if (!inQuote || NEW_BLOCK.test(line)) {
      inQuote = false;
      const opened = openBlock(inner);
      if (opened) {
        endParagraph();
        alone = alone && opened.isComment;
        block = opened.endsAtOnce ? undefined : opened.ends;
      } else paragraph.push(line);
    }
  }
  endParagraph();
  return { lines: found, alone };
}

function holdsParagraph(quote: string): boolean {
  const text = quote.replace(/^[\s>]+/, "");
  return text !== "" && !/^(?:`{3,}|~{3,}|#{1,6}(?:\s|$))/.test(text);
}

interface Block {
  readonly ends: (line: string) => boolean;
  readonly endsAtOnce: boolean;
  readonly isComment: boolean;
}

/** A code fence, an HTML comment or an element that shows what is in it as code or as a quote. One that is never closed has the rest. */
function openBlock(line: string): Block | undefined {
  const fence = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line);
  if (fence) {
    const opening = fence[1] ?? fence[2]!;
    const closing = new RegExp(`^\\s*${opening[0]}{${opening.length},}[ \\t]*$`);
    return { ends: (later) => closing.test(later), endsAtOnce: false, isComment: false };
  }
  if (/^ {0,3}<!--/.test(line)) {
    const ends = (later: string) => later.includes("-->");
    return { ends, endsAtOnce: ends(line), isComment: true };
  }
  const element = /^ {0,3}<(pre|script|style|textarea|blockquote|code|samp)(?:[\s>]|$)/i.exec(line);
  if (!element) return undefined;
  const end = `</${element[1]!.toLowerCase()}`;
  const ends = (later: string) => later.toLowerCase().includes(end);
  return { ends, endsAtOnce: ends(line), isComment: false };
}

function visibleLines(paragraph: readonly string[]): { line: string; hidden: boolean }[] {
  const spans = paragraph.some((line) => COMMAND.test(line)) ? hiddenSpans(paragraph.join("\n")) : [];
  let offset = 0;
  return paragraph.map((line) => {
    const at = offset;
    offset += line.length + 1;
    return { line, hidden: spans.some(({ start, end }) => start <= at && at < end) };
  });
}
