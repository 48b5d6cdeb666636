/** Shannon entropy in bits for each character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Mean length of the runs of one kind (digits, capitals, a word with or without a capital): written words have 4 and more, chance 1.5 to 2.7. */
export function meanRun(text: string): number {
  const runs = text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  return runs.reduce((sum, run) => sum + run.length, 0) / Math.max(1, runs.length);
}

/** Whether characters follow each other as they do in keys, and not as in words, numbers or names. */
export function looksRandom(text: string): boolean {
  const hex = /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text);
  if (!/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  if (hex) return text.length >= 20 && entropyOf(text) >= 2.9 && meanRun(text) < 3.2;
  return entropyOf(text) >= (text.length >= 20 ? 3.5 : 3.1) && meanRun(text) < 3.1;
}
