import type { StepEvent } from "./ports.ts";
import { CLOSING, OPENING } from "./tagged-calls.ts";

export interface TagWatcher {
  readonly take: (text: string) => void;
  /** The text is over: what was kept back in case a tag came of it is words. */
  readonly end: () => void;
}

/** A name that comes later than this, in characters, is told with the whole reply only. */
const NAME_WITHIN = 4096;

/**
 * Reads streamed text for tagged calls (LOOP-5): words are passed on at once, a call is told as soon as its name has come, its inside is
 * kept back. An opening tag may be split over pieces, so as much as could still become one waits.
 */
export function watchTags(tell: (event: StepEvent) => void, idOf: (index: number) => string): TagWatcher {
  let pending = "";
  let inside = false;
  let told = false;
  let calls = 0;

  const advance = (): boolean => {
    if (inside) {
      const name = told ? undefined : /"(?:name|tool)"\s*:\s*"([^"\\]+)"/.exec(pending)?.[1];
      if (name !== undefined) {
        told = true;
        tell({ type: "tool_call_started", id: idOf(calls), name });
      }
      const end = pending.indexOf(CLOSING);
      if (end === -1) {
        // Of a long block only what may be the beginning of its end is kept: looking through all of it again takes too long.
        if (told || pending.length > NAME_WITHIN) {
          told = true;
          pending = pending.slice(1 - CLOSING.length);
        }
        return false;
      }
      pending = pending.slice(end + CLOSING.length);
      inside = false;
      calls += 1;
      return true;
    }
    const start = pending.indexOf(OPENING);
    const safe = start === -1 ? pending.length - heldBack(pending) : start;
    if (safe > 0) tell({ type: "text", text: pending.slice(0, safe) });
    pending = pending.slice(start === -1 ? safe : start + OPENING.length);
    if (start === -1) return false;
    inside = true;
    told = false;
    return true;
  };

  return {
    take(text: string) {
      pending += text;
      while (advance()) {
        // Each turn takes one tag away.
      }
    },
    end() {
      if (!inside && pending) tell({ type: "text", text: pending });
      pending = "";
    },
  };
}

/** How many of the last characters may be the beginning of an opening tag. */
function heldBack(text: string): number {
  for (let length = Math.min(OPENING.length - 1, text.length); length > 0; length -= 1) {
    if (OPENING.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
