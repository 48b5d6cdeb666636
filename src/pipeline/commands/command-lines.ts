import MarkdownIt from "markdown-it";

/** What a comment asks for, before it is understood. */
export interface CommandLines {
  /** What follows `/forge` on each command line, in order. */
  readonly lines: readonly string[];
  /** Whether the comment holds nothing else that a person wrote; a quote is not the commenter's own. */
  readonly alone: boolean;
}

/** In characters, as on GitHub. A longer text is not looked through. */
export const LONGEST_COMMENT = 65_536;

/** Spaces of other kinds and invisible characters come along when a text is pasted; keyboards for other scripts type a wide slash. */
const COMMAND = /^[\p{Zs}\p{Cf}]{0,3}[/\uff0f]forge(?:[\t\p{Zs}](.*))?$/su;

/** Blocks alone, as GitHub finds them: paragraphs, lists, quotes, fences, tables, HTML. At most 30 ms for the longest comment of any kind. */
const markdown = new MarkdownIt("default", { html: true });
markdown.core.ruler.enableOnly(["normalize", "block"]);

/**
 * Finds the lines that start with `/forge` as a whole word (GH-4), as GitHub would show them: in paragraphs, and not in code, quotes,
 * headings, tables or HTML, nor behind the marker of a list. What is doubtful counts as not a command, and so does everything in a comment
 * that carries a marker of Forge (GH-8b). What is longer than LONGEST_COMMENT and names `/forge` anywhere gives one empty line, which
 * `parseCommands` refuses.
 */
export function commandLines(body: string): CommandLines {
  if (body.includes("<!-- forge:")) return { lines: [], alone: false };
  if (body.length > LONGEST_COMMENT) return { lines: /[/\uff0f]forge/.test(body) ? [""] : [], alone: false };
  const found: string[] = [];
  let alone = true;
  let quotes = 0;
  // An element that shows its content as code or as a quote, and is open over several blocks.
  let element: string | undefined;
  const written = body.split(/\r\n?|\n/);
  const tokens = markdown.parse(body, {});
  for (const [index, { type, content, map }] of tokens.entries()) {
    if (type === "blockquote_open") quotes += 1;
    else if (type === "blockquote_close") quotes -= 1;
    else if (type === "html_block") {
      alone &&= /^ {0,3}<!--/.test(content);
      element = openElement(content, element);
    } else if (type === "inline" && quotes === 0 && tokens[index - 1]?.type === "paragraph_open") {
      const closed = element === undefined || closes(content, element);
      const { hidden, open } = hiddenLines(content);
      for (const [at, line] of written.slice(...map!).entries()) {
        const command = element !== undefined || hidden.has(at) ? null : COMMAND.exec(line);
        if (command) found.push((command[1] ?? "").trim());
        else alone = false;
      }
      element = closed ? open : element;
    } else if (OTHER_CONTENT.has(type) && quotes === 0) alone = false;
  }
  return { lines: found, alone };
}

/** What else of a comment people see; text within is an `inline` of one of these. */
const OTHER_CONTENT: ReadonlySet<string> = new Set(["heading_open", "fence", "code_block", "hr", "table_open"]);

/** Which lines of a paragraph begin in what is not plain text, 0-based, and the element that it leaves open. */
function hiddenLines(paragraph: string): { hidden: ReadonlySet<number>; open: string | undefined } {
  const spans = hiddenSpans(paragraph);
  const hidden = new Set<number>();
  let start = 0;
  let next = 0;
  for (const [at, line] of paragraph.split("\n").entries()) {
    while (next < spans.length && spans[next]!.end <= start) next += 1;
    if (next < spans.length && spans[next]!.start <= start) hidden.add(at);
    start += line.length + 1;
  }
  return { hidden, open: spans.find(({ open }) => open !== undefined)?.open };
}

/** A stretch of text, `end` exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
  /** The element that begins here and does not end in this text. */
  readonly open?: string;
}

const ELEMENT = /<(pre|code|blockquote|samp)(?=[\s>])/iy;

/**
 * What of a paragraph is not its plain text: code spans, HTML comments, and elements that show code or a quote. Takes time in proportion
 * to the text.
 */
function hiddenSpans(text: string): Span[] {
  const spans: Span[] = [];
  const lower = text.toLowerCase();
  const runs = closingRuns(text);
  for (let at = 0; at < text.length; ) {
    const hidden = text[at] === "`" ? codeSpan(runs, at) : text[at] === "<" ? elementAt(text, lower, at) : undefined;
    if (hidden === undefined) {
      at = text[at] === "`" ? endOfRun(text, at) : at + 1;
    } else {
      spans.push(hidden);
      at = hidden.end;
    }
  }
  return spans;
}

/** Where the code span that a run of backticks opens ends; a run without an equal one later opens none. */
function closingRuns(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const nextOfLength = new Map<number, number>();
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
    const next = nextOfLength.get(run.length);
    if (next !== undefined) ends.set(index, next + run.length);
    nextOfLength.set(run.length, index);
  }
  return ends;
}

function endOfRun(text: string, from: number): number {
  let at = from;
  while (text[at] === "`") at += 1;
  return at;
}

function codeSpan(runs: ReadonlyMap<number, number>, start: number): Span | undefined {
  const end = runs.get(start);
  return end === undefined ? undefined : { start, end };
}

/** A comment or element that does not end in the paragraph hides what is left of it. */
function elementAt(text: string, lower: string, start: number): Span | undefined {
  if (text.startsWith("<!--", start)) {
    const end = text.indexOf("-->", start);
    return { start, end: end === -1 ? text.length : end + 3 };
  }
  ELEMENT.lastIndex = start;
  const name = ELEMENT.exec(text)?.[1]?.toLowerCase();
  if (!name) return undefined;
  const end = lower.indexOf(`</${name}`, start);
  return end === -1 ? { start, end: text.length, open: name } : { start, end };
}

/** The element that a block of HTML leaves open. @param before the one that was open where it begins */
function openElement(html: string, before: string | undefined): string | undefined {
  let open = before;
  for (const [, slash, written = ""] of html.matchAll(
    /<(\/?)(pre|code|blockquote|samp|script|style|textarea)(?=[\s/>])/gi,
  )) {
    const name = written.toLowerCase();
    if (slash === "") open ??= name;
    else if (open === name) open = undefined;
  }
  return open;
}

/** Whether an element that is open ends in a text. */
function closes(text: string, element: string): boolean {
  return text.toLowerCase().includes(`</${element}`);
}
