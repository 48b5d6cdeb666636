/** A text without such characters at its end: what a pattern such as `/\/+$/` does, which tries again from each of a long run of them. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}
