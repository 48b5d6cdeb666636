/**
 * Which kinds may take the next free slot. One slot is kept for every kind that has nothing at work, so that long reviews leave room for
 * deliveries and effects; with fewer slots than kinds nothing can be kept and all may.
 */
export function openKinds<Kind extends string>(
  kinds: readonly Kind[],
  atWork: ReadonlyMap<Kind, number>,
  slots: number,
): Kind[] {
  const used = kinds.reduce((sum, kind) => sum + (atWork.get(kind) ?? 0), 0);
  const free = slots - used;
  if (free <= 0) return [];
  if (slots < kinds.length) return [...kinds];
  const idle = kinds.filter((kind) => !atWork.get(kind));
  return kinds.filter((kind) => free > idle.filter((other) => other !== kind).length);
}
