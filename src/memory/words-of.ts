/** Words that say nothing about what a text is about. */
const EMPTY_WORDS = new Set(
  (
    "a about after again all also am an and any are as at be because been before being both but by can could did do does " +
    "doing down during each else few for from further get gets had has have having he her here hers him his how i if in into is it its " +
    "just know let like make makes may me might more most must my need needs no nor not of off on once one only or other our out over own " +
    "same she should so some such than that the their them then there these they this those through to too under until up use used uses " +
    "using very want was we were what when where whether which while who whom why will with would you your"
  ).split(" "),
);

/** The words of a text that carry meaning, in lower case and in order; `camelCase` and `snake_case` also give their parts. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [name] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const parts = name.replace(/(\p{Ll})(\p{Lu})/gu, "$1_$2").split("_");
    const found = parts.length > 1 ? [name.replaceAll("_", ""), ...parts] : parts;
    for (const part of found) {
      const word = part.toLowerCase();
      if (word.length > 1 && !EMPTY_WORDS.has(word)) words.push(word);
    }
  }
  return words;
}
