/** A stretch of text, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
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
    const end = text[at] === "`" ? runs.get(at) : text[at] === "<" ? endOfElement(text, lower, at) : undefined;
    if (end === undefined) {
      at = text[at] === "`" ? endOfRun(text, at) : at + 1;
    } else {
      spans.push({ start: at, end });
      at = end;
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

/** A comment or element that does not end in the paragraph hides what is left of it. */
function endOfElement(text: string, lower: string, at: number): number | undefined {
  if (text.startsWith("<!--", at)) {
    const end = text.indexOf("-->", at);
    return end === -1 ? text.length : end + 3;
  }
  ELEMENT.lastIndex = at;
  const name = ELEMENT.exec(text)?.[1]?.toLowerCase();
  if (!name) return undefined;
  const end = lower.indexOf(`</${name}`, at);
  return end === -1 ? text.length : end;
}
