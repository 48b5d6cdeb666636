/** Numbers of lines, each once. A `Set` of numbers is one, and takes 40 bytes for each where this takes one bit of each line of the file. */
export interface LineSet extends Iterable<number> {
  readonly size: number;
  has(line: number): boolean;
}

/** @param lines from 1 on, in any order; those that come twice count once */
export function lineSet(lines: readonly number[]): LineSet {
  const bits = new Uint8Array((lines.reduce((last, line) => Math.max(last, line), 0) >> 3) + 1);
  let size = 0;
  for (const line of lines) {
    const before = bits[line >> 3] ?? 0;
    const after = before | (1 << (line & 7));
    if (after !== before) size += 1;
    bits[line >> 3] = after;
  }
  const has = (line: number) => (((bits[line >> 3] ?? 0) >> (line & 7)) & 1) === 1;
  return {
    size,
    has,
    *[Symbol.iterator]() {
      for (let line = 1; line < bits.length << 3; line += 1) if (has(line)) yield line;
    },
  };
}
