/** What is known of kinds of jobs. */
export interface Manners<Kind> {
  /** It takes minutes. */
  readonly takesLong: (kind: Kind) => boolean;
  /** It comes in storms, and lets others go first. */
  readonly yields: (kind: Kind) => boolean;
  /** It has one slot of its own. */
  readonly aside: (kind: Kind) => boolean;
}

/** Slots of a worker that nothing long gets: with them a stop, a delivery and a word on GitHub are never behind an hour of work. */
function keptSlots(slots: number): number {
  if (slots < 2) return 0;
  return slots < 6 ? 1 : 2;
}

/** Slots that what comes in storms gets: half of them, and one at least. */
function yieldingSlots(slots: number): number {
  return Math.max(1, Math.floor(slots / 2));
}

/**
 * Which kinds may take the next free slot. What takes minutes leaves some for what takes a moment, and what comes in storms leaves half; a
 * worker with one slot cannot. Jobs that nobody waits for run one at a time in a slot of their own, so that they do not delay the others.
 */
export function openKinds<Kind extends string>(
  kinds: readonly Kind[],
  { takesLong, yields, aside }: Manners<Kind>,
  atWork: ReadonlyMap<Kind, number>,
  slots: number,
): Kind[] {
  const busy = (some: readonly Kind[]) => some.reduce((sum, kind) => sum + (atWork.get(kind) ?? 0), 0);
  const alone = busy(kinds.filter(aside)) < 1;
  const own = kinds.filter((kind) => !aside(kind));
  const any = busy(own) < slots;
  const long = busy(own.filter(takesLong)) < slots - keptSlots(slots);
  const yielding = busy(own.filter(yields)) < yieldingSlots(slots);
  return kinds.filter((kind) =>
    aside(kind) ? alone : any && (long || !takesLong(kind)) && (yielding || !yields(kind)),
  );
}

/**
 * Which kinds are asked for the next free slot, one list after the other until one has a job that is due. After a job of a kind that yields, what
 * else waits goes first, so that both have their turns, a worker with one slot included.
 * @param last the kind that had the last turn
 */
export function turns<Kind extends string>(
  kinds: readonly Kind[],
  manners: Manners<Kind>,
  atWork: ReadonlyMap<Kind, number>,
  slots: number,
  last: Kind | undefined,
): Kind[][] {
  const open = openKinds(kinds, manners, atWork, slots);
  if (last === undefined || !manners.yields(last)) return [open];
  const others = open.filter((kind) => !manners.yields(kind));
  return others.length === 0 || others.length === open.length ? [open] : [others, open];
}
