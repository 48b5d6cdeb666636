/** A stretch of text, `end` exclusive. */
export interface Span {
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
export function hiddenSpans(text: string): Span[] {
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
export function openElement(html: string, before: string | undefined): string | undefined {
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
export function closes(text: string, element: string): boolean {
  return text.toLowerCase().includes(`</${element}`);
}
