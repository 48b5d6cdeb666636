import type { HostileClass, Payload } from "./payload.ts";

/** A payload whose turn it is. */
export interface Turn {
  /** Name of the class. */
  readonly of: string;
  readonly payload: Payload;
}

/** Of each class so many at most, so that all of them have their turn within 20 minutes; every one with `--all`. */
export const OF_EACH_CLASS = 24;

/** At most so many payloads of a class, at equal distances in the order in which they stand: with another seed its neighbours. */
export function chosenOf({ payloads }: HostileClass, seed: number, most = OF_EACH_CLASS): Payload[] {
  const all = payloads(seed);
  const distance = Math.max(1, all.length / most);
  const offset = (seed % Math.ceil(distance)) / Math.ceil(distance);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor((at + offset) * distance)]!);
}

/** One of what is chosen, the next one with the next seed: with `OF_EACH_CLASS` seeds in a row all have had their turn. */
export function drawnFrom(attacks: HostileClass, seed: number): Payload | undefined {
  const chosen = chosenOf(attacks, seed);
  return chosen[seed % chosen.length];
}

/** Of all classes in turns, so that what is heavy in the same way is not let loose together. */
export function interleaved(turns: readonly Turn[]): Turn[] {
  const seen = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const { of } of turns) counts.set(of, (counts.get(of) ?? 0) + 1);
  const placed = turns.map((turn) => {
    const at = seen.get(turn.of) ?? 0;
    seen.set(turn.of, at + 1);
    return { turn, place: (at + 0.5) / counts.get(turn.of)! };
  });
  return placed.toSorted((one, other) => one.place - other.place).map(({ turn }) => turn);
}
