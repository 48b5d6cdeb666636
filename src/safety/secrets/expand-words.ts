/** Every text that such alternatives stand for: `data_?dog|dd_` is "datadog", "data_dog" and "dd_". Knows `|` and a `?` behind a character. */
export function expandWords(words: string): string[] {
  return words.split("|").flatMap(expandOptional);
}

function expandOptional(word: string): string[] {
  const at = word.indexOf("?");
  if (at === -1) return [word];
  const rest = expandOptional(word.slice(at + 1));
  return rest.flatMap((end) => [`${word.slice(0, at - 1)}${end}`, `${word.slice(0, at)}${end}`]);
}
