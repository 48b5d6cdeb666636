/**
 * Which items make a list that was refused as a whole be refused: GitHub does not say (GH-10). Halves are tried until single items
 * remain. `accepts` tells whether a part would be taken; it is asked about twice log2(n) times for one bad item among n.
 */
export async function findRefused<T>(
  refused: readonly T[],
  accepts: (part: readonly T[]) => Promise<boolean>,
): Promise<T[]> {
  if (refused.length <= 1) return [...refused];
  const middle = Math.ceil(refused.length / 2);
  const [left, right] = [refused.slice(0, middle), refused.slice(middle)];
  const leftTaken = await accepts(left);
  // When one half is fine the fault is in the other: that needs no asking.
  const rightTaken = leftTaken ? false : await accepts(right);
  return [
    ...(leftTaken ? [] : await findRefused(left, accepts)),
    ...(rightTaken ? [] : await findRefused(right, accepts)),
  ];
}
