/** The candidate that differs from `written` in the fewest characters, at most `most` of them; undefined when none is that near. */
export function nearest<T extends string>(written: string, candidates: readonly T[], most: number): T | undefined {
  const from = written.slice(0, 40);
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(from, candidate) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** How many characters have to be added, removed, replaced or swapped with their neighbour to make one text of the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          previous[column]! + 1,
          current[column - 1]! + 1,
          previous[column - 1]! + (same ? 0 : 1),
          swapped ? before[column - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
}
