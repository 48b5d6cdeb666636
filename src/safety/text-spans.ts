/** A part of a text: from the first character up to, not including, `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** In their order, with what overlaps or touches joined. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/**
 * The text with a mark in place of every span. One that goes over several lines leaves as many behind, each with a mark where something
 * stood, so that line numbers stay what they are.
 */
export function replaceSpans(text: string, spans: readonly Span[], mark: string): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of joinSpans(spans)) {
    parts.push(text.slice(done, from), marked(text.slice(from, to), mark));
    done = to;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

function marked(part: string, mark: string): string {
  return part.includes("\n") ? part.replace(/[^\s](?:[^\n]*[^\s])?/g, () => mark) : mark;
}
