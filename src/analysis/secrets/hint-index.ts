interface Hinted {
  /** Texts of which every match contains at least one. */
  readonly hints: readonly string[];
}

/** Shorter hints are looked for one by one; there are few of them. */
const INDEXED_CHARACTERS = 3;
const SLOTS = 1 << 16;

/**
 * Finds in one pass over a text which of the formats can match in it, in their order. Looking for each of some 250 hints in turn would
 * take longer than everything else together.
 */
export function createHintIndex<T extends Hinted>(formats: readonly T[]): (text: string) => T[] {
  const all = formats.flatMap(({ hints }, format) => hints.map((hint) => ({ hint, format })));
  const short = all.filter(({ hint }) => hint.length < INDEXED_CHARACTERS);
  const slots = Map.groupBy(
    all.filter(({ hint }) => hint.length >= INDEXED_CHARACTERS),
    ({ hint }) => slotOf(hint, 0),
  );
  const filled = new Uint8Array(SLOTS);
  for (const slot of slots.keys()) filled[slot] = 1;

  return (text) => {
    const found = new Set<number>();
    for (const { hint, format } of short) if (text.includes(hint)) found.add(format);
    for (let at = 0; at + INDEXED_CHARACTERS <= text.length; at += 1) {
      const slot = slotOf(text, at);
      if (filled[slot] === 0) continue;
      for (const { hint, format } of slots.get(slot) ?? []) {
        if (!found.has(format) && text.startsWith(hint, at)) found.add(format);
      }
    }
    return formats.filter((_, format) => found.has(format));
  };
}

/** Three characters as a number below `SLOTS`; different ones may share it. */
function slotOf(text: string, at: number): number {
  return ((text.charCodeAt(at) * 961) ^ (text.charCodeAt(at + 1) * 31) ^ text.charCodeAt(at + 2)) & (SLOTS - 1);
}
