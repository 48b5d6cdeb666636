/** Slots of a worker that nothing long gets: with them a stop, a delivery and a word on GitHub are never behind an hour of work. */
function keptSlots(slots: number): number {
  if (slots < 2) return 0;
  return slots < 6 ? 1 : 2;
}

/** Which kinds may take the next free slot. What takes minutes leaves some for what takes a moment; a worker with one slot cannot. */
export function openKinds<Kind extends string>(
  kinds: readonly Kind[],
  isLong: (kind: Kind) => boolean,
  atWork: ReadonlyMap<Kind, number>,
  slots: number,
): Kind[] {
  const busy = (some: readonly Kind[]) => some.reduce((sum, kind) => sum + (atWork.get(kind) ?? 0), 0);
  if (busy(kinds) >= slots) return [];
  const takesLong = busy(kinds.filter(isLong)) < slots - keptSlots(slots);
  return kinds.filter((kind) => takesLong || !isLong(kind));
}
