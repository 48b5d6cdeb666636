/** What one result may hold; the loop's own limit lies above it, so that no result is cut without our mark. */
export const RESULT_CHARACTERS = 24_000;

/** Longer lines are bundles and data: the first part tells what they are. */
export const LINE_CHARACTERS = 1_000;

export interface CutLines {
  readonly lines: readonly string[];
  /** Lines that are not shown. */
  readonly left: number;
}

/** As many whole lines from the front as fit, at least one. */
export function cutLines(lines: readonly string[], maxCharacters: number): CutLines {
  let used = 0;
  const end = lines.findIndex((line, at) => {
    used += line.length + 1;
    return used > maxCharacters && at > 0;
  });
  const shown = end === -1 ? lines : lines.slice(0, end);
  return { lines: shown, left: lines.length - shown.length };
}

/** One line, with a mark where it was cut that says where it goes on. */
export function cutLine(line: string, fromColumn = 1, maxCharacters: number = LINE_CHARACTERS): string {
  const rest = fromColumn === 1 ? line : line.slice(fromColumn - 1);
  if (rest.length <= maxCharacters) return rest;
  const next = fromColumn + maxCharacters;
  return `${rest.slice(0, maxCharacters)} [cut here: ${rest.length - maxCharacters} more characters, from column ${next}]`;
}

/** Output of a program: its beginning and, larger, its end, where errors and results stand. */
export function cutMiddle(
  lines: readonly string[],
  maxCharacters: number,
): { readonly lines: string[]; readonly left: number } {
  const short = lines.map((line) => cutLine(line));
  if (short.reduce((sum, line) => sum + line.length + 1, 0) <= maxCharacters) return { lines: short, left: 0 };
  const front = cutLines(short, maxCharacters / 4).lines;
  const back = cutLines(short.slice(front.length).reverse(), (maxCharacters * 3) / 4).lines.toReversed();
  const left = short.length - front.length - back.length;
  return { lines: [...front, `[cut here: ${left} lines left out]`, ...back], left };
}
