import { skeletonOf } from "./look-alikes.ts";

/** Around the place that it is about, in UTF-16 units. */
const SHOWN = 70;

const HIDDEN = /[\p{Cf}\p{DI}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, "gu");

/** A line as an editor shows it, in plain letters, beside the line as it runs, with every character that is not what it seems escaped. */
export function showLine(line: string, offset: number): string {
  const from = Math.max(0, offset - SHOWN);
  const around = line.slice(from, offset + 2 * SHOWN);
  return `seen: ${skeletonOf(reordered(around)).replace(ALL_HIDDEN, "").trim()}\nrun:  ${escapeHidden(around).trim()}`;
}

/** A line whose code from `offset` on stands out of sight, without the blanks before it. */
export function showFar(line: string, offset: number): string {
  const near = escapeHidden(line.slice(0, offset).trim().slice(-SHOWN)).trim();
  const far = escapeHidden(line.slice(offset, offset + 2 * SHOWN)).trim();
  return `seen: ${near}\nrun:  ${near} ... ${far}`;
}

/** What an override encloses is shown backwards, up to what ends it or to the end of the line. */
function reordered(line: string): string {
  const opened: string[][] = [[]];
  const close = () => {
    const inner = opened.length > 1 ? opened.pop() : undefined;
    if (inner) opened.at(-1)?.push(...inner.reverse());
  };
  for (const character of line.slice(line.trimEnd().lastIndexOf("\r") + 1)) {
    if (character === "\u202e") opened.push([]);
    else if (/[\u202c\u2069]/.test(character)) close();
    else opened.at(-1)?.push(character);
  }
  while (opened.length > 1) close();
  return opened[0]?.join("") ?? "";
}

/** Hidden characters and look-alikes by their numbers; all others stay as they are. */
export function escapeHidden(text: string): string {
  return text.replace(/[^\x20-\x7e\t]/gu, (character) =>
    HIDDEN.test(character) || skeletonOf(character) !== character ? numberOf(character) : character,
  );
}

/** `\u{202e}` */
export function numberOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
