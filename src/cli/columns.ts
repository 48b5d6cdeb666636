import stringWidth from "string-width";

/** Columns of a terminal that says nothing of its width, and of a pipe. */
export const USUAL_COLUMNS = 80;

/** Columns that a text takes on a terminal: two for a wide character, none for one that joins another. */
export function columnsOf(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

/** At most so many columns, with an ellipsis where something is missing; never half a character. */
export function cutColumns(text: string, most: number): string {
  if (columnsOf(text) <= most) return text;
  let [shown, width] = ["", 1];
  for (const { segment } of SEGMENTS.segment(text)) {
    width += columnsOf(segment);
    if (width > most) break;
    shown += segment;
  }
  return `${shown}…`;
}

/** The text in lines of at most so many columns, cut at blanks; a longer word keeps its line. */
export function wrapColumns(text: string, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && columnsOf(longer) > most) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

const SEGMENTS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
