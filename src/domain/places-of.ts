/**
 * Where a part begins in a whole, in time proportional to both: texts by their UTF-16 units, lists by their entries. The search of the
 * engine takes the product of both lengths where both repeat themselves, and a model chooses both.
 * @param part an empty one is nowhere
 * @param options `from` where the search begins; `overlapping`: places within the part found before count as well
 */
export function placesOf<T>(
  whole: ArrayLike<T>,
  part: ArrayLike<T>,
  { from = 0, overlapping = false }: { readonly from?: number; readonly overlapping?: boolean } = {},
): number[] {
  const places: number[] = [];
  if (part.length === 0) return places;
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = from; at < whole.length; at += 1) {
    while (matched > 0 && whole[at] !== part[matched]) matched = borders[matched - 1]!;
    if (whole[at] === part[matched]) matched += 1;
    if (matched < part.length) continue;
    places.push(at + 1 - matched);
    matched = overlapping ? borders[matched - 1]! : 0;
  }
  return places;
}

/** For each beginning of a part: how long its longest shorter beginning is that it also ends with (Knuth, Morris and Pratt). */
function bordersOf<T>(part: ArrayLike<T>): Uint32Array {
  const borders = new Uint32Array(part.length);
  for (let at = 1, length = 0; at < part.length; at += 1) {
    while (length > 0 && part[at] !== part[length]) length = borders[length - 1]!;
    if (part[at] === part[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}
