import type { Memory } from "../../src/memory/open-memory.ts";

/** Words as often as people use them: the n-th is about n times rarer than the first. */
function createVocabulary(size: number, random: () => number): () => string {
  const syllables = [
    "ba",
    "con",
    "de",
    "fir",
    "gra",
    "hel",
    "in",
    "jo",
    "ka",
    "lum",
    "mer",
    "no",
    "os",
    "per",
    "qua",
    "ri",
    "sta",
    "tor",
    "un",
    "ver",
  ];
  const words = Array.from({ length: size }, (_, at) => {
    const digits = at.toString(20).padStart(3, "0");
    return [...digits].map((digit) => syllables[Number.parseInt(digit, 20)]).join("");
  });
  const sums: number[] = [];
  let sum = 0;
  for (let at = 0; at < size; at += 1) {
    sum += 1 / (at + 3);
    sums.push(sum);
  }
  return () => {
    const wanted = random() * sum;
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low]!;
  };
}

/** The same numbers in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface Filling {
  readonly scope: { readonly installationId: number; readonly repositoryId: number };
  /** Questions in the words of the memories. */
  readonly ask: () => string;
}

/** Shares of the notes that say again what an earlier one says in nearly its words, or the opposite of one. */
interface Repeating {
  readonly again: number;
  readonly against: number;
}

/** Remembers `count` made-up notes of 20 words and 6 keywords each, in a repository of their own. */
export async function fillMemory(
  memory: Memory,
  count: number,
  repositoryId: number,
  { again, against }: Repeating = { again: 0, against: 0 },
): Promise<Filling> {
  const notes: { readonly content: string; readonly keywords: string[] }[] = [];
  const random = createRandom(repositoryId);
  const word = createVocabulary(8_000, random);
  const some = (length: number) => Array.from({ length }, word);
  const scope = { installationId: 1, repositoryId };
  for (let done = 0; done < count; done += 100) {
    const lessons = Array.from({ length: Math.min(100, count - done) }, (_, at) => {
      const chance = again + against > 0 ? random() : 1;
      const earlier = chance < again + against ? notes[Math.floor(random() * notes.length)] : undefined;
      const fresh = earlier ?? { content: some(20).join(" "), keywords: some(6) };
      if (!earlier) notes.push(fresh);
      const content = earlier && chance >= again ? `Never ${fresh.content}` : fresh.content;
      return {
        ...{ scope, type: "semantic" as const, origin: "model" as const },
        ...{ content: `${content} ${done + at}.`, keywords: fresh.keywords },
      };
    });
    await Promise.all(lessons.map((lesson) => memory.remember(lesson)));
  }
  return { scope, ask: () => some(9).join(" ") };
}
