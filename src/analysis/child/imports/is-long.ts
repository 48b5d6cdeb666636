/** The native parser calls itself for each link of a chain (`a+a+a`, `!!!a`, `a=>a=>a`): of these it takes some 24,000 tokens and more. */
const MOST_TOKENS = 15_000;
/** It tries `a<` as the beginning of a list of types and `a?(b):c=>` as a function, and the rest for each: 1,600 take a second. */
const MOST_TRIED = 300;

/** Whether a text of JavaScript or TypeScript has more tokens than the parser is sure to survive, whatever they are. */
export function isLong(text: string): boolean {
  let [tokens, tried] = [0, 0];
  let isInWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isWord = isWordUnit(code);
    // Spaces are no tokens, and end a word.
    if (code > 0x20 && !(isWord && isInWord)) tokens += 1;
    isInWord = isWord;
    if (code === 0x3c || code === 0x3f) tried += 1;
    if (tokens > MOST_TOKENS || tried > MOST_TRIED) return true;
  }
  return false;
}

/** Letters, digits, `_`, `$`, and all that is not ASCII. */
function isWordUnit(code: number): boolean {
  if (code >= 0x80 || code === 0x24 || code === 0x5f) return true;
  const lower = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}
