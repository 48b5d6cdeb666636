import type { OutlineResult } from "../child/protocol.ts";

/** What files declare, by their content: two phases of a run, and two runs on a repository, read almost the same files. */
export interface OutlineMemory {
  readonly get: (key: string) => OutlineResult | undefined;
  readonly set: (key: string, outline: OutlineResult) => void;
}

/** Files of about ten repositories of the usual size; an outline takes a kilobyte or two. */
const MOST_OUTLINES = 10_000;

/** Keeps the outlines that were asked for last, at most `most` of them. */
export function createOutlineMemory(most = MOST_OUTLINES): OutlineMemory {
  const kept = new Map<string, OutlineResult>();
  const set = (key: string, outline: OutlineResult) => {
    // Whatever is put in again is the newest.
    kept.delete(key);
    kept.set(key, outline);
    for (const oldest of kept.keys()) {
      if (kept.size <= most) return;
      kept.delete(oldest);
    }
  };
  const get = (key: string) => {
    const outline = kept.get(key);
    if (outline !== undefined) set(key, outline);
    return outline;
  };
  return { get, set };
}
