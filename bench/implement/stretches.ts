/** What can be under way in a run; what is none of it is Forge's own work, or waiting. */
export const KINDS = ["model", "sandbox", "git", "github", "reader", "database"] as const;
export type Kind = (typeof KINDS)[number];

/** A stretch of time in which the same kinds of work were under way. */
export interface Stretch {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly ms: number;
  /** In which the main thread had something to do. */
  readonly busyMs: number;
  /** Of all threads of the main process. */
  readonly processorMs: number;
  readonly kinds: readonly Kind[];
}

export interface Watched {
  readonly stretches: readonly Stretch[];
  /** By what it was exactly; what runs at the same time counts each for itself. */
  readonly names: Readonly<Record<string, { readonly times: number; readonly ms: number }>>;
}

export interface Share {
  readonly wallMs: number;
  /** At least one of the kind was under way; kinds overlap. */
  readonly under: Readonly<Record<Kind, number>>;
  /** Nothing was under way and the main thread had nothing to do: the disk had, or the queue waited for its moment. */
  readonly waitingMs: number;
  /** The main thread was busy while no model, no program and no answer of GitHub was waited for. */
  readonly ownMs: number;
  /** The main thread was busy, whatever was under way. */
  readonly busyMs: number;
  readonly processorMs: number;
}

/** Adds up what happened between two moments, in milliseconds since 1970. */
export function shareOf({ stretches }: Watched, from: number, until: number): Share {
  const under: Record<Kind, number> = { model: 0, sandbox: 0, git: 0, github: 0, reader: 0, database: 0 };
  const sums = { waitingMs: 0, ownMs: 0, busyMs: 0, processorMs: 0 };
  for (const stretch of stretches) {
    const inside = Math.min(until, stretch.from + stretch.ms) - Math.max(from, stretch.from);
    if (inside <= 0 || stretch.ms === 0) continue;
    const part = inside / stretch.ms;
    for (const kind of stretch.kinds) under[kind] += inside;
    const isOwn = stretch.kinds.every((kind) => kind === "database");
    sums.busyMs += stretch.busyMs * part;
    sums.processorMs += stretch.processorMs * part;
    if (isOwn) sums.ownMs += stretch.busyMs * part;
    if (isOwn) sums.waitingMs += Math.max(0, stretch.ms - stretch.busyMs) * part;
  }
  return { wallMs: until - from, under, ...sums };
}
