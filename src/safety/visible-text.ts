/** Format controls, default-ignorables (zero-width, bidirectional, tags, variation selectors), control characters, lone surrogates, the blank braille cell. */
const INVISIBLE = /[\p{Cf}\p{DI}\p{Cc}\p{Cs}\u2800]/gu;

/**
 * The text as a person sees it: without characters that hide, reorder or join others (Trojan Source), with plain spaces and with `\n` as
 * the only line break. Tabs stay.
 */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(/\p{Zs}/gu, " ")
    .replace(INVISIBLE, (character) => (character === "\n" || character === "\t" ? character : ""));
}
